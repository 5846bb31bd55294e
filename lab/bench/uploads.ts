import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { type Finders, openFinders } from '#lab/drills/_finders.ts'
import { openFileStore } from '#storage/files.ts'
import { keepDocument } from '#storage/intake.ts'
import { openPhones } from './phones/phones.ts'
import { BOUNDARY, type UploadTo } from './phones/upload.ts'
import { copyDatabase, readPaths, startDriveQr } from './scan-page.ts'
import { type Running, residentMb } from './support/processes.ts'
import { median, type Row } from './support/report.ts'

const DOCUMENTS = 20
const PHOTOS = 20
/** One account may send two files at a time. */
const UPLOADERS = 10
const FILE_BYTES = 10 * 1024 * 1024
const SCAN_EVERY_MS = 10
const SCANNED_CODES = 1_000
/** Before and after: together 600 scans, so that the slowest percent is not one or two. */
const ALONE_MS = 3_000
/** Taken together: in one flood, the slowest percent of the scans is no more than a dozen. */
const FLOODS = 3
const PHOTO_ROUNDS = 5

export type Uploader = UploadTo & {
  ask(method: string, path: string, body?: object): Promise<Response>
  /** the session cookie */
  cookie: string
}
type Flooded = { server: Running; uploaders: Uploader[]; finders: Finders }
type Flood = { idleMb: number; peakMb: number; meanwhile: number[]; alone: number[] }

/** Simultaneous uploads: their memory, and how they slow down scans. */
export async function benchUploads(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const server = await startDriveQr(copyDatabase(seeded, work, 'uploads'), paths[0] ?? '')
  const finders = openScans(server, paths)
  try {
    const uploaders: Uploader[] = []
    for (let i = 0; i < UPLOADERS; i++) uploaders.push(await openUploader(server, i))
    await scanWhile(finders, sleep(ALONE_MS))
    const run = { server, uploaders, finders }
    const documents = await floods(run, DOCUMENTS, makeForm(makePdf(), 'a.pdf'))
    const photo = await makePhoto()
    const photos = await floods(run, PHOTOS, makeForm(photo, 'a.jpg'))
    return [
      ...toRows(`${DOCUMENTS} uploads of 10 MB at once`, documents, { most: 60, slowest: 3 }),
      ...toRows(`${PHOTOS} photos of 12 megapixels at once`, photos, { slowest: 3 }),
      await benchPhoto(photo, work),
    ]
  } finally {
    await finders.stop()
    await server.stop()
  }
}

/** A new account with a code; outside production the one-time code is in the answer. */
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
  return { url: server.url, ask, token, cookie, qr_id }
}

/** The cookies that an answer sets, as a browser sends them back. */
export function cookieOf({ headers }: Response): string {
  const set = headers.getSetCookie().map((each) => each.split(';')[0])
  return set.join('; ')
}

/** A form prepared before the measurement. */
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

async function floods(run: Flooded, files: number, form: Buffer): Promise<Flood> {
  const all: Flood[] = []
  for (let i = 0; i < FLOODS; i++) all.push(await flood(run, files, form))
  return {
    idleMb: Math.min(...all.map(({ idleMb }) => idleMb)),
    peakMb: Math.max(...all.map(({ peakMb }) => peakMb)),
    meanwhile: all.flatMap(({ meanwhile }) => meanwhile),
    alone: all.flatMap(({ alone }) => alone),
  }
}

/** Compares scans during the work with those before and after it, because machines vary. */
async function flood(
  { server, uploaders, finders }: Flooded,
  files: number,
  form: Buffer,
): Promise<Flood> {
  const senders = Array.from(
    { length: files },
    (_, i) => uploaders[i % uploaders.length] as Uploader,
  )
  const phones = await openPhones(form)
  const before = await scanWhile(finders, sleep(ALONE_MS))
  const idleMb = residentMb(server.process)
  let peakMb = idleMb
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(server.process))
  }, 10)
  const all = phones.send(senders)
  const meanwhile = await scanWhile(finders, all)
  clearInterval(watch)
  await phones.stop()
  for (const [i, { id }] of (await all).entries()) {
    await senders[i]?.ask('DELETE', `/documents/${id}`)
  }
  const after = await scanWhile(finders, sleep(ALONE_MS))
  return { idleMb, peakMb, meanwhile, alone: [...before, ...after] }
}

/** Requests scan pages at a constant rate, before, during and after the work. */
export function openScans(server: Running, paths: string[]): Finders {
  const urls = paths.slice(0, SCANNED_CODES).map((path) => server.url + path)
  return openFinders({ urls, everyMs: SCAN_EVERY_MS })
}

/** The times of the scans until the work ends, in milliseconds. */
export async function scanWhile(finders: Finders, until: Promise<unknown>): Promise<number[]> {
  await finders.take()
  await until
  const { took, failed } = await finders.take()
  if (failed > 0) throw new Error(`${failed} scans failed`)
  return took
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

/** A noisy photo of the size that phones take. */
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
