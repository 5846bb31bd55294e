import { z } from '@hono/zod-openapi'

export function jsonBody<T extends z.ZodType>(schema: T, example: z.input<T>) {
  return { required: true, content: { 'application/json': { schema, example } } } as const
}

/** Describes a payload that may be left out. */
export function optionalBody<T extends z.ZodType>(schema: T, example: z.input<T>) {
  return { ...jsonBody(schema, example), required: false } as const
}

export function answer<T extends z.ZodType>(description: string, schema: T) {
  return { description, content: { 'application/json': { schema } } } as const
}

export const message = z.object({ message: z.string() })

const problem = z.object({ detail: z.string() }).openapi('Problem')
const details = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().openapi({ description: 'stable, for programs' }),
    field: z.string().optional().openapi({ description: 'the field that the refusal is about' }),
  })
  .catchall(z.unknown())
  .openapi('ProblemDetails')
const broken = z
  .object({
    detail: z.string(),
    anyway: z.literal(true).optional().openapi({
      description: 'with `{field}_anyway` the number is taken as it is typed',
    }),
  })
  .openapi('RuleProblem')
const limitProblem = z
  .object({ detail: z.object({ message: z.string(), current_count: z.int(), limit: z.int() }) })
  .openapi('LimitProblem')
const forbidden = z
  .object({
    detail: z.string(),
    confirm: z.literal(true).optional().openapi({
      description: 'call `POST /api/account/confirm`, then this again',
    }),
  })
  .openapi('ForbiddenProblem')
const seconds = z.int().openapi({ description: 'seconds' })
const waitProblem = z
  .object({ detail: z.string(), retry_after: seconds })
  .openapi('TooManyTriesProblem')
const unavailable = z
  .object({ detail: z.string(), retry_after: seconds.optional() })
  .openapi('UnavailableProblem')

/** Describes a refusal, in the form for each `Accept`. */
export function problemAnswer<T extends z.ZodType>(description: string, schema: T) {
  const plain = answer(description, schema)
  const content = { ...plain.content, 'application/problem+json': { schema: details } }
  return { description, content } as const
}

const PROBLEMS = {
  400: problemAnswer('A rule was broken; detail says which', broken),
  401: problemAnswer('Not authenticated', problem),
  402: problemAnswer('A limit is reached', limitProblem),
  403: problemAnswer('Not allowed', forbidden),
  404: problemAnswer('Not found, or not yours', problem),
  409: problemAnswer('The state has already changed', problem),
  413: problemAnswer('Too large', problem),
  415: problemAnswer('Not an accepted type', problem),
  422: problemAnswer('The `Idempotency-Key` was used for another request', problem),
  429: problemAnswer('Too many tries', waitProblem),
  500: problemAnswer('A fault of the server; its log has the cause', problem),
  503: problemAnswer('A needed service is not configured, or busy', unavailable),
} as const

export type Problem = keyof typeof PROBLEMS

/** Returns the answers of refusals. */
export function problems<S extends Problem>(...statuses: S[]) {
  return Object.fromEntries(statuses.map((s) => [s, PROBLEMS[s]])) as Pick<typeof PROBLEMS, S>
}
