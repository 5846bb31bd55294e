import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as base } from '#tests/e2e/support/test.ts'

/** A server of the user's own, which alerts go to. */
export type Receiver = {
  url: string
  /** the ids of the deliveries that a webhook got */
  ids: string[]
  /** how many requests it got */
  count(): number
  /** sets its answer from now on */
  answer(status: number): void
}

/** Tests whose server may call servers on the same machine, with one of them. */
export const test = base.extend<{ receiver: Receiver }>({
  sharedEnv: { ALLOW_PRIVATE_TARGETS: '1', RATE_LIMITS: 'off', SMTP_URL: 'smtp://127.0.0.1:9' },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from here
  receiver: async ({}, use) => {
    const ids: string[] = []
    let status = 200
    let count = 0
    const server = createServer((request, response) => {
      count++
      const id = request.headers['webhook-id']
      if (typeof id === 'string') ids.push(id)
      request.resume().on('end', () => response.writeHead(status).end())
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const answer = (next: number) => {
      status = next
    }
    await use({ url, ids, count: () => count, answer })
    server.close()
  },
})
