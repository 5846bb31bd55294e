import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { type Finders, openFinders, percentile } from '#lab/drills/_finders.ts'
import { openFileStore } from '#storage/files.ts'
import { keepDocument } from '#storage/intake.ts'
import { BOUNDARY, openPhones } from './phones/phones.ts'
import { type Account, copyData, readPaths, register, startUnlimited } from './sample.ts'
import { type Running, watchMemory } from './support/processes.ts'
import { median, type Row, timed, toRatio, toRow } from './support/report.ts'

const FILES = 20
/** One account may send two files at a time. */
const UPLOADERS = 10
const FILE_BYTES = 10 * 1024 * 1024
const SCAN_EVERY_MS = 10
const SCANNED_CODES = 1_000
/** Scans run this long before and after a flood: 600 scans, so that the slowest percent has several. */
const ALONE_MS = 3_000
/** One flood has too few scans for a 99th percentile. */
const FLOODS = 3
const PHOTO_ROUNDS = 5

type Flooded = { server: Running; uploaders: Account[]; finders: Finders }

/** Measures the memory of simultaneous uploads, and the times of scans during them. */
export async function benchUploads(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded).plain
  const server = await startUnlimited(copyData(seeded, work, 'uploads'), paths[0] ?? '')
  const urls = paths.slice(0, SCANNED_CODES).map((path) => server.url + path)
  const finders = openFinders({ urls, everyMs: SCAN_EVERY_MS })
  try {
    const uploaders: Account[] = []
    for (let i = 0; i < UPLOADERS; i++) uploaders.push(await register(server, i))
    await scanWhile(finders, sleep(ALONE_MS))
    const run = { server, uploaders, finders }
    const photo = await makePhoto()
    return [
      ...(await benchFloods(run, '20 uploads of 10 MB at once', makeForm(makePdf(), 'a.pdf'), 60)),
      ...(await benchFloods(
        run,
        '20 photos of 12 megapixels at once',
        makeForm(photo, 'a.jpg'),
        160,
      )),
      await benchPhoto(photo, work),
    ]
  } finally {
    await finders.stop()
    await server.stop()
  }
}

async function benchFloods(run: Flooded, what: string, form: Buffer, mostMb: number) {
  const growth: number[] = []
  const [meanwhile, alone]: [number[], number[]] = [[], []]
  for (let i = 0; i < FLOODS; i++) {
    const flooded = await flood(run, form)
    growth.push(flooded.growthMb)
    meanwhile.push(...flooded.meanwhile)
    alone.push(...flooded.alone)
  }
  return [
    toRow(`${what}: memory above idle`, Math.max(...growth), 'MB', { atMost: mostMb }),
    toRatio(`${what}: scan p99 ÷ alone`, percentile(meanwhile, 0.99), percentile(alone, 0.99), {
      atMost: 4,
    }),
  ]
}

/** Compares scans during the uploads with those before and after them, because machines vary. */
async function flood({ server, uploaders, finders }: Flooded, form: Buffer) {
  const senders = Array.from(
    { length: FILES },
    (_, i) => uploaders[i % uploaders.length] as Account,
  )
  const phones = await openPhones(form)
  const before = await scanWhile(finders, sleep(ALONE_MS))
  const memory = watchMemory(server.process)
  const all = phones.send(senders)
  const meanwhile = await scanWhile(finders, all)
  const { idleMb, peakMb } = memory.stop()
  await phones.stop()
  for (const [i, { id }] of (await all).entries()) {
    await senders[i]?.ask('DELETE', `/documents/${id}`)
  }
  const after = await scanWhile(finders, sleep(ALONE_MS))
  return { growthMb: peakMb - idleMb, meanwhile, alone: [...before, ...after] }
}

/** Returns the times of the scans until the work ends, in milliseconds. */
async function scanWhile(finders: Finders, until: Promise<unknown>): Promise<number[]> {
  await finders.take()
  await until
  const { took, failed } = await finders.take()
  if (failed > 0) throw new Error(`${failed} scans failed`)
  return took
}

/** Compares the time for storing a photo and its thumbnail with the time of sharp alone. */
async function benchPhoto(photo: Buffer, work: string): Promise<Row> {
  const files = openFileStore(join(work, 'photos'))
  const original = join(work, 'photo.jpg')
  await sharp(photo).keepMetadata().toFile(original)
  const [ours, alone]: [number[], number[]] = [[], []]
  for (let round = 0; round <= PHOTO_ROUNDS; round++) {
    const path = files.newTemporary()
    copyFileSync(original, path)
    ours.push(await timed(() => keepDocument(files, { path, file_name: 'a.jpg', fields: {} })))
    alone.push(await timed(() => drawAlone(original, work)))
  }
  return toRatio(
    'Photo 4000×3000 to stored form and thumbnail ÷ sharp alone',
    median(ours.slice(1)),
    median(alone.slice(1)),
    { atMost: 1.5 },
  )
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

function makeForm(file: Buffer, name: string): Buffer {
  const part = (field: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"`
  const before =
    `${part('document_type')}\r\n\r\ninsurance\r\n${part('is_public')}\r\n\r\ntrue\r\n` +
    `${part('file')}; filename="${name}"\r\n\r\n`
  return Buffer.concat([Buffer.from(before), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
}

function makePdf(): Buffer {
  const bytes = Buffer.alloc(FILE_BYTES, 'x')
  bytes.write('%PDF-1.7\n')
  bytes.write('\n%%EOF', FILE_BYTES - 6)
  return bytes
}

/** Makes a noisy photo of the size that phones take. */
async function makePhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 50 } as const
  const canvas = { width: 1000, height: 750, channels: 3, background: '#888', noise } as const
  const grain = await sharp({ create: canvas }).png().toBuffer()
  return sharp(grain).resize(4000, 3000).jpeg({ quality: 90 }).toBuffer()
}
