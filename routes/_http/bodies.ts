import type { HttpBindings } from '@hono/node-server'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import type { OpenUpload } from '#actions/papers/uploads.ts'
import { assertLiveCaller } from '#db/accounts/credentials.ts'
import type { Account } from '#db/schema.ts'
import { DomainError } from '#domain/error.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { READING_METHODS } from '#routes/_http/every-answer.ts'
import { isMultipart } from '#routes/_http/forms.ts'
import { requireCaller } from '#routes/_http/guards.ts'
import { assertMayTry, limit } from '#routes/_http/rate-limits.ts'
import { piecesOf, type Sent } from '#storage/uploads.ts'

const limitSentBody = limitTo(64)
/** 10,000 ids, each with its name in a form. */
const limitSelection = limitTo(256)

function limitTo(kb: number) {
  const maxSize = kb * 1024
  const onError = () => {
    throw new DomainError({ code: 'too_large.request', values: { kb } })
  }
  const limitRead = bodyLimit({ maxSize, onError })
  return createMiddleware<AppEnv>(async function limitLength(c, next) {
    const length = c.req.header('Content-Length')
    // Node reads no more than that. Touching the body makes the server build a `Request`.
    if (length !== undefined && Number(length) <= maxSize) return next()
    return limitRead(c, next)
  })
}

const SELECTIONS = /^\/(?:api\/qr\/bulk|dashboard(?:\/qr\/(?:chosen|labels\.pdf))?)$/

/** Uploads are streamed and have limits of their own: `withUpload` in `storage/uploads.ts`. */
const UPLOADS = [
  /^\/api\/documents\/upload\/[^/]+$/,
  /^\/api\/popup-images\/upload$/,
  /^\/(?:api|settings)\/branding\/logo$/,
  /^\/dashboard\/(?:documents|popup-images)\/upload$/,
  /^\/(?:api|dashboard)\/qr\/import$/,
  /^\/(?:api\/subscription|dashboard)\/upgrade\/[^/]+\/screenshot$/,
]

/** They need not have a file: without one they are small. */
const MESSAGES = [
  /^\/(?:api\/scan\/[^/]+\/messages|scan\/[^/]+\/message)$/,
  /^\/api\/(?:admin\/)?support\/tickets(?:\/[^/]+\/messages)?$/,
  /^\/settings\/support(?:\/[^/]+\/answer)?$/,
  /^\/(?:admin|admin-dashboard)\/support\/[^/]+\/answer$/,
]

/** Skips reading methods, because touching the body makes the server build a `Request` each time. */
export const limitBody = createMiddleware<AppEnv>(async function limitBody(c, next) {
  const { method, path } = c.req
  const isUpload =
    UPLOADS.some((each) => each.test(path)) ||
    (MESSAGES.some((each) => each.test(path)) && isMultipart(c))
  if (READING_METHODS.includes(method) || isUpload) return next()
  return SELECTIONS.test(path) ? limitSelection(c, next) : limitSentBody(c, next)
})

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
