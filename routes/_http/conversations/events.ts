import { countUnread } from '#db/conversations/conversations.ts'
import { findConversationOf } from '#db/conversations/finder-conversations.ts'
import { countMessages } from '#db/conversations/messages.ts'
import { conversationEnded } from '#domain/conversations/rules.ts'
import { NotSignedIn } from '#domain/error.ts'
import { clientAddress } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { answerEvents, type EventStream } from '#routes/_http/conversations/event-stream.ts'
import { FINDERS_EVENT, ownersEvent } from '#routes/_http/conversations/watch-changes.ts'
import { requireAccount } from '#routes/_http/guards.ts'

/**
 * Answers with the events of the session's account. The first one has no conversation: its count shows
 * whether the page is already out of date.
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
 * Answers with the events of the conversation whose token is in the path. A page that sends its state, by
 * `?messages=` and `?status=`, gets an event at once when it is out of date. Throws not_found.
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

/** Ends the stream when its request fails, because nobody would read it. */
async function orEnd(stream: EventStream, answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    stream.end()
    throw error
  }
}
