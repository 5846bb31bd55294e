import { existsSync, readFileSync } from 'node:fs'

/** Returns the resident memory of a process and its children, in MB; 0 when it has ended. */
export function residentMb(pid = 0): number {
  const path = `/proc/${pid}/task/${pid}/children`
  const children = existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ') : []
  return [pid, ...children.filter(Boolean)].reduce((sum: number, each) => sum + ownMb(each), 0)
}

function ownMb(pid: number | string): number {
  const path = `/proc/${pid}/status`
  const status = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024
}
