import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { EventStream } from '#actions/conversations/event-stream.ts'
import { FINDERS_EVENT, ownersEvent } from '#actions/conversations/watch-changes.ts'
import { getOwnQrCode } from '#db/codes/qr-codes.ts'
import { findConversationOf, isRead } from '#db/conversations/finder-conversations.ts'
import { countMessages } from '#db/conversations/messages.ts'
import { countUnread } from '#db/conversations/unread.ts'
import type { Account } from '#db/schema.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { conversationEnded } from '#domain/conversations/rules.ts'
import { NotSignedIn } from '#domain/error.ts'
import type { Holder } from '#domain/people/share.ts'
import { clientAddress } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'

/** The most that waits for a client that reads nothing. Its connection would be ended soon anyway. */
const MOST_WAITING_BYTES = 4_096

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  // Stops nginx from buffering events.
  'X-Accel-Buffering': 'no',
} as const

/**
 * Answers with the events of the session's account. The first one has no conversation: its count shows
 * whether the page is already out of date. Throws not_found for an awaited code of another account.
 */
export async function answerOwnersEvents(c: AppContext): Promise<Response> {
  const { db, conversationWatch } = c.var.deps
  const account = requireAccount(c)
  const { session } = c.var
  if (!session) throw new NotSignedIn()
  const awaited = await readAwaited(c, account)
  const { shares = [] } = account as Holder
  const watcher = { accountId: account.id, shares, sessionId: session.id, awaited }
  const stream = await conversationWatch.open(watcher)
  return orEnd(stream, async () => {
    stream.send(ownersEvent(null, await countUnread(db, account)))
    return answerEvents(c, stream)
  })
}

/** Reads for which code, by `?code=`, and after how many done steps, by `?done=`, the page waits. */
async function readAwaited(c: AppContext, account: Account) {
  const { code, done } = c.req.query()
  if (!code) return undefined
  const { qr_id } = await getOwnQrCode(c.var.deps.db, account, requireQrId(code))
  return { qr_id, done: Number(done) || 0 }
}

/**
 * Answers with the events of the conversation whose token is in the path. A page that sends its state, by
 * `?messages=`, `?status=` and `?read=`, gets an event at once when it is out of date. Throws not_found.
 */
export async function answerFindersEvents(c: AppContext): Promise<Response> {
  const { db, conversationWatch } = c.var.deps
  const token = c.req.param('token') ?? ''
  const found = await findConversationOf(db, token)
  if (!found) throw conversationEnded()
  const address = clientAddress(c)
  const stream = await conversationWatch.open({ conversationId: found.id, address })
  return orEnd(stream, async () => {
    // Read again, because the conversation may have changed before the watch began.
    const now = await findConversationOf(db, token)
    const { messages, status, read } = c.req.query()
    const isOld =
      (status !== undefined && status !== now?.status) ||
      (read !== undefined && read !== String(await isRead(db, found.id))) ||
      (messages !== undefined && Number(messages) !== (await countMessages(db, found.id)))
    if (!now || isOld) stream.send(FINDERS_EVENT)
    else stream.beat()
    if (!now) stream.end()
    return answerEvents(c, stream)
  })
}

/** Ends the stream when its request fails, because nobody would read it. */
async function orEnd(stream: EventStream, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    stream.end()
    throw error
  }
}

/**
 * Answers with the stream, straight to Node's response where there is one. Hono's `streamSSE` takes 21 KB of
 * heap for each open page instead of 8, and has no limit for a client that does not read.
 */
function answerEvents(c: AppContext, stream: EventStream): Response {
  // The stream would stay open on a connection whose client sends its next request.
  if (c.req.method === 'HEAD') {
    stream.end()
    return c.body(null, 200, HEADERS)
  }
  const { outgoing } = (c.env ?? {}) as Partial<HttpBindings>
  if (!outgoing) return c.body(toWebStream(stream), 200, HEADERS)
  const { headers } = c.body(null, 200, HEADERS)
  outgoing.writeHead(200, Object.fromEntries(headers))
  outgoing.flushHeaders()
  outgoing.once('close', stream.close)
  // A client that left earlier emits no further event.
  if (outgoing.destroyed) stream.close()
  stream.attach({
    write(text) {
      outgoing.write(text)
      return outgoing.writableLength < MOST_WAITING_BYTES
    },
    end: () => outgoing.end(),
  })
  return alreadySent()
}

/** Reads the body of the mark, because the server looks for the mark only in a response with a body. */
function alreadySent(): Response {
  if (RESPONSE_ALREADY_SENT.body) throw new Error('A response that is already sent has no body')
  return RESPONSE_ALREADY_SENT
}

function toWebStream(stream: EventStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const size = ({ length }: Uint8Array) => length
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stream.attach({
          write(text) {
            controller.enqueue(encoder.encode(text))
            return (controller.desiredSize ?? 0) > 0
          },
          end: () => controller.close(),
        })
      },
      cancel: stream.close,
    },
    { highWaterMark: MOST_WAITING_BYTES, size },
  )
}
