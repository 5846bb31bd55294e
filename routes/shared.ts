import { Hono } from 'hono'
import { findSharedDocument } from '#db/papers/share-links.ts'
import { DomainError } from '#domain/error.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { answerFile } from '#routes/_http/downloads.ts'
import { limit } from '#routes/_http/rate-limits.ts'

/** The document that a shared link leads to. Not under /api, so that a dead link is a page. */
export const shared = new Hono<AppEnv>()

shared.get('/:token', async (c) => {
  const { db, clock } = c.var.deps
  limit(c, 'file')
  const found = await findSharedDocument(db, c.req.param('token'), clock())
  const answer = found && (await answerFile(c, toServed(found)))
  if (!answer) throw new DomainError('not_found.dead_link')
  return answer
})

function toServed({
  document,
  share_method,
}: NonNullable<Awaited<ReturnType<typeof findSharedDocument>>>) {
  const { stored_name, file_name } = document
  const way = share_method === 'download' ? 'attachment' : 'inline'
  return { stored_name, file_name, isOpen: false, way } as const
}
