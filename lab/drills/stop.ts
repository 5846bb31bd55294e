import { setTimeout as sleep } from 'node:timers/promises'
import { actUntil, newLedger } from '#lab/drills/_acts.ts'
import { audit } from '#lab/drills/_audit.ts'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { end, makeFolder, serve, type Uploader } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { openUpload, UPLOAD_END } from '#lab/drills/_uploads.ts'

const ROUNDS = 5
const SLOW_UPLOADS = 8
const UPLOAD_MS = 2_000
const PIECES = 20
/** A server is slow just after its start, on a busy machine for longer than the uploads take. */
const WARM_ACKS = 20
const LONGEST_STOP_MS = 10_000
/** A request that is sent while the server stops listening may be refused. */
const CLOSING_MS = 50

export const stop: Drill = {
  name: 'stop',
  promise:
    'After SIGTERM, requests in progress are answered and stored, and the server ends within 10 s',
  trial: (work, program) => stopUnderLoad(work, program, ROUNDS),
  without: 'waiting for requests in progress',
  control: (work, program) => stopUnderLoad(work, program, 1),
  guardless: withoutGuard('leaving-at-once', [
    ['server.ts', 'stopping = true', 'stopping = true\n    process.exit(0)'],
  ]),
}

async function stopUnderLoad(work: string, program: string, rounds: number): Promise<Outcome> {
  const folder = await makeFolder(work)
  const ledger = newLedger()
  const codes: (number | null)[] = []
  const statuses: (number | undefined)[] = []
  let [unanswered, slowest] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    const server = await serve({ dataDir: folder.dataDir, program })
    const until = new AbortController()
    const writing = actUntil({ url: server.url, folder, ledger }, until.signal, { clients: 8 })
    const slow = Array.from({ length: SLOW_UPLOADS }, (_, i) =>
      uploadSlowly(server.url, folder.uploaders[i]),
    )
    const before = ledger.acks.length
    while (ledger.acks.length < before + WARM_ACKS) await sleep(20)
    const stoppedAt = performance.now()
    codes.push(await end(server))
    slowest = Math.max(slowest, performance.now() - stoppedAt)
    until.abort()
    await writing
    unanswered += ledger.broken.splice(0).filter((sentAt) => sentAt < stoppedAt - CLOSING_MS).length
    statuses.push(...(await Promise.all(slow)))
  }
  const { lost, damage } = audit(folder.dataDir, ledger.acks)
  const cut = statuses.filter((status) => status !== 201)
  const ends = codes.filter((code) => code === 0).length
  const figure = [
    `${count(rounds, 'stop')} under load, ${ends} with exit status 0, the slowest in ${(slowest / 1000).toFixed(1)} s`,
    `${count(ledger.acks.length, 'acknowledged write')}, ${lost.length} lost`,
    `${count(unanswered, 'request')} without an answer`,
    `${cut.length} of ${count(statuses.length, 'slow upload')} not finished`,
  ].join('; ')
  const isKept =
    ends === rounds &&
    slowest < LONGEST_STOP_MS &&
    lost.length + damage.length + unanswered + ledger.refused.length === 0 &&
    cut.length === 0
  return { figure, isKept }
}

async function uploadSlowly(url: string, uploader: Uploader | undefined) {
  const { sent, status } = openUpload(url, uploader)
  for (let n = 0; n < PIECES; n++) {
    await sleep(UPLOAD_MS / PIECES)
    sent.write('x'.repeat(10_000))
  }
  sent.end(UPLOAD_END)
  return status
}
