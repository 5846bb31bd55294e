import { OpenAPIHono, z } from '@hono/zod-openapi'
import { DomainError } from '#domain/error.ts'
import { cleanLine, cleanText } from '#domain/text.ts'
import type { AppEnv } from '#routes/_http/context.ts'

/** Makes a router whose routes declare payloads and answers. The first broken rule is the error message. */
export function apiRouter() {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) {
        throw new DomainError('invalid', wordsOf(result.error))
      }
    },
  })
}

/** The error for a payload that is no object. */
export const notAnObject = { error: 'The request must be a JSON object' }

/** The validator's own messages, which are not for people. */
const VALIDATORS_WORDS = /^(?:Invalid input|Too (?:small|big))/

function wordsOf({ issues: [issue] }: z.core.$ZodError): string {
  if (!issue) return 'Invalid request'
  const { message, path } = issue
  if (message === notAnObject.error && path.length > 0) {
    return `${path.join('.')} must be a JSON object`
  }
  if (!VALIDATORS_WORDS.test(message)) return message
  return path.length === 0 ? notAnObject.error : `${String(path[0])} is not valid`
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
  return z
    .string({ error: `${name} must be text` })
    .nullish()
    .transform(clean)
    .refine((value) => (value?.length ?? 0) <= longest, {
      error: `${name} must be at most ${longest} characters`,
    })
    .openapi({ maxLength: longest })
}

const LONGEST_SECRET = 1000

/** Makes a field of a password exactly as typed, untrimmed. */
export function secret(name: string) {
  return z
    .string({ error: `${name} must be text` })
    .max(LONGEST_SECRET, `${name} is too long`)
    .nullish()
    .transform((value) => value ?? '')
    .openapi({ maxLength: LONGEST_SECRET })
}

/** Makes a field with a fixed set of values. An empty value counts as missing. */
export function choice<const T extends readonly string[]>(words: T, error: string) {
  return z
    .enum(['', ...words], { error })
    .nullish()
    .transform((word) => (word ? (word as T[number]) : undefined))
    .openapi({ type: 'string', enum: [...words] })
}

export function flag(name: string) {
  return z.boolean({ error: `${name} must be true or false` })
}

/** Applies a rule of `domain` to the whole payload, after the types. */
export function follows<T>(problem: (value: T) => string | undefined) {
  return (value: T, context: z.RefinementCtx) => {
    const message = problem(value)
    if (message) context.addIssue({ code: 'custom', message })
  }
}

/** Parses a page's form by the schema of the matching API call. Throws invalid. */
export function parseForm<T extends z.ZodType>(schema: T, form: Record<string, unknown>) {
  const parsed = schema.safeParse(form)
  if (parsed.success) return parsed.data
  throw new DomainError('invalid', wordsOf(parsed.error))
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
