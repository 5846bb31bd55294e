import { setTimeout as sleep } from 'node:timers/promises'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { describePages, findersUntil } from '#lab/drills/_finders.ts'
import { end, type Folder, isRunning, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { documentForm, makePdf } from '#lab/drills/_uploads.ts'
import { canLimit, makeGroup } from '#lab/support/control-group.ts'
import { residentMb } from '#lab/support/resident.ts'
import { blackPng } from '#tests/support/uploads.ts'

const LIMIT_MB = 384
const FLOOD_MS = 12_000
const SENDERS = 60
const FILE_BYTES = 10 * 1024 * 1024 - 1000

export const memory: Drill = {
  name: 'memory',
  promise: `A flood of uploads and decompression bombs does not take the server above ${LIMIT_MB} MB, and finders get the page`,
  obstacle: () => (canLimit('memory') ? undefined : 'needs root and memory control groups'),
  trial: flood,
  without: 'streaming uploads to the disk, a few at a time',
  guardless: withoutGuard('holding', [
    ['storage/upload-pace.ts', 'const AT_ONCE = 8', 'const AT_ONCE = 1000'],
    ['storage/upload-pace.ts', 'BYTES_PER_MS = 16_000', 'BYTES_PER_MS = 1e9'],
    [
      'storage/uploads.ts',
      '  for await (const chunk of inTime(body, tooSlow)) {\n',
      '  const held = await Array.fromAsync(body)\n  for (const chunk of held) {\n',
    ],
  ]),
}

async function flood(work: string, program: string): Promise<Outcome> {
  const folder = await makeFolder(work, { uploaders: SENDERS / 2 })
  const group = makeGroup('memory', LIMIT_MB)
  const under = ['sh', '-c', `echo $$ > ${group.procs} && exec "$@"`, 'sh']
  const server = await serve({ dataDir: folder.dataDir, program, under })
  try {
    const until = AbortSignal.timeout(FLOOD_MS)
    const statuses: number[] = []
    let peakMb = 0
    const watch = setInterval(() => {
      peakMb = Math.max(peakMb, residentMb(server.child.pid))
    }, 50)
    const urls = folder.codes.slice(0, 50).map((code) => `${server.url}/scan/${code}`)
    const [scanned] = await Promise.all([
      findersUntil(urls, until, { everyMs: 50 }),
      sendUntil(server.url, folder, until, statuses),
    ])
    clearInterval(watch)
    const isAlive = isRunning(server)
    const taken = statuses.filter((status) => status === 201).length
    const figure = [
      `${count(statuses.length, 'upload')} (${taken} succeeded, the others were refused) in ${FLOOD_MS / 1000} s: at most ${peakMb.toFixed(0)} MB resident`,
      isAlive ? 'alive' : 'killed because memory ran out',
      describePages(scanned),
    ].join('; ')
    const isKept = isAlive && taken > 0 && scanned.failed === 0
    return { figure, isKept }
  } finally {
    if (isRunning(server)) await end(server)
    // The group is empty a moment after its last process has ended.
    await sleep(200)
    group.remove()
  }
}

/** Sends documents of the maximum size, and images of a few KB that decode to 36 megapixels. */
async function sendUntil(
  url: string,
  { uploaders }: Folder,
  until: AbortSignal,
  statuses: number[],
) {
  const forms = [
    await encode(makePdf(FILE_BYTES), 'a.pdf'),
    await encode(blackPng(6_000, 6_000), 'a.png'),
  ]
  let n = 0
  await Promise.all(
    Array.from({ length: SENDERS }, async (_, sender) => {
      const { token, codes } = uploaders[sender % uploaders.length] ?? { token: '', codes: [] }
      while (!until.aborted) {
        const { type, body } = forms[++n % 4 === 0 ? 1 : 0] ?? { type: '', body: '' }
        const path = `${url}/api/documents/upload/${codes[n % codes.length]}`
        const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type }
        const sent = { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) }
        const answer = await fetch(path, sent).catch(() => undefined)
        await answer?.arrayBuffer().catch(() => undefined)
        if (answer) statuses.push(answer.status)
        if (answer?.status !== 201) await sleep(250)
      }
    }),
  )
}

/** Encoded once, because that takes time and finders are timed meanwhile. */
async function encode(file: Buffer, name: string) {
  const encoded = new Response(documentForm(file, name))
  return { type: encoded.headers.get('Content-Type') ?? '', body: await encoded.arrayBuffer() }
}
