import type { HttpBindings } from '@hono/node-server'
import type { OpenUpload } from '#actions/papers/uploads.ts'
import { assertLiveCaller } from '#db/accounts/credentials.ts'
import type { Account } from '#db/schema.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireCaller } from '#routes/_http/guards.ts'
import { assertMayTry, limit } from '#routes/_http/rate-limits.ts'
import { piecesOf, type Sent } from '#storage/uploads.ts'

/**
 * The request's body as an upload of the account. Only uploads that start are counted, so a refused
 * one does not use up the hourly limit `counted`.
 */
export function sentBy(
  c: AppContext,
  { id }: Account,
  counted: 'upload' | 'import' = 'upload',
): OpenUpload {
  const arrived = whileSignedIn(c)
  return () => {
    assertMayTry(c, counted)
    const begin = () => limit(c, counted)
    return { headers: c.req.raw.headers, body: bodyOf(c), account: id, begin, arrived }
  }
}

/** Refuses what has arrived when the caller's session or key has ended meanwhile: a file may take minutes. */
export function whileSignedIn(c: AppContext): () => Promise<void> {
  const caller = requireCaller(c)
  return () => assertLiveCaller(c.var.deps.db, caller)
}

/**
 * Node's request where there is one, because a web stream copies every piece of the body, which
 * takes longer than all other processing.
 */
export function bodyOf(c: AppContext): Sent['body'] {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  if (incoming) return piecesOf(incoming)
  const stream = c.req.raw.body ?? new Blob().stream()
  return stream.values({ preventCancel: true })
}
