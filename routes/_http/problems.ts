import { STATUS_CODES } from 'node:http'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { offeredBy } from '#domain/codes/phones.ts'
import type { DomainError, ErrorKind, LimitUse } from '#domain/error.ts'
import { type RefusalCode, valuesOf } from '#locales/refusal.ts'
import type { FinderContext } from '#routes/_http/context.ts'

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
  too_many: 429,
  fault: 500,
  unavailable: 503,
}

const PROBLEM_TYPE = 'application/problem+json'

/** Checks whether the client asks for JSON. A browser names HTML, and a client that takes anything counts as a person. */
export function wantsJson(c: FinderContext): boolean {
  const types = acceptedTypes(c)
  return (
    types.some((type) => /^application\/(?:.+\+)?json$/.test(type)) && !types.includes('text/html')
  )
}

function acceptedTypes(c: FinderContext): string[] {
  const accepted = (c.req.header('Accept') ?? '').toLowerCase().split(',')
  return accepted
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
  if (!acceptedTypes(c).includes(PROBLEM_TYPE)) {
    return c.json({ detail: planLimit ? { message, ...planLimit } : message, ...more }, status)
  }
  const field = await fieldOf(c, error)
  const problem = {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail: message,
    code,
  }
  const body = { ...problem, ...(field && { field }), ...planLimit, ...more }
  return c.body(JSON.stringify(body), status, { 'Content-Type': PROBLEM_TYPE })
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

/** The fields of rules that no schema names: the first one that was sent, where several calls have the rule. */
const FIELDS: Partial<Record<RefusalCode, readonly [string, ...string[]]>> = {
  'conflict.contact_taken': ['contact'],
  'conflict.email_taken': ['email'],
  'conflict.mobile_taken': ['mobile'],
  'conflict.promo_exists': ['code'],
  'forbidden.activation': ['activation_code'],
  'invalid.activation_missing': ['activation_code'],
  'invalid.admin_password': ['password'],
  'invalid.age_missing': ['adult'],
  'invalid.blood_group': ['blood_group'],
  'invalid.child_contact_missing': ['contact'],
  'invalid.colour': ['colour'],
  'invalid.common_password': ['password'],
  'invalid.contact_missing': ['contact'],
  'invalid.document_end': ['expires_on'],
  'invalid.document_side': ['document_side'],
  'invalid.document_type': ['document_type'],
  'invalid.email': ['email', 'recipient'],
  'invalid.email_missing': ['email'],
  'invalid.emergency_phone': ['emergency_contact_phone'],
  'invalid.emergency_phone_abroad': ['emergency_contact_phone'],
  'invalid.emergency_phone_unknown': ['emergency_contact_phone'],
  'invalid.expiry': ['expires_at', 'expiry_date'],
  'invalid.expiry_past': ['expires_at', 'expiry_date'],
  'invalid.factor_code': ['code'],
  'invalid.insurance_end': ['insurance_expiry_date'],
  'invalid.key_name_missing': ['name'],
  'invalid.mobile': ['contact_phone', 'mobile', 'recipient'],
  'invalid.mobile_abroad': ['contact_phone', 'mobile'],
  'invalid.mobile_unknown': ['contact_phone', 'mobile'],
  'invalid.name_missing': ['name'],
  'invalid.otp': ['otp'],
  'invalid.otp_digits': ['otp'],
  'invalid.passkey_name_missing': ['name'],
  'invalid.password_long': ['password'],
  'invalid.password_missing': ['password'],
  'invalid.password_short': ['password'],
  'invalid.passwords_differ': ['confirm_password'],
  'invalid.pin': ['optional_pin', 'pin'],
  'invalid.present_password': ['current_password'],
  'invalid.promo_spaces': ['code'],
  'invalid.quantity': ['quantity'],
  'invalid.reply_to': ['reply_to'],
  'invalid.same_email': ['email'],
  'invalid.service_day': ['next_service_due'],
  'invalid.your_email_missing': ['email'],
  'invalid.your_password_missing': ['password'],
}

async function fieldOf(c: FinderContext, { field, code, refusal }: DomainError) {
  const named = field ?? valuesOf(refusal).field
  if (named !== undefined) return String(named).toLowerCase().replaceAll(' ', '_')
  const names = FIELDS[code]
  const isJson = c.req.header('Content-Type')?.startsWith('application/json')
  if (!names || names.length === 1 || !isJson) return names?.[0]
  const sent: unknown = await c.req.json().catch(() => undefined)
  const isSent = (name: string) => Object.hasOwn(Object(sent), name)
  // It may be the contact, which is an address or a number.
  return isSent('contact') ? undefined : (names.find(isSent) ?? names[0])
}
