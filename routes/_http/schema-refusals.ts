import type { z } from '@hono/zod-openapi'
import { DomainError } from '#domain/error.ts'
import type { Refusal } from '#locales/refusal.ts'

/** Returns a refusal as the message of a schema, which has only text. */
export function refusing(refusal: Refusal): string {
  return JSON.stringify(refusal)
}

/** The error for a payload that is no object. */
export const notAnObject = { error: refusing('invalid.not_object') }

/** Returns the first refusal of an error. The validator's own messages, which are no JSON, are not for people. */
export function refusalIn({ issues: [issue] }: z.core.$ZodError): Refusal {
  const { message = '', path = [] } = issue ?? {}
  const field = path.join('.')
  if (message === notAnObject.error && field) {
    return { code: 'invalid.must_be', values: { field, what: 'a JSON object' } }
  }
  if (/^["{]/.test(message)) return JSON.parse(message)
  return field
    ? { code: 'invalid.field', values: { field: String(path[0]) } }
    : 'invalid.not_object'
}

/** Returns the error for a payload, with the field of the first broken rule. */
export function refusalOf(error: z.core.$ZodError): DomainError {
  const field = error.issues[0]?.path[0]?.toString()
  return new DomainError(refusalIn(error), { field })
}
