import { copyFileSync } from 'node:fs'
import { Agent, get, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { openFileStore } from '#storage/files.ts'
import { keepDocument } from '#storage/intake.ts'
import { type Running, residentMb } from './processes.ts'
import { median, type Row } from './report.ts'
import { copyDatabase, readPaths, startDriveQr } from './scan-page.ts'

const DOCUMENTS = 20
const PHOTOS = 20
/** One account sends two files at a time. */
const UPLOADERS = 10
const FILE_BYTES = 10 * 1024 * 1024
const SCAN_EVERY_MS = 5
const ALONE_MS = 1_000
const PHOTO_ROUNDS = 5

const BOUNDARY = 'driveqr-bench'

export type Uploader = {
  server: Running
  ask(method: string, path: string, body?: object): Promise<Response>
  token: string
  /** what pages go by */
  cookie: string
  qr_id: string
}
type Stored = { id: string; file_url: string }
type Flood = { idleMb: number; peakMb: number; meanwhile: number[]; alone: number[] }

/** Uploads that come all at once: what they cost in memory, and what finders notice of them. */
export async function benchUploads(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const server = await startDriveQr(copyDatabase(seeded, work, 'uploads'), paths[0] ?? '')
  try {
    const uploaders: Uploader[] = []
    for (let i = 0; i < UPLOADERS; i++) uploaders.push(await openUploader(server, i))
    await scanWhile(server, paths, sleep(ALONE_MS))
    const documents = await flood(uploaders, paths, DOCUMENTS, makeForm(makePdf(), 'a.pdf'))
    const photo = await makePhoto()
    const photos = await flood(uploaders, paths, PHOTOS, makeForm(photo, 'a.jpg'))
    return [
      ...toRows(`${DOCUMENTS} uploads of 10 MB at once`, documents, { most: 60, slowest: 3 }),
      ...toRows(`${PHOTOS} photos of 12 megapixels at once`, photos, { slowest: 3 }),
      await benchPhoto(photo, work),
    ]
  } finally {
    await server.stop()
  }
}

/** Somebody with an account and a code; out of production the one-time code is in the answer. */
export async function openUploader(server: Running, n = 0): Promise<Uploader> {
  let token = ''
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (answer.ok) return answer
    throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
  const read = async (answer: Promise<Response>) =>
    (await (await answer).json()) as Record<string, string>
  const email = `bench${n}@example.in`
  const { test_otp: otp } = await read(ask('POST', '/auth/send-otp', { email }))
  const person = { email, name: 'Bench', password: 'bench bench', otp }
  const registered = ask('POST', '/auth/verify-otp', person)
  token = (await read(registered)).session_id ?? ''
  const cookie = cookieOf(await registered)
  const code = { owner_name: 'Bench', contact_phone: '9876543210' }
  const { qr_id = '' } = await read(ask('POST', '/qr/create', code))
  return { server, ask, token, cookie, qr_id }
}

/** What an answer makes a browser keep, as it sends it back. */
export function cookieOf({ headers }: Response): string {
  const set = headers.getSetCookie().map((each) => each.split(';')[0])
  return set.join('; ')
}

/** A form that is ready to be sent, so that its making is not measured. */
export function makeForm(file: Buffer, name: string): Buffer {
  const fields = { document_type: 'insurance', is_public: 'true' }
  const parts = Object.entries(fields).map(([field, value]) => `${partOf(field)}\r\n${value}\r\n`)
  const before = `${parts.join('')}${partOf('file')}; filename="${name}"\r\n\r\n`
  return Buffer.concat([Buffer.from(before), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
}

function partOf(field: string): string {
  const end = field === 'file' ? '' : '\r\n'
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"${end}`
}

export function upload({ server, token, qr_id }: Uploader, form: Buffer): Promise<Stored> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
    'Content-Length': form.length,
  }
  const url = `${server.url}/api/documents/upload/${qr_id}`
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, async (answer) => {
      const body = await text(answer)
      if (answer.statusCode === 201) resolve(JSON.parse(body))
      else reject(new Error(`An upload was answered ${answer.statusCode}: ${body}`))
    })
    sent.on('error', reject).end(form)
  })
}

