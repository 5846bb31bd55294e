import { countUnread } from '#db/conversations/conversations.ts'
import { findConversationOf } from '#db/conversations/finder-conversations.ts'
import { countMessages } from '#db/conversations/messages.ts'
import { conversationEnded } from '#domain/conversations/rules.ts'
import { NotSignedIn } from '#domain/error.ts'
import { clientAddress } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import type { EventStream } from '#routes/_http/conversations/event-stream.ts'
import { answerEvents } from '#routes/_http/conversations/stream-answer.ts'
import { FINDERS_EVENT, ownersEvent } from '#routes/_http/conversations/watch.ts'
import { requireAccount } from '#routes/_http/guards.ts'

/**
 * The events of the session's account. The first one has no conversation: its count shows whether the
 * page that listens is out of date already.
 */
export async function answerOwnersEvents(c: AppContext): Promise<Response> {
  const { db, conversationWatch } = c.var.deps
  const { id: accountId } = requireAccount(c)
  const { session } = c.var
  if (!session) throw new NotSignedIn()
  const stream = await conversationWatch.open({ accountId, sessionId: session.id })
  return orEnd(stream, async () => {
    stream.send(ownersEvent(null, await countUnread(db, accountId)))
    return answerEvents(c, stream)
  })
}

/**
 * The events of the conversation whose token is in the path. A page that says what it shows, by
 * `?messages=` and `?status=`, is told at once that it is out of date. Throws not_found.
 */
export async function answerFindersEvents(c: AppContext): Promise<Response> {
  const { db, conversationWatch } = c.var.deps
  const token = c.req.param('token') ?? ''
  const found = await findConversationOf(db, token)
  if (!found) throw conversationEnded()
  const address = clientAddress(c)
  const stream = await conversationWatch.open({ conversationId: found.id, address })
  return orEnd(stream, async () => {
    // Asked again, because it may have changed while nobody watched it.
    const now = await findConversationOf(db, token)
    const { messages, status } = c.req.query()
    const isOld =
      (status !== undefined && status !== now?.status) ||
      (messages !== undefined && Number(messages) !== (await countMessages(db, found.id)))
    if (!now || isOld) stream.send(FINDERS_EVENT)
    else stream.beat()
    if (!now) stream.end()
    return answerEvents(c, stream)
  })
}

/** Nobody would read a stream whose request failed. */
async function orEnd(stream: EventStream, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    stream.end()
    throw error
  }
}
