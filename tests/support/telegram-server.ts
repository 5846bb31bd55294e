import type { ServerResponse } from 'node:http'
import { openReceiver, type Received } from '#tests/support/receiver.ts'

export const TOKEN = '123456789:AAE-test_token_of_the_bot'
export const BOT_NAME = 'driveqr_test_bot'

type Update = { update_id: number; message: object }
type Poll = { response: ServerResponse; limit: number }
type Refusal = { error_code: number; description: string; parameters?: { retry_after: number } }

/** Headers that Node's `fetch` adds to a request. */
const OF_FETCH = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'connection',
  'host',
  'sec-fetch-mode',
])

const CONFLICT = {
  error_code: 409,
  description:
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
}

/**
 * Telegram's Bot API for one test: it keeps updates until a poll asks for later ones, and ends a waiting
 * poll when another one comes. A request that is not as documented is answered 400 and noted.
 */
export async function openTelegramServer() {
  const updates: Update[] = []
  const sent: { chat_id: number; text: string; [more: string]: unknown }[] = []
  const faults: string[] = []
  const polls: (number | undefined)[] = []
  const refusals = new Map<string, Refusal[]>()
  let silentMethod: string | undefined
  let unanswered = 0
  let waiting: Poll | undefined
  let lastId = 700_000_000

  const receiver = await openReceiver((response, received) => {
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(received.path) ?? []
    if (token !== TOKEN) return refuse(response, { error_code: 401, description: 'Unauthorized' })
    const parameters = read(received)
    if (method === silentMethod) {
      unanswered += 1
      return
    }
    const refusal = refusals.get(method)?.shift()
    if (refusal) return refuse(response, refusal)
    if (method === 'getMe') return accept(response, { id: 1, is_bot: true, username: BOT_NAME })
    if (method === 'getUpdates') return poll(response, parameters)
    if (method === 'sendMessage') return send(response, parameters)
    faults.push(`method ${method}`)
    refuse(response, { error_code: 404, description: 'Not Found' })
  })

  function read({ method, headers, body }: Received): Record<string, unknown> {
    const right = {
      method: 'POST',
      'content-type': 'application/json',
      'user-agent': 'DriveQR',
      'content-length': String(Buffer.byteLength(body)),
    }
    const seen: Record<string, unknown> = { ...headers, method }
    for (const [name, value] of Object.entries(right)) {
      if (seen[name] !== value) faults.push(`${name}: ${seen[name]}`)
    }
    const unknown = Object.keys(headers).filter((name) => !(name in right) && !OF_FETCH.has(name))
    faults.push(...unknown)
    return JSON.parse(body)
  }

  function poll(response: ServerResponse, { offset = 0, limit = 100, timeout = 0, ...rest }) {
    if (JSON.stringify(rest) !== '{"allowed_updates":["message"]}') {
      faults.push(`getUpdates ${JSON.stringify(rest)}`)
    }
    polls.push(Number(offset) || undefined)
    while (updates[0] && updates[0].update_id < Number(offset)) updates.shift()
    if (waiting) refuse(waiting.response, CONFLICT)
    waiting = undefined
    const mine = { response, limit: Number(limit) }
    if (updates.length > 0 || !timeout) return deliver(mine)
    waiting = mine
    response.on('close', () => {
      if (waiting === mine) waiting = undefined
    })
  }

  function deliver({ response, limit }: Poll): void {
    accept(response, updates.slice(0, limit))
  }

  function send(response: ServerResponse, parameters: Record<string, unknown>): void {
    const { chat_id, text } = parameters
    if (!Number.isSafeInteger(chat_id)) faults.push(`chat_id ${chat_id}`)
    if (typeof text !== 'string' || text.length === 0 || text.length > 4096) {
      refuse(response, { error_code: 400, description: 'Bad Request: message is too long' })
      return
    }
    sent.push({ ...parameters, chat_id: Number(chat_id), text })
    accept(response, { message_id: sent.length })
  }

  return {
    url: receiver.url,
    sent,
    polls,
    /** requests that differ from the documentation */
    faults,
    /** the updates that nobody has acknowledged */
    updates,
    isPolled: () => waiting !== undefined,
    /** Calls of a method have no answer, or again have one. */
    answerNothingTo(method: string | undefined) {
      silentMethod = method
    },
    unanswered: () => unanswered,
    /** A waiting poll is over, as every minute. */
    answerEmpty() {
      const poll = waiting
      waiting = undefined
      if (poll) deliver(poll)
    },
    /** Updates count from here, as after a quiet week. */
    countFrom(id: number) {
      lastId = id
    },
    /** The next calls of a method are refused, each with one of these. */
    refuseNext(method: string, ...next: Refusal[]) {
      refusals.set(method, [...(refusals.get(method) ?? []), ...next])
    },
    /** Somebody writes to the bot. */
    write(text: string | undefined, chat: object = {}) {
      lastId += 1
      const inChat = { id: 42, type: 'private', first_name: 'Asha', ...chat }
      updates.push({
        update_id: lastId,
        message: { message_id: lastId, chat: inChat, date: 1, text },
      })
      if (!waiting) return
      const poll = waiting
      waiting = undefined
      deliver(poll)
    },
  }
}

function accept(response: ServerResponse, result: unknown): void {
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ ok: true, result }))
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  response.statusCode = refusal.error_code
  response
    .setHeader('Content-Type', 'application/json')
    .end(JSON.stringify({ ok: false, ...refusal }))
}