/** The scans of before and after are the measure for those meanwhile: machines have moods. */
async function flood(
  uploaders: Uploader[],
  paths: string[],
  files: number,
  form: Buffer,
): Promise<Flood> {
  const uploaderOf = (i: number) => uploaders[i % uploaders.length] as Uploader
  const { server } = uploaderOf(0)
  const before = await scanWhile(server, paths, sleep(ALONE_MS))
  const idleMb = residentMb(server.process)
  let peakMb = idleMb
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(server.process))
  }, 10)
  const all = Promise.all(Array.from({ length: files }, (_, i) => upload(uploaderOf(i), form)))
  const meanwhile = await scanWhile(server, paths, all)
  clearInterval(watch)
  for (const [i, { id }] of (await all).entries()) {
    await uploaderOf(i).ask('DELETE', `/documents/${id}`)
  }
  const after = await scanWhile(server, paths, sleep(ALONE_MS))
  return { idleMb, peakMb, meanwhile, alone: [...before, ...after] }
}

/** How long each of the scans took, in milliseconds, that were asked for until then, one by one. */
export async function scanWhile(server: Running, paths: string[], until: Promise<unknown>) {
  const took: number[] = []
  let isOver = false
  const over = until.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const startedAt = performance.now()
    await scan(server.url + paths[took.length % paths.length])
    took.push(performance.now() - startedAt)
    await sleep(SCAN_EVERY_MS)
  }
  await over
  return took
}

const keepAlive = new Agent({ keepAlive: true })

function scan(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { agent: keepAlive }, (answer) => {
      answer.resume().on('end', resolve)
    })
    asked.on('error', reject)
  })
}

function toRows(
  what: string,
  { idleMb, peakMb, meanwhile, alone }: Flood,
  budget: { most?: number; slowest: number },
): Row[] {
  const [p99, limit] = [percentile99(meanwhile), percentile99(alone)]
  return [
    {
      what: `${what}: memory above idle, MB`,
      measured: `${peakMb.toFixed(0)} MB`,
      limit: `${idleMb.toFixed(0)} MB idle`,
      ratio: peakMb - idleMb,
      budget: budget.most === undefined ? undefined : { atMost: budget.most },
    },
    {
      what: `${what}: scan p99 ÷ alone`,
      measured: `${p99.toFixed(1)} ms`,
      limit: `${limit.toFixed(1)} ms`,
      ratio: p99 / limit,
      budget: { atMost: budget.slowest },
    },
  ]
}

/** From the received file to the stored form, its thumbnail and both on the disk. */
async function benchPhoto(photo: Buffer, work: string): Promise<Row> {
  const files = openFileStore(join(work, 'photos'))
  const original = join(work, 'photo.jpg')
  await sharp(photo).keepMetadata().toFile(original)
  const ours: number[] = []
  const alone: number[] = []
  for (let round = 0; round <= PHOTO_ROUNDS; round++) {
    const path = files.newTemporary()
    copyFileSync(original, path)
    ours.push(await timed(() => keepDocument(files, { path, file_name: 'a.jpg', fields: {} })))
    alone.push(await timed(() => drawAlone(original, work)))
  }
  const [measured, limit] = [median(ours.slice(1)), median(alone.slice(1))]
  return {
    what: 'Photo 4000×3000 to stored form and thumbnail ÷ sharp alone',
    measured: `${measured.toFixed(0)} ms`,
    limit: `${limit.toFixed(0)} ms`,
    ratio: measured / limit,
    budget: { atMost: 1.5 },
  }
}

async function drawAlone(original: string, work: string): Promise<void> {
  const coding = { optimizeCoding: false }
  const stored = join(work, 'alone.jpg')
  await sharp(original)
    .rotate()
    .jpeg({ ...coding, quality: 85 })
    .toFile(stored)
  await sharp(stored)
    .resize(400, 400, { fit: 'inside' })
    .jpeg({ ...coding, quality: 75 })
    .toFile(join(work, 'alone-small.jpg'))
}

export function makePdf(): Buffer {
  const bytes = Buffer.alloc(FILE_BYTES, 'x')
  bytes.write('%PDF-1.7\n')
  bytes.write('\n%%EOF', FILE_BYTES - 6)
  return bytes
}

/** Grain, as a camera makes it, at a size that phones take. */
async function makePhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 50 } as const
  const canvas = { width: 1000, height: 750, channels: 3, background: '#888', noise } as const
  const grain = await sharp({ create: canvas }).png().toBuffer()
  return sharp(grain).resize(4000, 3000).jpeg({ quality: 90 }).toBuffer()
}

export function percentile99(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
