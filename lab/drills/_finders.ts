import { fork } from 'node:child_process'
import { once } from 'node:events'

/** `served` has how often each page was answered. */
export type Times = { took: number[]; failed: number; served: Record<string, number> }
export type Asked = { urls: string[]; everyMs: number; headers?: Record<string, string> }
export type Finders = {
  /** The times of the pages requested since the last call, when all are answered. */
  take(): Promise<Times>
  stop(): Promise<void>
}

/**
 * Requests pages, one every `everyMs` however long each takes. It runs in a separate process, so
 * that the drill's own work does not change the times.
 */
export function openFinders(asked: Asked): Finders {
  const child = fork(new URL('./_finder-process.ts', import.meta.url))
  const ended = once(child, 'exit')
  const early = ended.then(([code]) => {
    throw new Error(`The finders ended with ${code}`)
  })
  early.catch(() => undefined)
  child.send(asked)
  return {
    async take() {
      const told = once(child, 'message')
      child.send('take')
      const [times] = (await Promise.race([told, early])) as [Times]
      return times
    },
    async stop() {
      child.disconnect()
      await ended
    },
  }
}

/** Requests pages until the signal, and returns their times. */
export async function findersUntil(
  urls: string[],
  until: AbortSignal,
  asked: Omit<Asked, 'urls'>,
): Promise<Times> {
  const finders = openFinders({ urls, ...asked })
  if (!until.aborted) await once(until, 'abort')
  const times = await finders.take()
  await finders.stop()
  return times
}

export function percentile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}

/** Describes how many scan pages were answered and how fast. */
export function describePages({ took, failed }: Times): string {
  const [median, p99] = [percentile(took, 0.5), percentile(took, 0.99)].map(inMs)
  return `scan pages meanwhile: ${took.length} of ${took.length + failed}, ${median} in the median, ${p99} at 99 %`
}

/** NaN means that there was no page. */
export const inMs = (ms: number) => (Number.isNaN(ms) ? 'none' : `${ms.toFixed(0)} ms`)
