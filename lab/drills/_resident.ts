import { existsSync, readFileSync } from 'node:fs'

/** The current resident memory of a process; 0 when it has ended. */
export function residentMb(pid = 0): number {
  const path = `/proc/${pid}/status`
  const status = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024
}
