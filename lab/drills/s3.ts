import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ledger } from '#lab/drills/_acts.ts'
import { count, type Drill } from '#lab/drills/_drill.ts'
import { describePages } from '#lab/drills/_finders.ts'
import type { Folder } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { assessLoad, startLoad, withProxiedServers } from '#lab/drills/_servers.ts'
import { type Fault, startS3Server, type Trouble } from '#tests/support/s3-server.ts'
import { CREDENTIALS } from '#tests/support/storage.ts'

const PREFIX = 'drill'
const PHASE_MS = 6_000
const LONGEST_BACK_MS = 10_000
const UNAVAILABLE = 503
const PASSING: Fault[] = ['busy', 'cut', 'slow', 'cut within the answer']
const LASTING: Fault[] = ['busy', 'very slow', 'cut']

export const s3: Drill = {
  name: 's3',
  promise:
    'While S3 answers 503, late or not at all, no acknowledged file is lost, what cannot be stored is refused with 503, and finders get the page, from Caddy too, although no server is ready; a fault at each first request refuses nothing',
  programs: { caddy: 'caddy' },
  trial: async (work, program) => {
    const { figure, ...wrong } = await disturb(work, program)
    return { figure, isKept: Object.values(wrong).every((each) => each === 0) }
  },
  without: 'storing a file before its row, and in a second run trying again',
  control: async (work) => {
    const late = await disturb(work, await storingLate())
    const once = await disturb(work, await tryingOnce())
    // Each of the two missing guards must show.
    const isKept = Math.min(late.losses, once.early) === 0
    return { figure: `${late.figure}. In the second run ${once.figure}`, isKept }
  },
}

const storingLate = withoutGuard('storing-late', [
  [
    'storage/files.ts',
    'await shelf.put(named)',
    'shelf.put(named).catch(() => undefined)\n      await shelf.probe()',
  ],
])

const tryingOnce = withoutGuard('trying-once', [
  ['storage/s3-objects.ts', 'const MOST_TRIES = 4', 'const MOST_TRIES = 1'],
])

async function disturb(work: string, program: string) {
  const bucket = await startS3Server()
  try {
    const env = { STORAGE_URL: bucket.urlOf(PREFIX), ...CREDENTIALS }
    return await withProxiedServers(work, { program, env }, async (servers) => {
      const { url } = servers
      const urls = servers.running.map((each) => each.url)
      const load = await startLoad(servers.folder, [url])
      const over = new AbortController()
      const reading = readUntil(url, servers.folder, load.ledgers, over.signal)
      const countRefused = () =>
        load.ledgers.reduce((sum, { refused }) => sum + refused.length, load.talk.refused.length)
      bucket.cause(atFirst())
      await sleep(PHASE_MS)
      const early = countRefused()
      const ready: number[] = []
      for (const fault of LASTING) {
        bucket.cause(() => fault)
        await sleep(PHASE_MS)
        ready.push(...(await Promise.all(urls.map(askReady))))
      }
      bucket.cause(() => undefined)
      const backMs = await untilUploaded(load)
      ready.push(...(await Promise.all(urls.map(askReady))))
      const times = await load.stop()
      over.abort()
      const read = await reading
      const contentOf = (name: string) => bucket.objects.get(`${PREFIX}/${name}`)?.body
      const checked = await assessLoad(servers, load, times, [UNAVAILABLE], contentOf)
      const expected = [503, 503, 200, 200, 503, 503, 200, 200]
      const wrongReady = ready.filter((status, i) => status !== expected[i]).length
      const figure = [
        checked.figure,
        `${early} refused while each first request failed`,
        `${count(read.whole, 'file')} read, ${read.broken} broken, ${read.refused} refused`,
        `uploads again after ${(backMs / 1000).toFixed(1)} s`,
        `/readyz wrong ${wrongReady} times`,
        describePages(times),
      ].join('; ')
      const { losses, others, refusedScans } = checked
      const late = backMs > LONGEST_BACK_MS ? 1 : 0
      const failed = times.failed + refusedScans
      return { figure, losses, others, early, failed, broken: read.broken, late, wrongReady }
    })
  } finally {
    bucket.stop()
  }
}

/** Each request of a kind for a name fails once. */
function atFirst(): Trouble {
  const seen = new Set<string>()
  return ({ method, key }) => {
    const request = `${method} ${key}`
    if (seen.has(request)) return undefined
    seen.add(request)
    return PASSING[seen.size % PASSING.length]
  }
}

const askReady = async (url: string) => (await fetch(`${url}/readyz`)).status

async function untilUploaded({ sinceNow }: Awaited<ReturnType<typeof startLoad>>): Promise<number> {
  const [startedAt, since] = [performance.now(), sinceNow()]
  for (;;) {
    const tookMs = performance.now() - startedAt
    if (since().every((kinds) => kinds.has('upload')) || tookMs > LONGEST_BACK_MS) return tookMs
    await sleep(20)
  }
}

/** Downloads the newest files again and again. */
async function readUntil(url: string, { token }: Folder, ledgers: Ledger[], until: AbortSignal) {
  const read = { whole: 0, broken: 0, refused: 0 }
  while (!until.aborted) {
    await sleep(50)
    const newest = ledgers.map(({ acks }) => acks.findLast(({ kind }) => kind === 'upload'))
    for (const ack of newest) {
      if (ack?.kind !== 'upload') continue
      const headers = { Authorization: `Bearer ${token}` }
      const answer = await fetch(new URL(ack.file_url, url), { headers })
      const body = await answer.arrayBuffer().catch(() => undefined)
      if (answer.status === UNAVAILABLE || !body) read.refused++
      else if (hashOf(body) === ack.sha256) read.whole++
      else read.broken++
    }
  }
  return read
}

function hashOf(body: ArrayBuffer): string {
  return createHash('sha256').update(new Uint8Array(body)).digest('hex')
}
