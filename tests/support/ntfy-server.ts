import type { IncomingHttpHeaders } from 'node:http'
import { openReceiver } from '#tests/support/receiver.ts'

export const NTFY_TOKEN = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'

/** A message, as ntfy's apps show it. */
type Message = {
  topic: string
  title: string
  message: string
  tags: string[]
  priority: number
  click: string
}

/** The headers that ntfy's documentation names, and those of every HTTP request. */
const KNOWN_HEADERS = [
  'authorization',
  'click',
  'connection',
  'content-length',
  'content-type',
  'host',
  'priority',
  'tags',
  'title',
  'user-agent',
]

/** A server of ntfy for one test, with one topic for everybody and one for the holder of the token. */
export async function openNtfyServer() {
  const messages: Message[] = []
  const headers: IncomingHttpHeaders[] = []
  const receiver = await openReceiver((response, received) => {
    headers.push(received.headers)
    const topic = /^\/([-_A-Za-z0-9]{1,64})$/.exec(received.path)?.[1]
    const unknown = Object.keys(received.headers).filter((name) => !KNOWN_HEADERS.includes(name))
    const isWellMade =
      topic && received.method === 'POST' && unknown.length === 0 && isPublishable(received)
    if (!isWellMade) return response.writeHead(400).end('{"http":400}')
    const isForbidden =
      topic === 'private' && received.headers.authorization !== `Bearer ${NTFY_TOKEN}`
    if (isForbidden) return response.writeHead(403).end('{"http":403,"error":"forbidden"}')
    messages.push(toMessage(topic, received.headers, received.body))
    response.setHeader('Content-Type', 'application/json').end('{"event":"message"}')
  })
  return { url: receiver.url, messages, headers }
}

/** A longer message becomes an attachment. */
function isPublishable({ headers, body }: { headers: IncomingHttpHeaders; body: string }): boolean {
  const ascii = Object.values(headers).every((value) => /^[\x20-\x7e]*$/.test(String(value)))
  const priority = headers.priority ?? '3'
  return ascii && Buffer.byteLength(body) <= 4096 && /^[1-5]$/.test(String(priority))
}

function toMessage(topic: string, headers: IncomingHttpHeaders, message: string): Message {
  return {
    topic,
    title: decoded(String(headers.title)),
    message,
    tags: String(headers.tags).split(','),
    priority: Number(headers.priority ?? 3),
    click: String(headers.click),
  }
}

/** RFC 2047: the space between two encoded words is none of the text. */
function decoded(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=/g, (word, text) => {
      if (word.length > 75) throw new Error(`an encoded word has ${word.length} characters`)
      const bytes = Buffer.from(text, 'base64')
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    })
}
