import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { picture } from '#tests/support/uploads.ts'
import { write } from '../event-streams.ts'
import { upload } from '../phones/upload.ts'
import { copyDatabase, readPaths, startDriveQr } from '../scan-page.ts'
import { residentMb } from '../support/processes.ts'
import type { Row } from '../support/report.ts'
import { makeForm, openUploader, type Uploader } from '../uploads.ts'

const A_SECOND = 50
/** So long the process that draws images stays. */
const LEFT_MS = 65_000
const MOST_MB = 150
/** A machine that is too slow for the pace is not asked for more. */
const MOST_WAITING = 200

type Use = { every: number; act: (n: number) => Promise<unknown> }

/** The memory of a server after minutes of everything that people do, at 50 requests a second. */
export async function benchMixedUse(seeded: string, work: string, minutes: number): Promise<Row[]> {
  const paths = readPaths(seeded)
  const server = await startDriveQr(copyDatabase(seeded, work, 'mixed'), paths[0] ?? '')
  try {
    await openUploader(server, 1)
    const uses = usesOf(await openUploader(server), paths, await makePhotoForm())
    let highestMb = 0
    const watch = setInterval(() => {
      highestMb = Math.max(highestMb, residentMb(server.process))
    }, 1_000)
    const asked = await spend(uses, minutes * 60_000)
    clearInterval(watch)
    await sleep(LEFT_MS)
    const what = `Memory after ${minutes} minutes of mixed use at ${A_SECOND} requests a second`
    const afterMb = residentMb(server.process)
    const pace = `${(asked / minutes / 60).toFixed(0)} a second`
    return [
      row(`${what}, MB resident`, afterMb, pace, { atMost: MOST_MB }),
      row('The most meanwhile, with the process that draws images', highestMb, '–', undefined),
    ]
  } finally {
    await server.stop()
  }
}

/** What is asked for, and each how many ticks, of which there are 50 a second. Half are scans. */
function usesOf(owner: Uploader, paths: string[], photo: Buffer): Use[] {
  const languages = ['en-IN,en', 'hi-IN,hi', 'ta-IN,ta']
  const page = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(owner.url + path, { headers })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return answer.arrayBuffer()
  }
  const own = (path: string) => page(path, { cookie: owner.cookie })
  const call = async (...given: Parameters<Uploader['ask']>) =>
    (await owner.ask(...given)).arrayBuffer()
  const scan = (n: number) =>
    page(paths[(n * 7_919) % paths.length] ?? '', {
      'Accept-Language': languages[n % languages.length] ?? '',
    })
  // Another account: the oldest of many sessions end.
  const account = { contact: 'bench1@example.in', password: 'bench bench' }
  return [
    { every: 2, act: scan },
    { every: 8, act: () => page('/') },
    { every: 8, act: () => own('/dashboard') },
    { every: 12, act: () => call('GET', '/qr/my-qrs') },
    { every: 25, act: () => own('/dashboard?tab=messages') },
    { every: 25, act: () => own('/dashboard?tab=analytics') },
    { every: 25, act: (n) => call('PUT', `/qr/${owner.qr_id}`, { public_message: String(n) }) },
    { every: 50, act: () => call('GET', `/qr/${owner.qr_id}/download?format=png`) },
    { every: 100, act: () => call('GET', `/qr/labels.pdf?ids=${owner.qr_id}`) },
    { every: 100, act: () => call('POST', '/auth/login', account) },
    { every: 150, act: () => write(owner) },
    { every: 500, act: () => sendPhoto(owner, photo) },
  ]
}

async function sendPhoto(owner: Uploader, form: Buffer): Promise<void> {
  const { id } = await upload(owner, form)
  await owner.ask('DELETE', `/documents/${id}`)
}

/** Does what is due at each tick, however long the last takes. Returns how many uses were answered. */
async function spend(uses: Use[], ms: number): Promise<number> {
  const waiting = new Set<Promise<unknown>>()
  let failure: Error | undefined
  let answered = 0
  const begin = ({ act }: Use, n: number) => {
    const asked: Promise<unknown> = act(n)
      .then(() => answered++)
      .catch((error) => {
        failure ??= error
      })
      .finally(() => waiting.delete(asked))
    waiting.add(asked)
  }
  const startedAt = performance.now()
  for (let tick = 0; performance.now() - startedAt < ms; tick++) {
    const early = startedAt + (tick * 1_000) / A_SECOND - performance.now()
    if (early > 0) await sleep(early)
    while (waiting.size > MOST_WAITING) await Promise.race(waiting)
    for (const [i, use] of uses.entries()) if (tick % use.every === i % use.every) begin(use, tick)
    if (failure) throw failure
  }
  await Promise.all(waiting)
  return answered
}

/** Of twelve megapixels, as phones take them. */
async function makePhotoForm(): Promise<Buffer> {
  const photo = await sharp(await picture({ width: 4000, height: 3000, kind: 'jpeg' })).toBuffer()
  return makeForm(photo, 'a.jpg')
}

function row(what: string, mb: number, limit: string, budget: Row['budget']): Row {
  return { what, measured: `${mb.toFixed(0)} MB`, limit, ratio: mb, budget }
}
