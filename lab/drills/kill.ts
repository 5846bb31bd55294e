import { setTimeout as sleep } from 'node:timers/promises'
import { actUntil, newLedger } from '#lab/drills/_acts.ts'
import { audit } from '#lab/drills/_audit.ts'
import { count, type Drill } from '#lab/drills/_drill.ts'
import { killHard, makeFolder, serve } from '#lab/drills/_folder.ts'
import { SERVER, withoutGuard } from '#lab/drills/_product.ts'
import { newTalk, talkUntil } from '#lab/drills/_talk.ts'
import { auditTalk } from '#lab/drills/_talk-audit.ts'
import { startAgain } from '#tests/support/crash-steps.ts'
import { startMailServer } from '#tests/support/smtp.ts'

const ROUNDS = 50
const CONTROL_ROUNDS = 5
const WARM_MESSAGES = 2
const SENDING_MS = 3_000
const [SHORTEST_MS, LONGEST_MS] = [200, 700]

export const kill: Drill = {
  name: 'kill',
  promise: 'Acknowledged writes, messages and their mails survive kill -9',
  trial: async (work) => {
    const { figure, losses } = await killWhileWriting(work, SERVER, ROUNDS)
    return { figure, isKept: Math.max(...Object.values(losses)) === 0 }
  },
  control: {
    without:
      'answering a scan only after its commit, and the mail in the transaction of its message',
    trial: async (work) => {
      const { figure, losses } = await killWhileWriting(
        work,
        await answeringEarly(),
        CONTROL_ROUNDS,
      )
      // Two guards are missing, and each must be missed.
      return { figure, isKept: Math.min(losses.writes, losses.mails) === 0 }
    },
  },
}

const answeringEarly = withoutGuard('answering-early', () => [
  {
    file: 'routes/_http/scans/scans.ts',
    text: 'await scanPath.record(scan)',
    instead: 'void scanPath.record(scan)',
  },
  {
    file: 'db/sqlite/scan-path.ts',
    text: 'inNextTurn(() => inNextTurn(write))',
    instead: 'inNextTurn(() => setTimeout(write, 100))',
  },
  {
    file: 'actions/conversations/notices.ts',
    text: "import { type MayMail, mailOrigin, once } from '#actions/mail.ts'",
    instead: `import { type MayMail, mailOrigin, once } from '#actions/mail.ts'
        import { inTransaction } from '#db/transaction.ts'`,
  },
  {
    file: 'actions/conversations/notices.ts',
    text: '  return (trx, message) => alertOwner(deps, trx, message)',
    instead: `const later = (message) => inTransaction(deps.db, (trx) => alertOwner(deps, trx, message))
        return async (_, message) => { setTimeout(later, 500, message) }`,
  },
  {
    file: 'actions/conversations/notices.ts',
    text: '  return (trx, message) => mailFinder(deps, trx, message, mailBrand, mayMailOnce)',
    instead: `const later = (message) =>
          inTransaction(deps.db, (trx) => mailFinder(deps, trx, message, mailBrand, mayMailOnce))
        return async (_, message) => { setTimeout(later, 500, message) }`,
  },
])

/** One folder for all rounds: each start recovers what the kill before left. */
async function killWhileWriting(work: string, program: string, rounds: number) {
  const folder = await makeFolder(work)
  const [ledger, talk] = [newLedger(), await newTalk()]
  const mails = await startMailServer()
  const env = { SMTP_URL: mails.url }
  for (let round = 0; round < rounds; round++) {
    const server = await serve({ dataDir: folder.dataDir, program, env })
    const stop = new AbortController()
    const target = { url: server.url, folder, ledger, talk }
    const writing = [actUntil(target, stop.signal), talkUntil(target, stop.signal)]
    // On a busy machine a server is slow just after its start.
    const before = talk.said.length
    while (talk.said.length < before + WARM_MESSAGES && server.child.exitCode === null) {
      if (talk.refused.length > 0) break
      await sleep(20)
    }
    await sleep(SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS))
    await killHard(server)
    stop.abort()
    await Promise.all(writing)
  }
  // Mails that waited arrive meanwhile.
  const last = await serve({ dataDir: folder.dataDir, program, env })
  await sleep(SENDING_MS)
  await killHard(last)
  await mails.stop()
  const { stored, rows, incoming } = await startAgain([folder.dataDir, ''], true)
  const strays = [...stored.filter((name) => !rows.includes(name)), ...incoming]
  const { lost, damage } = audit(folder.dataDir, ledger.acks)
  const messages = await auditTalk(folder, talk.said, mails.received)
  const [refused] = [...ledger.refused, ...talk.refused]
  if (refused) throw new Error(`Refused: ${JSON.stringify(refused)}`)
  const photos = talk.said.filter(({ hasPhoto }) => hasPhoto).length
  const figure = [
    `${count(rounds, 'kill')}, ${count(ledger.acks.length, 'acknowledged write')}, ${lost.length} lost`,
    `${count(talk.said.length, 'acknowledged message')}, ${photos} with a photo, ${messages.lost.length} lost, ${messages.doubled.length} stored twice`,
    `mails owed for ${messages.owed.length} of them, ${messages.unmailed.length} neither waiting nor among the ${mails.received.length} that arrived`,
    `${strays.length} stray files`,
    ...damage,
  ].join('; ')
  const losses = {
    writes: lost.length,
    messages: messages.lost.length + messages.doubled.length,
    mails: messages.unmailed.length,
    files: strays.length + damage.length,
  }
  return { figure, losses }
}
