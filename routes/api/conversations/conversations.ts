import {
  answerAsOwner,
  deleteConversation,
  setConversationStatus,
} from '#actions/conversations/conversations.ts'
import { blockSender, unblockSender } from '#db/conversations/blocks.ts'
import { readConversation, setMuted } from '#db/conversations/conversation-changes.ts'
import {
  countUnread,
  getConversation,
  getOwnConversation,
  listConversations,
} from '#db/conversations/conversations.ts'
import { reportConversation } from '#db/conversations/reports.ts'
import { readText } from '#domain/conversations/message.ts'
import { conversationNotFound } from '#domain/conversations/rules.ts'
import { loggedDeps } from '#routes/_http/context.ts'
import { answerOwnersEvents } from '#routes/_http/conversations/events.ts'
import { mayMailFinder } from '#routes/_http/conversations/start.ts'
import { answerPhoto } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { linkPages } from '#routes/api/_paging.ts'
import * as calls from '#routes/api/conversations/_conversation-schema.ts'

/** The conversations of the account with finders. */
export const conversations = apiRouter()
  .openapi(calls.events, answerOwnersEvents)
  .openapi(calls.list, async (c) => {
    const { id } = requireAccount(c)
    const { db } = c.var.deps
    const query = c.req.valid('query')
    const listed = await listConversations(db, id, query)
    linkPages(c, query, listed.total_count)
    return c.json({ ...listed, unread_count: await countUnread(db, id) }, 200)
  })
  .openapi(calls.get, async (c) => {
    const { id } = c.req.valid('param')
    return c.json(await getConversation(c.var.deps.db, requireAccount(c).id, id), 200)
  })
  .openapi(calls.write, async (c) => {
    const { id } = c.req.valid('param')
    const { text, share_number } = c.req.valid('json')
    const answer = share_number ? { share_number } : { text: readText(text) }
    return c.json(
      await answerAsOwner(loggedDeps(c), requireAccount(c).id, id, answer, mayMailFinder(c)),
      201,
    )
  })
  .openapi(calls.read, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    return c.json(await readConversation(db, requireAccount(c).id, id, clock()), 200)
  })
  .openapi(calls.setStatus, async (c) => {
    const { id } = c.req.valid('param')
    const { status } = c.req.valid('json')
    const { id: accountId } = requireAccount(c)
    return c.json(
      await setConversationStatus(loggedDeps(c), accountId, id, status, mayMailFinder(c)),
      200,
    )
  })
  .openapi(calls.mute, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    const { muted } = c.req.valid('json')
    return c.json(await setMuted(db, requireAccount(c).id, id, muted, clock()), 200)
  })
  .openapi(calls.block, async (c) => {
    const { db, clock } = c.var.deps
    await blockSender(db, requireAccount(c).id, c.req.valid('param').id, clock())
    return c.json({ message: 'Blocked. The conversation has ended.' }, 200)
  })
  .openapi(calls.unblock, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    return c.json(await unblockSender(db, requireAccount(c).id, id, clock()), 200)
  })
  .openapi(calls.report, async (c) => {
    const { db, clock } = c.var.deps
    const { id } = c.req.valid('param')
    await reportConversation(db, requireAccount(c).id, id, c.req.valid('json'), clock())
    return c.json({ message: 'Reported. A moderator will look at it.' }, 201)
  })
  .openapi(calls.remove, async (c) => {
    await deleteConversation(loggedDeps(c), requireAccount(c).id, c.req.valid('param').id)
    return c.json({ message: 'Conversation deleted successfully!' }, 200)
  })
  .openapi(calls.photo, async (c) => {
    const { id } = c.req.valid('param')
    const row = await getOwnConversation(c.var.deps.db, requireAccount(c).id, id)
    const answer = await answerPhoto(c, row)
    if (!answer) throw conversationNotFound()
    return answer
  })
