import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { type Family, single } from '#domain/metrics/exposition.ts'

/** A timer of the runtime looks so often. The process is woken for it, so it is not done oftener. */
const RESOLUTION_MS = 20

/** Begins with the first scrape: a server that nobody scrapes pays nothing for it. */
let delays: ReturnType<typeof monitorEventLoopDelay> | undefined

/** Returns memory, CPU and event loop under the usual names of Node programs. */
export function processFamilies(startedAt: Date): Family[] {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed, heapTotal, external } = process.memoryUsage()
  const cpu = 'CPU time of the process, of all its threads.'
  return [
    single('process_cpu_user_seconds_total', 'counter', `${cpu} Outside the kernel.`, user / 1e6),
    single('process_cpu_system_seconds_total', 'counter', `${cpu} In the kernel.`, system / 1e6),
    single('process_cpu_seconds_total', 'counter', cpu, (user + system) / 1e6),
    single('process_resident_memory_bytes', 'gauge', 'Resident memory.', rss),
    single(
      'process_start_time_seconds',
      'gauge',
      'When the process started, in seconds since 1970.',
      startedAt.getTime() / 1000,
    ),
    single('nodejs_heap_size_used_bytes', 'gauge', 'What JavaScript holds.', heapUsed),
    single('nodejs_heap_size_total_bytes', 'gauge', 'The heap of JavaScript.', heapTotal),
    single('nodejs_external_memory_bytes', 'gauge', 'Memory outside of that heap.', external),
    single(
      'nodejs_eventloop_active_seconds_total',
      'counter',
      'Time in which the event loop worked. Its rate is the share of its thread.',
      performance.eventLoopUtilization().active / 1000,
    ),
    ...delayFamilies(),
  ]
}

function delayFamilies(): Family[] {
  if (!delays) {
    delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    delays.enable()
    return []
  }
  const since = 'since the scrape before, in seconds'
  const families = [
    lag('p50', `Median delay of the event loop ${since}.`, delays.percentile(50)),
    lag('p99', `99th percentile of the delay of the event loop ${since}.`, delays.percentile(99)),
    lag('max', `Longest delay of the event loop ${since}.`, delays.max),
  ]
  delays.reset()
  return families
}

/** The runtime measures from one look to the next, so the time between them is in each value. */
function lag(which: string, help: string, nanoseconds: number): Family {
  const seconds = Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000)
  return single(`nodejs_eventloop_lag_${which}_seconds`, 'gauge', help, seconds)
}
