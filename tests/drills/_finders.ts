import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type Times = { took: number[]; failed: number }

/** Asks for pages one after the other, `everyMs` apart however long each takes, until told to stop. */
export async function findersUntil(
  urls: string[],
  until: AbortSignal,
  { everyMs, headers = {} }: { everyMs: number; headers?: Record<string, string> },
): Promise<Times> {
  const times: Times = { took: [], failed: 0 }
  const agent = new Agent({ keepAlive: false })
  const asked: Promise<void>[] = []
  for (let i = 0; !until.aborted; i++) {
    asked.push(ask(urls[i % urls.length] ?? '', agent, headers, times))
    await sleep(everyMs)
  }
  await Promise.all(asked)
  return times
}

/** A finder comes with a connection of their own. */
function ask(url: string, agent: Agent, headers: Record<string, string>, times: Times) {
  const startedAt = performance.now()
  return new Promise<void>((resolve) => {
    const fail = () => {
      times.failed++
      resolve()
    }
    const sent = get(url, { agent, headers }, (answer) => {
      answer.resume().on('error', fail)
      answer.on('end', () => {
        if (answer.statusCode !== 200) return fail()
        times.took.push(performance.now() - startedAt)
        resolve()
      })
    })
    sent.on('error', fail)
  })
}

export function percentile(values: number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN
}

export const inMs = (ms: number) => `${ms.toFixed(0)} ms`
