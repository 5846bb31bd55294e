import {
  answerAsOwner,
  deleteConversation,
  setConversationStatus,
} from '#actions/conversations/conversations.ts'
import { blockSender, unblockSender } from '#db/conversations/blocks.ts'
import { readConversation, setMuted } from '#db/conversations/conversation-changes.ts'
import { getConversation, listConversations } from '#db/conversations/conversations.ts'
import { noteTyping } from '#db/conversations/reads.ts'
import { reportConversation } from '#db/conversations/reports.ts'
import { getOwnConversation } from '#db/conversations/seen-conversations.ts'
import { countUnread } from '#db/conversations/unread.ts'
import { readText } from '#domain/conversations/message.ts'
import { conversationNotFound } from '#domain/conversations/rules.ts'
import { loggedDeps } from '#routes/_http/context.ts'
import { answerOwnersEvents } from '#routes/_http/conversations/events.ts'
import { mayMailFinder } from '#routes/_http/conversations/start.ts'
import { answerPhoto } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { linkPages } from '#routes/api/_paging.ts'
import * as calls from '#routes/api/conversations/_conversation-schema.ts'

/** The conversations of the account with finders. */
export const conversations = apiRouter()
  .openapi(calls.events, answerOwnersEvents)
  .openapi(calls.list, async (c) => {
    const account = requireAccount(c)
    const { db, clock } = c.var.deps
    const query = c.req.valid('query')
    const listed = await listConversations(db, account, query, clock())
    linkPages(c, query, listed.total_count)
    return c.json({ ...listed, unread_count: await countUnread(db, account) }, 200)
  })
  .openapi(calls.get, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    return c.json(await getConversation(db, requireAccount(c), id, clock()), 200)
  })
  .openapi(calls.write, async (c) => {
    const { id } = c.req.valid('param')
    const { text, share_number } = c.req.valid('json')
    const answer = share_number ? { share_number } : { text: readText(text) }
    return c.json(
      await answerAsOwner(loggedDeps(c), requireAccount(c), id, answer, mayMailFinder(c)),
      201,
    )
  })
  .openapi(calls.read, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    return c.json(await readConversation(db, requireAccount(c), id, clock()), 200)
  })
  .openapi(calls.typing, async (c) => {
    const account = requireAccount(c)
    limit(c, ['typing', account.id])
    const { db, clock } = c.var.deps
    await noteTyping(db, account, c.req.valid('param').id, clock())
    return c.json({ message: 'Noted' }, 200)
  })
  .openapi(calls.setStatus, async (c) => {
    const { id } = c.req.valid('param')
    const { status } = c.req.valid('json')
    const account = requireAccount(c)
    return c.json(
      await setConversationStatus(loggedDeps(c), account, id, status, mayMailFinder(c)),
      200,
    )
  })
  .openapi(calls.mute, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    const { muted } = c.req.valid('json')
    return c.json(await setMuted(db, requireAccount(c), id, muted, clock()), 200)
  })
  .openapi(calls.block, async (c) => {
    const { db, clock } = c.var.deps
    await blockSender(db, requireAccount(c), c.req.valid('param').id, clock())
    return c.json({ message: 'Blocked. The conversation has ended.' }, 200)
  })
  .openapi(calls.unblock, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    return c.json(await unblockSender(db, requireAccount(c), id, clock()), 200)
  })
  .openapi(calls.report, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    await reportConversation(db, requireAccount(c), id, c.req.valid('json'), clock())
    return c.json({ message: 'Reported. A moderator will look at it.' }, 201)
  })
  .openapi(calls.remove, async (c) => {
    await deleteConversation(loggedDeps(c), requireAccount(c), c.req.valid('param').id)
    return c.json({ message: 'Conversation deleted successfully!' }, 200)
  })
  .openapi(calls.photo, async (c) => {
    const { id } = c.req.valid('param')
    const row = await getOwnConversation(c.var.deps.db, requireAccount(c), id)
    const answer = await answerPhoto(c, row)
    if (!answer) throw conversationNotFound()
    return answer
  })
