import { readdirSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { findersUntil, inMs, percentile } from '#lab/drills/_finders.ts'
import { end, makeFolder, serve, type Uploader } from '#lab/drills/_folder.ts'
import { SERVER, withoutGuard } from '#lab/drills/_product.ts'

const TRICKLES = 24
const HONEST_MS = 10_000
const ALL_GONE_MS = 15_000

export const tricklingUploads: Drill = {
  name: 'trickling-uploads',
  promise: `${TRICKLES} slow uploads of one account are refused or ended, and those of all others succeed`,
  trial: (work) => trickle(work, SERVER),
  control: {
    without: 'the limit of two uploads per account, and the minimum speed',
    trial: async (work) => trickle(work, await patient()),
  },
}

const patient = withoutGuard('patient-with-uploads', () => {
  const file = 'storage/upload-pace.ts'
  return [
    { file, text: '>= AT_ONCE_BY_ACCOUNT', instead: '>= 1000' },
    { file, text: 'LONGEST_LAG_MS = 10_000', instead: 'LONGEST_LAG_MS = 1_000_000' },
  ]
})

async function trickle(work: string, program: string): Promise<Outcome> {
  const folder = await makeFolder(work)
  const server = await serve({ dataDir: folder.dataDir, program })
  const [attacker, ...others] = folder.uploaders
  const startedAt = performance.now()
  const trickles = Array.from({ length: TRICKLES }, () => open(server.url, attacker))
  for (const { sent } of trickles) sent.write(START)
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
    `scan pages meanwhile: ${scanned.took.length} of ${scanned.took.length + scanned.failed}, ${inMs(percentile(scanned.took, 0.99))} at 99 %`,
  ].join('; ')
  const isKept = taken > 0 && taken === statuses.length && kept === 0 && scanned.failed === 0
  return { figure, isKept }
}

const START =
  '--b\r\nContent-Disposition: form-data; name="document_type"\r\n\r\ninsurance\r\n' +
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n'
const END = '\n%%EOF\r\n--b--\r\n'

type Open = { sent: ClientRequest; status: Promise<number | undefined> }

function open(url: string, { token, codes }: Uploader = { token: '', codes: [] }, n = 0): Open {
  const path = `${url}/api/documents/upload/${codes[n % codes.length]}`
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'multipart/form-data; boundary=b',
  }
  const sent = request(path, { method: 'POST', headers })
  const status = new Promise<number | undefined>((resolve) => {
    sent.on('response', (answer) => answer.resume().on('end', () => resolve(answer.statusCode)))
    sent.on('error', () => resolve(undefined))
  })
  return { sent, status }
}

/** The answers to small documents, sent one after the other. */
async function uploadUntil(url: string, uploader: Uploader, until: AbortSignal) {
  const statuses: (number | undefined)[] = []
  for (let n = 0; !until.aborted; n++) {
    const { sent, status } = open(url, uploader, n)
    sent.end(START + END)
    const answered = await Promise.race([status, sleep(HONEST_MS).then(() => undefined)])
    statuses.push(answered)
    if (answered === undefined) sent.destroy()
    await sleep(100)
  }
  return statuses
}
