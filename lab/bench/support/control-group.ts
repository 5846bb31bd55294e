import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PERIOD_US = 100_000

/** Where control groups of version 2 and of version 1 are mounted. */
const VERSIONS = [
  {
    root: '/sys/fs/cgroup',
    controls: 'cgroup.controllers',
    limit: (us: number) => ({ 'cpu.max': `${us} ${PERIOD_US}` }),
  },
  {
    root: '/sys/fs/cgroup/cpu',
    controls: 'cpu.cfs_quota_us',
    limit: (us: number) => ({
      'cpu.cfs_period_us': String(PERIOD_US),
      'cpu.cfs_quota_us': String(us),
    }),
  },
]

/**
 * Limits a process, with its threads, to a share of a core by a control group. Needs root. Returns a
 * function that removes the group after the process has ended.
 */
export function holdToShare(pid: number, share: number): () => void {
  const version = VERSIONS.find(({ root, controls }) => existsSync(join(root, controls)))
  if (!version) throw new Error('There are no control groups for CPU here')
  const { root, limit } = version
  // Version 2 gives a group only the controllers that its parent enables.
  const subtree = join(root, 'cgroup.subtree_control')
  if (existsSync(subtree)) writeFileSync(subtree, '+cpu')
  const folder = join(root, `driveqr-bench-${pid}`)
  mkdirSync(folder)
  const files = limit(Math.round(share * PERIOD_US))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'cgroup.procs'), String(pid))
  return () => rmdirSync(folder)
}

/** `sysconf(_SC_CLK_TCK)`, which is the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

/** The CPU seconds of a process with its threads and ended children, and of its running children. */
export function cpuSeconds(pid: number): number {
  const own = ticksOf(pid)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const theirs = children.filter(Boolean).map((child) => ticksOf(Number(child)))
  return theirs.reduce((sum, ticks) => sum + ticks, own) / TICKS_PER_SECOND
}

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name before them may contain spaces: user, system, and both of ended children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
}
