import { setTimeout as sleep } from 'node:timers/promises'
import { type RouteConfig, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { mayBeCommitted } from '#db/errors.ts'
import { findKeyedCall, freeKey, keepAnswer, reserveKey } from '#db/idempotency/idempotency-keys.ts'
import { keyedHash, seal, unseal } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'
import { assertIdempotencyKey, KEPT_DAYS } from '#domain/idempotency-key.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { logFailure } from '#routes/_http/errors.tsx'
import { isMultipart } from '#routes/_http/forms.ts'
import { requireHoldersCaller } from '#routes/_http/guards.ts'
import { assertMayTry, countTry, type Limited } from '#routes/_http/rate-limits.ts'

const HEADER = 'Idempotency-Key'

/** A repeated call waits so long while the first one runs, in milliseconds. */
const WAITS = [25, 50, 100, 200, 400, 800, 1600]

type Body = NonNullable<RouteConfig['request']>['body']

/** A call of a signed-in caller with a key. */
type Keyed = { id: string; account_id: string; body_hash: string }

/** Describes the header, for a call that can be made without a file. */
export function keyHeader(body: Body) {
  const key = z
    .string()
    .optional()
    .openapi({
      minLength: 1,
      maxLength: 255,
      description: `visible ASCII characters; the same call with it is made once in ${KEPT_DAYS * 24} hours, and answered again`,
    })
  return hasFileOnly(body) ? {} : { headers: z.object({ [HEADER]: key }) }
}

function hasFileOnly(body: Body): boolean {
  return body !== undefined && !('application/json' in body.content)
}

/**
 * Makes the middleware of a call that makes something. A call with an `Idempotency-Key` is made once, and the same
 * call is answered again, unless the answer has one of the fields `secrets`.
 */
export function onceForKey(body: Body, secrets: readonly string[] = []) {
  return createMiddleware<AppEnv>(async function onceForKey(c, next) {
    const key = c.req.header(HEADER)
    if (key === undefined) return next()
    assertIdempotencyKey(key)
    // A file is read as it arrives, when the call has begun already.
    if (hasFileOnly(body) || isMultipart(c)) throw new DomainError('invalid.idempotency_file')
    const call = await readKeyed(c, key)
    const kept = await findAnswer(c, call)
    if (kept) return kept
    await next()
    await settle(c, call, secrets)
  })
}

async function readKeyed(c: AppContext, key: string): Promise<Keyed> {
  const { secretKey } = c.var.deps
  const { accountId, credential } = requireHoldersCaller(c)
  const { pathname, search } = new URL(c.req.url)
  return {
    id: keyedHash(secretKey, HEADER, credential.kind, credential.id, pathname, key),
    account_id: accountId,
    body_hash: keyedHash(secretKey, HEADER, search, await c.req.text()),
  }
}

/** Returns the answer of an earlier call, or undefined once the key is reserved for this one. */
async function findAnswer(c: AppContext, call: Keyed): Promise<Response | undefined> {
  const { db, clock, secretKey } = c.var.deps
  for (const wait of WAITS) {
    const known = await findKeyedCall(db, call.id, clock())
    if (!known && (await reserve(c, call))) return undefined
    if (known && known.body_hash !== call.body_hash) {
      throw new DomainError('unprocessable.idempotency_key')
    }
    if (known?.answered_at) {
      const answer = known.answer && unseal(secretKey, call.id, known.answer)
      if (!answer) throw new DomainError('conflict.idempotency_secret')
      const [status, body] = JSON.parse(answer)
      return c.body(body, status, { 'Content-Type': 'application/json' })
    }
    await sleep(wait)
  }
  throw new DomainError('conflict.idempotency_unfinished')
}

async function reserve(c: AppContext, call: Keyed): Promise<boolean> {
  const { db, clock } = c.var.deps
  const limited: Limited = ['idempotency-key', call.account_id]
  assertMayTry(c, limited)
  const isReserved = await reserveKey(db, call, clock())
  if (isReserved) countTry(c, limited)
  return isReserved
}

/** Keeps the answer of a call that did something, and frees the key of one that did not. */
async function settle(
  c: Context<AppEnv>,
  { id }: Keyed,
  secrets: readonly string[],
): Promise<void> {
  const { db, clock, secretKey } = c.var.deps
  if (!c.res.ok) {
    // The call may have done something. The key stays reserved, so that it does not do it again.
    if (!mayBeCommitted(c.error)) await freeKey(db, id)
    return
  }
  const body = await c.res.clone().text()
  const answer = seal(secretKey, id, JSON.stringify([c.res.status, body]))
  const isSecret = hasField(JSON.parse(body), secrets)
  // The caller still gets the answer if the database fails only now.
  await keepAnswer(db, id, isSecret ? null : answer, clock()).catch((error) => logFailure(c, error))
}

/** Checks whether the answer has one of the fields, at any depth and not empty. */
function hasField(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, each]) => (names.includes(name) && each?.length > 0) || hasField(each, names),
  )
}
