import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { describePages, findersUntil } from '#lab/drills/_finders.ts'
import { end, makeFolder, serve, type Uploader } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { openUpload, UPLOAD_END } from '#lab/drills/_uploads.ts'

const TRICKLES = 24
const HONEST_MS = 10_000
const ALL_GONE_MS = 15_000

export const tricklingUploads: Drill = {
  name: 'trickling-uploads',
  promise: `${TRICKLES} slow uploads of one account are refused or ended, and those of all others succeed`,
  trial: trickle,
  without: 'the limit of two uploads per account, and the minimum speed',
  guardless: withoutGuard('patient-with-uploads', [
    ['storage/upload-pace.ts', '>= AT_ONCE_BY_ACCOUNT', '>= 1000'],
    ['storage/upload-pace.ts', 'LONGEST_LAG_MS = 10_000', 'LONGEST_LAG_MS = 1_000_000'],
  ]),
}

async function trickle(work: string, program: string): Promise<Outcome> {
  const folder = await makeFolder(work)
  const server = await serve({ dataDir: folder.dataDir, program })
  const [attacker, ...others] = folder.uploaders
  const startedAt = performance.now()
  const trickles = Array.from({ length: TRICKLES }, () => openUpload(server.url, attacker))
  const dripping = setInterval(() => {
    for (const { sent } of trickles) sent.write('x')
  }, 500)
  await sleep(500)

  const until = AbortSignal.timeout(HONEST_MS)
  const urls = folder.codes.map((code) => `${server.url}/scan/${code}`)
  const finding = findersUntil(urls, until, { everyMs: 20 })
  const sending = Promise.all(others.map((other) => uploadUntil(server.url, other, until)))
  const [scanned, statuses] = await Promise.all([finding, sending.then((each) => each.flat())])
  const left = () => readdirSync(join(folder.dataDir, 'files', 'incoming')).length
  while (left() > 0 && performance.now() - startedAt < ALL_GONE_MS) await sleep(100)
  const [kept, seconds] = [left(), (performance.now() - startedAt) / 1000]
  clearInterval(dripping)
  for (const { sent } of trickles) sent.destroy()
  await end(server)

  const taken = statuses.filter((status) => status === 201).length
  const figure = [
    `${taken} of ${count(statuses.length, 'upload')} of ${others.length} other accounts succeeded`,
    `${kept} of ${TRICKLES} slow ones left after ${seconds.toFixed(0)} s`,
    describePages(scanned),
  ].join('; ')
  const isKept = taken > 0 && taken === statuses.length && kept === 0 && scanned.failed === 0
  return { figure, isKept }
}

/** Sends small documents one after the other, and returns the statuses. */
async function uploadUntil(url: string, uploader: Uploader, until: AbortSignal) {
  const statuses: (number | undefined)[] = []
  for (let n = 0; !until.aborted; n++) {
    const { sent, status } = openUpload(url, uploader, n)
    sent.end(UPLOAD_END)
    const answered = await Promise.race([status, sleep(HONEST_MS).then(() => undefined)])
    statuses.push(answered)
    if (answered === undefined) sent.destroy()
    await sleep(100)
  }
  return statuses
}
