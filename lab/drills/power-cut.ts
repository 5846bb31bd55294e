import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { actUntil, newLedger } from '#lab/drills/_acts.ts'
import { audit } from '#lab/drills/_audit.ts'
import { openDisk } from '#lab/drills/_disk.ts'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { end, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { readSyscalls, type Syscall, traced } from '#lab/drills/_syscalls.ts'
import { openFileStore } from '#storage/files.ts'

const IMAGES = 300
const CONTROL_IMAGES = 100
const WRITING_MS = 6_000

export const powerCut: Drill = {
  name: 'power-cut',
  promise: 'Acknowledged writes survive a power cut',
  programs: { strace: 'strace' },
  trial: (work, program) => cutPower(work, program, IMAGES),
  without: '`synchronous=FULL` and the flush of scans, with the driver’s default `NORMAL`',
  control: (work, program) => cutPower(work, program, CONTROL_IMAGES),
  guardless: withoutGuard('syncing-less', [
    ['db/sqlite/sqlite.ts', "'synchronous = FULL'", "'synchronous = NORMAL'"],
    ['db/sqlite/scan-path.ts', 'await log.flush()', 'await undefined'],
  ]),
}

/**
 * Records the system calls of a server, then makes images of the disk as power cuts could have left
 * it: everything that was synced, and random sectors of the rest.
 */
async function cutPower(work: string, program: string, images: number): Promise<Outcome> {
  const folder = await makeFolder(work)
  openFileStore(folder.dataDir)
  const disk = openDisk(folder.dataDir)
  const log = join(work, 'syscalls')
  const server = await serve({ dataDir: folder.dataDir, program, under: traced(log) })
  const ledger = newLedger()
  const until = AbortSignal.timeout(WRITING_MS)
  await actUntil({ url: server.url, folder, ledger }, until)
  await end(server)
  const calls = await readSyscalls(log)
  const found = { cuts: 0, lossy: 0, damaged: 0 }
  const cuts = chooseCuts(calls, images)
  const answered = new Set<string>()
  for (const [at, call] of calls.entries()) {
    disk.apply(call, at)
    if (call.call === 'answer') answered.add(call.requestId)
    for (; cuts[found.cuts] === at; found.cuts++) {
      const image = join(work, 'image')
      disk.writeImage(image, Math.random())
      const acks = ledger.acks.filter(({ requestId }) => answered.has(requestId))
      const { lost, damage } = audit(image, acks)
      if (lost.length > 0) found.lossy++
      if (damage.length > 0) found.damaged++
      rmSync(image, { recursive: true })
    }
  }
  disk.assertFaithful()
  const syncs = calls.filter(({ call }) => call === 'sync').length
  const seen = ledger.acks.filter(({ requestId }) => answered.has(requestId)).length
  if (seen < ledger.acks.length)
    throw new Error(`${ledger.acks.length - seen} answers are not in the log`)
  const figure = `${count(found.cuts, 'image')} from ${count(ledger.acks.length, 'acknowledged write')} and ${count(syncs, 'sync')}: ${found.lossy} with a loss, ${found.damaged} damaged`
  return { figure, isKept: found.lossy + found.damaged === 0 }
}

/**
 * Half of the cuts come right after an answer, when everything that it acknowledged must be safe.
 */
function chooseCuts(calls: Syscall[], images: number): number[] {
  const answers = calls.flatMap(({ call }, at) => (call === 'answer' ? [at] : []))
  const first = answers[0] ?? 0
  return Array.from({ length: images }, (_, i) =>
    i % 2
      ? (answers[Math.floor(Math.random() * answers.length)] ?? first)
      : first + Math.floor(Math.random() * (calls.length - first)),
  ).sort((a, b) => a - b)
}
