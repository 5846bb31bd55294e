import type { HttpBindings } from '@hono/node-server'
import type { OpenUpload } from '#actions/papers/uploads.ts'
import { assertLiveCaller } from '#db/accounts/credentials.ts'
import type { Account } from '#db/schema.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireCaller } from '#routes/_http/guards.ts'
import { assertMayTry, limit } from '#routes/_http/rate-limits.ts'
import { piecesOf, type Sent } from '#storage/uploads.ts'

/**
 * Opens the body of the request as an upload of the account. Counts only uploads that start, so that a
 * refused one does not use up the hourly limit `counted`.
 */
export function uploadFrom(
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

/** Refuses an upload if the caller's session or key ended while it arrived, which may take minutes. */
export function whileSignedIn(c: AppContext): () => Promise<void> {
  const caller = requireCaller(c)
  return () => assertLiveCaller(c.var.deps.db, caller)
}

/**
 * Returns the body as Node's stream where there is one, because a web stream copies every piece, which
 * takes longer than all other processing.
 */
export function bodyOf(c: AppContext): Sent['body'] {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  if (incoming) return piecesOf(incoming)
  const stream = c.req.raw.body ?? new Blob().stream()
  return stream.values({ preventCancel: true })
}
