import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100

/** Waits for the end of the check of the database, a process that a server starts and that lives for some seconds. */
export async function childrenEnded(pid = 0): Promise<void> {
  while (childrenOf(pid).length > 0) await sleep(POLL_MS)
}

/** Returns the resident memory of a process and its children, in MB; 0 when it has ended. */
export function residentMb(pid = 0): number {
  return [pid, ...childrenOf(pid)].reduce((sum: number, each) => sum + ownMb(each), 0)
}

function childrenOf(pid: number): string[] {
  const path = `/proc/${pid}/task/${pid}/children`
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split(' ').filter(Boolean) : []
}

function ownMb(pid: number | string): number {
  const path = `/proc/${pid}/status`
  const status = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return Number(status.match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024
}
