import { OpenAPIHono, z } from '@hono/zod-openapi'
import { cleanLine, cleanText } from '#domain/text.ts'
import type { Refusal } from '#locales/refusal.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { notAnObject, refusalOf, refusing } from '#routes/_http/schema-refusals.ts'

/** Makes a router whose routes declare payloads and answers. The first broken rule is the error message. */
export function apiRouter() {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw refusalOf(result.error)
    },
  })
}

/** Returns the message for a field of another type, or none of its values: `{field} must be {what}`. */
export function mustBe(field: string, what: string): string {
  return refusing({ code: 'invalid.must_be', values: { field, what } })
}

/** Makes the schema of a JSON object or of a form. */
export function payload<const S extends z.ZodRawShape>(shape: S) {
  return z.object(shape, notAnObject)
}

/** Returns the message for a text with more characters. */
export function atMost(field: string, most: number): string {
  return refusing({ code: 'invalid.too_long', values: { field, most } })
}

/** Makes a field of one line of text: cleaned; empty or missing becomes null. A later rule may require it. */
export function text(name: string, longest = 200) {
  return cleaned(name, longest, cleanLine)
}

/** Makes a field of several lines of text: `text`. */
export function lines(name: string, longest: number) {
  return cleaned(name, longest, cleanText)
}

function cleaned(name: string, longest: number, clean: (value: unknown) => string | null) {
  return anyText(name)
    .nullish()
    .transform(clean)
    .refine((value) => (value?.length ?? 0) <= longest, {
      error: atMost(name, longest),
    })
    .openapi({ maxLength: longest })
}

const LONGEST_SECRET = 1000

/** Returns the message for a text of a program that is too long. */
export function tooLong(field: string): string {
  return refusing({ code: 'invalid.too_long_to_read', values: { field } })
}

/** Makes a field of a password exactly as typed, untrimmed. */
export function secret(name: string) {
  return anyText(name)
    .max(LONGEST_SECRET, tooLong(name))
    .nullish()
    .transform((value) => value ?? '')
    .openapi({ maxLength: LONGEST_SECRET })
}

/** Makes a field with a fixed set of values. An empty value counts as missing. */
export function choice<const T extends readonly string[]>(words: T, field: string) {
  return z
    .enum(['', ...words], noneOf(words, field))
    .nullish()
    .transform((word) => (word ? (word as T[number]) : undefined))
    .openapi({ type: 'string', enum: [...words] })
}

/** Makes a required field with a fixed set of values. */
export function oneOf<const T extends readonly string[]>(words: T, field: string) {
  return z.enum(words, noneOf(words, field))
}

/** Returns the message `action must be approve or reject`. */
function noneOf(words: readonly string[], field: string): string {
  return mustBe(field, new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words))
}

/** Makes a field of text as it was sent, which a rule of `domain` reads. */
export function anyText(name: string) {
  return z.string({ error: mustBe(name, 'text') })
}

export function flag(name: string) {
  return z.boolean({ error: refusing({ code: 'invalid.flag', values: { field: name } }) })
}

/** Applies a rule of `domain` to the whole payload, after the types. */
export function follows<T>(problem: (value: T) => Refusal | undefined) {
  return (value: T, context: z.RefinementCtx) => {
    const refusal = problem(value)
    if (refusal) context.addIssue({ code: 'custom', message: refusing(refusal) })
  }
}

/** Parses a page's form by the schema of the matching API call. Throws invalid. */
export function parseForm<T extends z.ZodType>(schema: T, form: Record<string, unknown>) {
  const parsed = schema.safeParse(form)
  if (parsed.success) return parsed.data
  throw refusalOf(parsed.error)
}

/**
 * Describes text fields as required, each with its shortest length. The schema itself accepts a
 * missing one, because a rule of `domain` words that error.
 */
export function requires<T extends z.ZodObject>(
  object: T,
  shortest: { [name in keyof T['shape']]?: number },
): T {
  const fields = Object.entries(object.shape) as [string & keyof T['shape'], z.ZodType][]
  const texts = fields.filter(([name]) => name in shortest)
  const described = texts.map(([name, field]) => {
    return [name, field.openapi({ type: 'string', minLength: shortest[name] })]
  })
  const required = fields.filter(([name, field]) => name in shortest || !field.isOptional())
  return object
    .extend(Object.fromEntries(described))
    .openapi({ required: required.map(([name]) => name) }) as unknown as T
}
