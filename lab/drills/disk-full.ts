import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { act, type Kind, type Ledger, newLedger } from '#lab/drills/_acts.ts'
import { audit } from '#lab/drills/_audit.ts'
import { count, type Drill, needsRoot, type Outcome } from '#lab/drills/_drill.ts'
import { end, type Folder, killHard, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { withMounted } from '#lab/drills/_mount.ts'
import { openUpload, UPLOAD_END } from '#lab/drills/_uploads.ts'

/** Room for an upload in addition to the 200 MB that uploads leave for the database. */
const DISK = ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs']
const ROUNDS_WHEN_FULL = 40

export const countingOrNothing = withoutGuard('counting-or-nothing', [
  ['routes/_http/scans/scans.ts', "'scan not counted')", "'scan not counted')\n    throw err"],
])

export const diskFull: Drill = {
  name: 'disk-full',
  promise:
    'A full disk refuses what it cannot store, loses nothing, and finders still get the page',
  obstacle: needsRoot,
  trial: (work, program) => withMounted(work, DISK, (disk) => fillDisk(disk, program)),
  without: 'serving the page of a scan that could not be counted',
  guardless: countingOrNothing,
}

async function fillDisk(disk: string, program: string): Promise<Outcome> {
  const folder = await makeFolder(disk)
  const server = await serve({ dataDir: folder.dataDir, program })
  try {
    const ledger = newLedger()
    const target = { url: server.url, folder, ledger }
    const all = async (kinds: Kind[]) => {
      for (const kind of kinds) await act(target, kind)
    }
    await all(['scan', 'edit', 'code', 'upload'])
    const upload = await uploadWhileFilling(server.url, folder, join(disk, 'filler'))
    for (let i = 0; i < ROUNDS_WHEN_FULL; i++) await all(['scan', 'edit', 'code', 'scan'])
    const pages = countAcked(ledger, 'scan')
    const refused = ledger.refused.splice(0)
    const unclear = refused.filter(({ detail }) => !detail.includes('Storage is full'))
    rmSync(join(disk, 'filler'))
    await all(['scan', 'edit', 'code', 'upload'])
    const uncounted = server.output().split('scan not counted').length - 1
    const { lost, damage } = audit(folder.dataDir, ledger.acks)
    const strays = readdirSync(join(folder.dataDir, 'files', 'incoming')).length
    const isClean = (await end(server)) === 0
    const silentlyLost =
      lost.length - Math.min(uncounted, lost.filter(({ kind }) => kind === 'scan').length)
    const figure = [
      `scan pages when full: ${pages} of ${2 * ROUNDS_WHEN_FULL + 1}`,
      `${count(refused.length, 'write')} refused (${unclear.length} without a reason)`,
      `the upload in progress ${upload}`,
      `${silentlyLost} lost, ${damage.length} damaged, ${strays} stray`,
      `after making room ${ledger.refused.length} refused`,
    ].join('; ')
    const isKept =
      pages === 2 * ROUNDS_WHEN_FULL + 1 &&
      refused.length > 0 &&
      unclear.length + silentlyLost + damage.length + strays + ledger.refused.length === 0 &&
      upload === 503 &&
      isClean
    return { figure, isKept }
  } finally {
    if (server.child.exitCode === null) await killHard(server)
  }
}

const countAcked = ({ acks }: Ledger, kind: Kind) => acks.filter((ack) => ack.kind === kind).length

/** Returns the status of an upload that began while there was room for it. */
async function uploadWhileFilling(url: string, folder: Folder, filler: string) {
  const { sent, status } = openUpload(url, folder)
  await sleep(300)
  fill(filler)
  for (let i = 0; i < 50; i++) sent.write(Buffer.alloc(100_000, 'x'))
  sent.end(UPLOAD_END)
  return status
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  for (const size of [1_000_000, 4_096]) {
    const block = Buffer.alloc(size)
    try {
      for (;;) writeSync(file, block)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}
