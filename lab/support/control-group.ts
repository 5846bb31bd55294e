import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Controller = 'cpu' | 'memory'
type Limit = (value: number) => Record<string, string>

/** The files that limit a controller, in version 2 of control groups. */
const VERSION_2: Record<Controller, Limit> = {
  cpu: (share) => ({ 'cpu.max': `${Math.round(share * 100_000)} 100000` }),
  memory: (mb) => ({ 'memory.max': String(mb * 2 ** 20) }),
}
/** The same of version 1, which some hosts still mount. */
const VERSION_1: Record<Controller, Limit> = {
  cpu: (share) => ({
    'cpu.cfs_period_us': '100000',
    'cpu.cfs_quota_us': String(Math.round(share * 100_000)),
  }),
  memory: (mb) => ({ 'memory.limit_in_bytes': String(mb * 2 ** 20) }),
}
const ROOT = '/sys/fs/cgroup'

/** Tries to make a control group, which needs root and a file system for them. */
export function canLimit(controller: Controller): boolean {
  try {
    makeGroup(controller, 1).remove()
    return true
  } catch {
    return false
  }
}

function findGroups(controller: Controller): { root: string; limit: Limit } | undefined {
  const controllers = join(ROOT, 'cgroup.controllers')
  if (existsSync(controllers)) {
    const isThere = readFileSync(controllers, 'utf8').split(/\s/).includes(controller)
    return isThere ? { root: ROOT, limit: VERSION_2[controller] } : undefined
  }
  const root = join(ROOT, controller)
  return existsSync(root) ? { root, limit: VERSION_1[controller] } : undefined
}

/**
 * Makes a control group with a limit: a share of a core, or MB of memory. A process belongs to it whose id
 * is written to `procs`. The group must be removed after its last process has ended.
 */
export function makeGroup(controller: Controller, value: number) {
  const groups = findGroups(controller)
  if (!groups) throw new Error(`There are no control groups for ${controller} here`)
  const { root, limit } = groups
  // Version 2 gives a group only the controllers that its parent enables.
  const subtree = join(root, 'cgroup.subtree_control')
  if (existsSync(subtree)) writeFileSync(subtree, `+${controller}`)
  const folder = join(root, `driveqr-${crypto.randomUUID()}`)
  mkdirSync(folder)
  for (const [name, text] of Object.entries(limit(value))) writeFileSync(join(folder, name), text)
  return { procs: join(folder, 'cgroup.procs'), remove: () => rmdirSync(folder) }
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
