import { STATUS_CODES } from 'node:http'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { offeredBy } from '#domain/codes/phones.ts'
import type { DomainError, ErrorKind, LimitUse } from '#domain/error.ts'
import type { FinderContext } from '#routes/_http/context.ts'
import { fieldOf } from '#routes/_http/problem-fields.ts'

export const STATUS: Record<ErrorKind, ContentfulStatusCode> = {
  invalid: 400,
  unauthenticated: 401,
  plan_limit: 402,
  forbidden: 403,
  not_found: 404,
  not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  too_many: 429,
  fault: 500,
  unavailable: 503,
}

export const PROBLEM_TYPE = 'application/problem+json'

/** Checks whether the client asks for JSON. A browser names HTML, and a client that takes anything counts as a person. */
export function wantsJson(c: FinderContext): boolean {
  const types = acceptedTypes(c.req.header('Accept'))
  return (
    types.some((type) => /^application\/(?:.+\+)?json$/.test(type)) && !types.includes('text/html')
  )
}

/** Checks whether the client asks for problem details, by its header `Accept`. */
export function wantsProblem(accept: string | undefined): boolean {
  return acceptedTypes(accept).includes(PROBLEM_TYPE)
}

function acceptedTypes(accept = ''): string[] {
  return accept
    .toLowerCase()
    .split(',')
    .filter((each) => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
    .map((each) => each.split(';')[0]?.trim() ?? '')
}

/**
 * Answers a refusal as `{ detail }`, or as problem details (RFC 9457) to a client that asks for them; `also` stands
 * beside the detail.
 */
export async function answerProblem(
  c: FinderContext,
  error: DomainError,
  also: object = {},
): Promise<Response> {
  const { kind, code, message, retryAfter, planLimit, confirm } = error
  const status = STATUS[kind]
  // RFC 9110 wants it with every 401. Browsers ask nobody for a password because of this scheme.
  if (status === 401) c.header('WWW-Authenticate', 'Bearer')
  if (status === 429) setRateLimit(c, error.limit, { tries: 0, seconds: retryAfter ?? 0 })
  // Scripts of pages find the field of a refusal by its code.
  c.header('Refusal', code)
  const more = {
    ...also,
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    ...(confirm && { confirm }),
    ...(offeredBy(code) && { anyway: true }),
  }
  if (!wantsProblem(c.req.header('Accept'))) {
    return c.json({ detail: planLimit ? { message, ...planLimit } : message, ...more }, status)
  }
  const field = await fieldOf(c, error)
  const body = { ...problemOf(error), ...(field && { field }), ...planLimit, ...more }
  return c.body(JSON.stringify(body), status, { 'Content-Type': PROBLEM_TYPE })
}

/** Returns the members of problem details that every refusal has. */
export function problemOf({ kind, code, message }: DomainError) {
  const status = STATUS[kind]
  return { type: 'about:blank', title: STATUS_CODES[status], status, detail: message, code }
}

/** Sets the headers of the tenth draft of RateLimit header fields (IETF HTTP API). */
export function setRateLimit(
  c: FinderContext,
  limit: LimitUse | undefined,
  left: { tries: number; seconds: number },
): void {
  const name = limit?.name ?? 'tries'
  if (limit) c.header('RateLimit-Policy', `"${name}";q=${limit.count};w=${limit.seconds}`)
  c.header('RateLimit', `"${name}";r=${left.tries};t=${left.seconds}`)
}
