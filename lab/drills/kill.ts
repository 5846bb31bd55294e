import { setTimeout as sleep } from 'node:timers/promises'
import { newLedger } from '#lab/drills/_acts.ts'
import { audit } from '#lab/drills/_audit.ts'
import { count, type Drill } from '#lab/drills/_drill.ts'
import { killHard, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { killDuring, newTalk } from '#lab/drills/_talk.ts'
import { auditTalk } from '#lab/drills/_talk-audit.ts'
import { startAgain } from '#tests/support/crash-steps.ts'
import { startMailServer } from '#tests/support/smtp.ts'

const ROUNDS = 50
const CONTROL_ROUNDS = 5
const SENDING_MS = 3_000

export const kill: Drill = {
  name: 'kill',
  promise: 'Acknowledged writes, messages and their mails survive kill -9',
  trial: async (work, program) => {
    const { figure, losses } = await killWhileWriting(work, program, ROUNDS)
    return { figure, isKept: Math.max(...Object.values(losses)) === 0 }
  },
  without: 'answering a scan only after its commit, and the mail in the transaction of its message',
  control: async (work, program) => {
    const { figure, losses } = await killWhileWriting(work, program, CONTROL_ROUNDS)
    // Each of the two missing guards must show.
    return { figure, isKept: Math.min(losses.writes, losses.mails) === 0 }
  },
  guardless: withoutGuard('answering-early', [
    ['routes/_http/scans/scans.ts', 'await scanPath.record(scan)', 'void scanPath.record(scan)'],
    ['db/sqlite/scan-path.ts', 'scheduled = inNextTurn(write)', 'setTimeout(write, 100)'],
    [
      'actions/conversations/notices.ts',
      "import { type MayMail, mailOrigin, once } from '#actions/mail.ts'",
      `import { type MayMail, mailOrigin, once } from '#actions/mail.ts'
        import { inTransaction } from '#db/transaction.ts'`,
    ],
    [
      'actions/conversations/notices.ts',
      '  return (trx, message) => alertOwner(deps, trx, message)',
      `const later = (message) => inTransaction(deps.db, (trx) => alertOwner(deps, trx, message))
        return async (_, message) => { setTimeout(later, 500, message) }`,
    ],
    [
      'actions/conversations/notices.ts',
      '  return (trx, message) => mailFinder(deps, trx, message, mailBrand, mayMailOnce)',
      `const later = (message) =>
          inTransaction(deps.db, (trx) => mailFinder(deps, trx, message, mailBrand, mayMailOnce))
        return async (_, message) => { setTimeout(later, 500, message) }`,
    ],
  ]),
}

/** Kills servers on the same folder, so that each start recovers the state after the kill before. */
async function killWhileWriting(work: string, program: string, rounds: number) {
  const folder = await makeFolder(work)
  const [ledger, talk] = [newLedger(), await newTalk()]
  const mails = await startMailServer()
  const start = () => serve({ dataDir: folder.dataDir, program, env: { SMTP_URL: mails.url } })
  for (let round = 0; round < rounds; round++) {
    await killDuring({ server: await start(), folder, talk, ledger }, [200, 700])
  }
  // Mails that waited arrive meanwhile.
  const last = await start()
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
