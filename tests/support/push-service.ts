import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { PushPayload } from '#domain/alerts/push.ts'
import { LOOPBACK_CERTIFICATE } from '#tests/support/certificate.ts'
import { type Browser, checkVapid, decrypt, keysOf, newBrowser } from '#tests/support/web-push.ts'

export type Push = {
  payload: PushPayload
  ttl: number
  urgency: string
  topic: string | undefined
  contact: string
}

/** An answer that refuses a push. */
export type Mood = { status?: number; headers?: Record<string, string> }

const URGENCIES = ['very-low', 'low', 'normal', 'high']

/**
 * Starts a push service on loopback with the certificate `LOOPBACK_CERTIFICATE`, and the browsers that it
 * serves. It accepts only requests that the RFCs allow and that a browser could read; it answers
 * others by 400 and a note in `refused`.
 */
export async function startPushService() {
  const browsers = new Map<string, { browser: Browser; publicKey: string; pushes: Push[] }>()
  const refused: string[] = []
  let mood: Mood = {}

  const listener: RequestListener = async (request, response) => {
    const { status, headers } = await answer(request)
    response.writeHead(status, headers).end()
  }
  const server = createServer(LOOPBACK_CERTIFICATE, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage): Promise<{ status: number } & Mood> {
    const body = await buffer(request)
    const found = browsers.get(request.url ?? '')
    if (!found) return { status: 404 }
    try {
      const push = read(request, body, found)
      if (mood.status) return { status: mood.status, headers: mood.headers }
      // It keeps one of a topic (RFC 8030, 5.4).
      const others = found.pushes.filter(({ topic }) => !topic || topic !== push.topic)
      found.pushes.splice(0, Infinity, ...others, push)
      return { status: 201, headers: { Location: `${origin}/message` } }
    } catch (error) {
      refused.push((error as Error).message)
      return { status: 400 }
    }
  }

  function read(
    { method, headers }: IncomingMessage,
    body: Buffer,
    { browser, publicKey }: { browser: Browser; publicKey: string },
  ): Push {
    const only = (name: string, is: RegExp) => headerOf(headers, name, is)
    if (method !== 'POST') throw new Error(`Not a push: ${method}`)
    only('content-encoding', /^aes128gcm$/)
    only('content-length', new RegExp(`^${body.length}$`))
    const expected = { audience: origin, publicKey, now: new Date() }
    const { sub } = checkVapid(headers.authorization, expected)
    const topic = headers.topic === undefined ? undefined : only('topic', /^[\w-]{1,32}$/)
    return {
      payload: JSON.parse(decrypt(body, browser)),
      ttl: Number(only('ttl', /^\d+$/)),
      urgency: only('urgency', new RegExp(`^(${URGENCIES.join('|')})$`)),
      topic,
      contact: sub,
    }
  }

  return {
    origin,
    refused,
    behave(next: Mood) {
      mood = next
    },
    /** Subscribes like a browser does for the owner of this public key. */
    subscribe(publicKey: string, browser = newBrowser()) {
      const path = `/push/${browsers.size}-${browser.auth.toString('hex')}`
      const pushes: Push[] = []
      browsers.set(path, { browser, publicKey, pushes })
      const keys = keysOf(browser)
      return {
        pushes,
        /** as `PushSubscription.toJSON()` */
        subscription: { endpoint: origin + path, expirationTime: null, keys },
        /** The browser ends it. */
        end: () => browsers.delete(path),
      }
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function headerOf(headers: IncomingHttpHeaders, name: string, is: RegExp): string {
  const value = String(headers[name])
  if (!is.test(value)) throw new Error(`Not a push: ${name} is ${value}`)
  return value
}
