import { OpenAPIHono, z } from '@hono/zod-openapi'
import { createMiddleware } from 'hono/factory'
import { DomainError } from '#domain/error.ts'
import { cleanLine, cleanText } from '#domain/text.ts'
import type { AppEnv } from '#routes/_http/deps.ts'

/** A router whose routes declare what they take and answer; the first broken rule is the answer. */
export function apiRouter() {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) {
        throw new DomainError('invalid', result.error.issues[0]?.message ?? 'Invalid request')
      }
    },
  })
}

/** What an object schema says of a payload that is none. */
export const notAnObject = { error: 'The request must be a JSON object' }

/** A line as people type it: cleaned, empty or missing becomes null; a rule decides if it is needed. */
export function text(name: string, longest = 200) {
  return cleaned(name, longest, cleanLine)
}

/** As `text`, for several lines. */
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

/** A password as typed: spaces count, nothing is trimmed. */
export function secret(name: string) {
  return z
    .string({ error: `${name} must be text` })
    .max(LONGEST_SECRET, `${name} is too long`)
    .nullish()
    .transform((value) => value ?? '')
    .openapi({ maxLength: LONGEST_SECRET })
}

export function flag(name: string) {
  return z.boolean({ error: `${name} must be true or false` })
}

/** A whole-payload rule that a `domain` function words; it speaks only when the types are right. */
export function follows<T>(problem: (value: T) => string | undefined) {
  return (value: T, context: z.RefinementCtx) => {
    const message = problem(value)
    if (message) context.addIssue({ code: 'custom', message })
  }
}

/** What a page's own form sent, by the schema of the call that does the same. */
export function parseForm<T extends z.ZodType>(schema: T, form: Record<string, unknown>) {
  const parsed = schema.safeParse(form)
  if (parsed.success) return parsed.data
  throw new DomainError('invalid', parsed.error.issues[0]?.message ?? 'Invalid request')
}

/**
 * The object as it is described when these texts must be there, each at least so long. What is said
 * of a missing one is the rule's to word, so the schema itself takes it.
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

export function jsonBody<T extends z.ZodType>(schema: T, example: z.input<T>) {
  return { required: true, content: { 'application/json': { schema, example } } } as const
}

/** For a call whose payload may be missing: nothing at all is no JSON, whatever its header says. */
export const emptyBodyAllowed = createMiddleware<AppEnv>(async function emptyBodyAllowed(c, next) {
  if ((await c.req.text()) === '') {
    const headers = new Headers(c.req.raw.headers)
    headers.delete('Content-Type')
    c.req.raw = new Request(c.req.url, { method: c.req.method, headers })
  }
  await next()
})

export function answer<T extends z.ZodType>(description: string, schema: T) {
  return { description, content: { 'application/json': { schema } } } as const
}

export const message = z.object({ message: z.string() })

const problem = z.object({ detail: z.string() }).openapi('Problem')
const limitProblem = z
  .object({ detail: z.object({ message: z.string(), current_count: z.int(), limit: z.int() }) })
  .openapi('PlanLimitProblem')
const seconds = z.int().openapi({ description: 'seconds' })
const waitProblem = z
  .object({ detail: z.string(), retry_after: seconds })
  .openapi('TooManyTriesProblem')
const unavailable = z
  .object({ detail: z.string(), retry_after: seconds.optional() })
  .openapi('UnavailableProblem')

const PROBLEMS = {
  400: answer('A rule was broken; detail says which', problem),
  401: answer('Not signed in', problem),
  402: answer('The plan allows no more', limitProblem),
  403: answer('Not allowed', problem),
  404: answer('Not there, or not yours', problem),
  409: answer('Somebody was faster', problem),
  413: answer('Too large', problem),
  415: answer('Not a kind that is taken', problem),
  429: answer('Too many tries', waitProblem),
  500: answer('Our fault; the log says what', problem),
  503: answer('A needed service is not configured, or busy', unavailable),
} as const

export function problems<S extends keyof typeof PROBLEMS>(...statuses: S[]) {
  return Object.fromEntries(statuses.map((s) => [s, PROBLEMS[s]])) as Pick<typeof PROBLEMS, S>
}

export const sessionSecurity: Record<string, string[]>[] = [{ cookie: [] }, { bearer: [] }]
/** For what an API key may do too: nothing that does not say so here lets one in. */
export const ownerSecurity = [...sessionSecurity, { api_key: [] }]
