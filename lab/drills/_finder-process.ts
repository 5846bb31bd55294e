/** The program that `_finders.ts` starts. */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Asked, Times } from '#lab/drills/_finders.ts'

const agent = new Agent({ keepAlive: false })
const none = (): Times => ({ took: [], failed: 0, served: {} })
let times = none()
let underWay: Promise<void>[] = []

const [{ urls, everyMs, headers }] = (await once(process, 'message')) as [Asked]
process.on('message', async () => {
  const [told, ends] = [times, underWay]
  times = none()
  underWay = []
  await Promise.all(ends)
  process.send?.(told)
})
for (let i = 0; process.connected; i++) {
  underWay.push(ask(urls[i % urls.length] ?? '', times))
  await sleep(everyMs)
}

/** Each finder has a new connection. */
function ask(url: string, noted: Times): Promise<void> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const fail = () => {
      noted.failed++
      resolve()
    }
    const sent = get(url, { agent, ...(headers && { headers }) }, (answer) => {
      answer.resume().on('error', fail)
      answer.on('end', () => {
        if (answer.statusCode !== 200) return fail()
        noted.took.push(performance.now() - startedAt)
        noted.served[url] = (noted.served[url] ?? 0) + 1
        resolve()
      })
    })
    sent.on('error', fail)
  })
}
