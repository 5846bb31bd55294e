/** What `../event-streams.ts` starts: pages that stay open, each with its stream. */
import { request } from 'node:http'

/** What the bench tells it: to open streams, or to say how many have had an event. */
export type ToStreams = { open: { url: string; path: string; token: string }[] } | 'count'

type Stream = { hasEvent: () => boolean }

const streams: Stream[] = []

process.on('message', async (message: ToStreams) => {
  if (message !== 'count') streams.push(...(await Promise.all(message.open.map(open))))
  process.send?.(streams.filter(({ hasEvent }) => hasEvent()).length)
})
process.on('disconnect', () => process.exit())

/** A stream once it is open. Its first event is the count; a later one tells of a change. */
function open({ url, path, token }: { url: string; path: string; token: string }): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(path, url)
    const headers = { Authorization: `Bearer ${token}` }
    const asked = request({ hostname, port, path: pathname, headers, agent: false })
    asked.once('error', reject).once('response', (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${response.statusCode}`))
      asked.on('error', () => {})
      let events = 0
      response.on('data', (piece: Buffer) => {
        events += piece.toString().split('data:').length - 1
      })
      resolve({ hasEvent: () => events > 1 })
    })
    asked.end()
  })
}
