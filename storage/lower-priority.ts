import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'

const LOWER_PRIORITY = 10

/** Requests come before a process beside the server. Best effort: some machines do not allow it. */
export function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid) setPriority(pid, LOWER_PRIORITY)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_SYSTEM_ERROR') throw error
  }
}
