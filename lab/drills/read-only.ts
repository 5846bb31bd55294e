import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { act, type Kind, newLedger } from '#lab/drills/_acts.ts'
import { audit } from '#lab/drills/_audit.ts'
import { type Drill, needsRoot, type Outcome } from '#lab/drills/_drill.ts'
import { end, killHard, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withMounted } from '#lab/drills/_mount.ts'
import { countingOrNothing } from '#lab/drills/disk-full.ts'
import { launch } from '#tests/support/server.ts'

const ROUNDS = 10
const PAGES = ['/', '/login', '/dashboard', '/dashboard?tab=documents', '/dashboard?tab=analytics']

export const readOnly: Drill = {
  name: 'read-only',
  promise:
    'On a disk that turns read-only, pages are served, writes are refused, and a start gives the reason',
  programs: { 'mkfs.ext4': 'e2fsprogs' },
  obstacle: needsRoot,
  trial: turnReadOnly,
  without: 'serving the page of a scan that could not be counted',
  guardless: countingOrNothing,
}

async function turnReadOnly(work: string, program: string): Promise<Outcome> {
  const image = join(work, 'image')
  execFileSync('truncate', ['-s', '64M', image])
  execFileSync('mkfs.ext4', ['-q', image])
  const ledger = newLedger()
  const found = await withMounted(work, ['-o', 'loop', image], async (disk) => {
    const folder = await makeFolder(disk)
    const server = await serve({ dataDir: folder.dataDir, program })
    try {
      const target = { url: server.url, folder, ledger }
      const all = async (kinds: Kind[]) => {
        for (const kind of kinds) await act(target, kind)
      }
      await all(['scan', 'edit', 'code', 'upload'])
      const before = ledger.acks.length
      // The kernel does the same when a disk begins to fail.
      execFileSync('mount', ['-o', 'remount,abort', disk])
      for (let i = 0; i < ROUNDS; i++) await all(['scan', 'edit', 'code', 'upload'])
      const since = ledger.acks.splice(before)
      const statuses: number[] = []
      for (const page of PAGES) {
        const answer = await fetch(server.url + page, { headers: { Cookie: folder.cookie } })
        await answer.text()
        statuses.push(answer.status)
      }
      await end(server)
      return { folder, since, statuses }
    } finally {
      if (server.child.exitCode === null) await killHard(server)
    }
  })
  const { since, statuses } = found
  const { dataDir } = found.folder
  const lost = await withMounted(work, ['-o', 'loop', image], async () => {
    const { lost, damage } = audit(dataDir, ledger.acks)
    return lost.length + damage.length
  })
  const refusal = await withMounted(work, ['-o', 'loop,ro', image], async () => {
    const server = await launch({ dataDir, program })
    const { code } = await server.ended
    return { code, said: server.output().trim().split('\n') }
  })
  const scans = since.filter(({ kind }) => kind === 'scan').length
  const read = statuses.filter((status) => status === 200).length
  const figure = [
    `scan pages ${scans} of ${ROUNDS}`,
    `other pages ${read} of ${PAGES.length}`,
    `other writes acknowledged ${since.length - scans} of ${3 * ROUNDS}`,
    `a start ends with ${refusal.code}: “${refusal.said.at(-1)?.replace(dataDir, 'DATA_DIR')}”`,
    `${lost} lost`,
  ].join('; ')
  const isKept =
    scans === ROUNDS &&
    since.length === scans &&
    read === PAGES.length &&
    refusal.code === 3 &&
    refusal.said.length === 1 &&
    lost === 0
  return { figure, isKept }
}
