import { Hono } from 'hono'
import { findConversationOf } from '#db/conversations/finder-conversations.ts'
import { conversationEnded } from '#domain/conversations/rules.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { answerFindersEvents } from '#routes/_http/conversations/events.ts'
import { answerPhoto } from '#routes/_http/downloads.ts'

/** Serves the events and the photo of a finder's conversation page. The token in the path is the permission. */
export const conversationFiles = new Hono<AppEnv>()
  .get('/:token/events', answerFindersEvents)
  .get('/:token/photo', async (c) => {
    const row = await findConversationOf(c.var.deps.db, c.req.param('token'))
    const answer = row && (await answerPhoto(c, row))
    if (!answer) throw conversationEnded()
    return answer
  })
