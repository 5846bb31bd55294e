import type { ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'

const LOWER_PRIORITY = 10
/** On one core the thread that answers would lose some milliseconds at each turn of the other one. */
const LOWEST_PRIORITY = 19

/** Lowers the priority of a process beside the server, where the machine allows it. */
export function lowerPriority({ pid }: ChildProcess): void {
  if (!pid) return
  lower(pid, LOWER_PRIORITY)
  for (const thread of threadsOf(pid)) lower(thread, LOWER_PRIORITY)
}

/** Returns the threads that a process has already. Linux has a priority for each one. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number)
  } catch {
    // It has ended, or is not on Linux.
    return []
  }
}

/** Lowers the priority of this thread. On other systems than Linux it would be that of the process. */
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
