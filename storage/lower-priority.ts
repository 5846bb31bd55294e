import type { ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

const LOWER_PRIORITY = 10
/** Of two threads on one core the one that answers loses some milliseconds each time that the other has its turn. */
const LOWEST_PRIORITY = 19

/** Requests come before a process beside the server. Best effort: some machines do not allow it. */
export function lowerPriority({ pid }: ChildProcess): void {
  if (!pid) return
  lower(pid, LOWER_PRIORITY)
  for (const thread of threadsOf(pid)) lower(thread, LOWER_PRIORITY)
}

/** Linux has a priority for each thread: those that a process has already do not follow its first one. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    // It has ended, or is not on Linux.
    return []
  }
}

/** Requests come before the work of this thread. Elsewhere than on Linux it would be that of the process. */
export function lowerPriorityOfThread(): void {
  if (process.platform === 'linux') lower(0, LOWEST_PRIORITY)
}

function lower(pid: number, priority: number): void {
  try {
    setPriority(pid, priority)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_SYSTEM_ERROR') throw error
  }
}
