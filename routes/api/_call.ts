import { createRoute, type RouteConfig, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Scope } from '#domain/accounts/api-key.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { keyHeader, onceForKey } from '#routes/api/_idempotency.ts'
import { answer, message, type Problem, problems } from '#routes/api/_payloads.ts'
import { KEY_SCOPES, type KeySubject, type Subject } from '#routes/api/_subjects.ts'

type Guard = MiddlewareHandler<AppEnv>
type Security = Record<string, string[]>[]
type Input = NonNullable<RouteConfig['request']>
type Answer = NonNullable<RouteConfig['responses'][string]>

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof METHODS)[number]

/** The path of a call by its method, its input, and its answers by status; a text is the answer `message`. */
type Call = { [method in Method]?: `/${string}` } & { [status: number]: Answer | string } & {
  /** parameters of the path with a description; others are read from the path */
  params?: z.ZodObject
  query?: Input['query']
  body?: Input['body']
  /** several answers at once */
  answers?: Record<number, Answer>
  /** refusals of this call beside those that follow from its method, input and security */
  problems?: readonly Problem[]
  /** makes something: a call of a signed-in caller with an `Idempotency-Key` is made once */
  makes?: true
  /** the fields of the answer that are told once */
  secrets?: readonly string[]
  /** replaces the guard of the group */
  middleware?: readonly Guard[]
}

type ParamOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamOf<Rest>
  : never

type Declared<C> = {
  method: Method & keyof C
  path: C[Method & keyof C] & string
  request: Pick<C, keyof C & ('params' | 'query' | 'body')> &
    ('params' extends keyof C
      ? unknown
      : { params: z.ZodObject<Record<ParamOf<C[Method & keyof C]>, z.ZodString>> })
  responses: (C extends { answers: infer Answers } ? Answers : unknown) & {
    [status in keyof C & number]: C[status] extends Answer ? C[status] : Done
  }
}

type Done = ReturnType<typeof answer<typeof message>>

/** Declares calls that anybody can make. */
export function publicCalls(subject: Subject) {
  return callsOf(subject, () => [])
}

const SESSION: Security = [{ cookie: [] }, { bearer: [] }]

/** Declares calls of a session. The guard refuses others before the payload is validated. */
export function sessionCalls(subject: Subject, guard: Guard = signedIn) {
  return callsOf(subject, () => SESSION, guard)
}

/** Declares calls of a session, or of an API key with the scope of the subject and the method. */
export function ownerCalls(subject: KeySubject) {
  const { read, write } = KEY_SCOPES[subject]
  const byKey = (scope: Scope) => [...SESSION, { api_key: [scope] }]
  return callsOf(subject, (method) => byKey(method === 'get' ? read : write), signedIn)
}

/** Declares calls that anybody can make, and that answer more to a session or an API key with one of the scopes. */
export function openCalls(subject: Subject, scopes: readonly Scope[]) {
  const byKey = scopes.map((scope) => ({ api_key: [scope] }))
  return callsOf(subject, () => [{}, ...SESSION, ...byKey])
}

function callsOf(subject: Subject, securityOf: (method: Method) => Security, guard?: Guard) {
  /** `operationId` is the name in generated clients: a verb and a noun. */
  return function declare<const C extends Call>(operationId: string, summary: string, call: C) {
    const method = METHODS.find((each) => call[each] !== undefined) ?? 'get'
    const path = call[method] ?? '/'
    const security = securityOf(method)
    const own = Object.entries(call).filter(([key]) => /^\d/.test(key))
    const responses = {
      ...refusalsOf(method, path, call, security),
      ...problems(...(call.problems ?? [])),
      ...call.answers,
      ...Object.fromEntries(
        own.map(([status, each]) => [
          status,
          typeof each === 'string' ? answer(each, message) : each,
        ]),
      ),
    }
    const mayBeEmpty = call.body?.required === false ? [emptyBodyAllowed] : []
    const guards = call.middleware ?? (guard ? [guard] : [])
    const once = call.makes ? [onceForKey(call.body, call.secrets)] : []
    const middleware = [...guards, ...once, ...mayBeEmpty]
    const named = { operationId, summary, tags: [subject] }
    // The types cover only the call's own answers: handlers throw the others.
    const route = { ...named, security, middleware, method, path, request: inputOf(path, call) }
    return createRoute({ ...route, responses }) as unknown as Declared<C>
  }
}

/** Accepts an empty body, even with a JSON content type. */
const emptyBodyAllowed = createMiddleware<AppEnv>(async function emptyBodyAllowed(c, next) {
  if ((await c.req.text()) === '') {
    const headers = new Headers(c.req.raw.headers)
    headers.delete('Content-Type')
    c.req.raw = new Request(c.req.url, { method: c.req.method, headers })
  }
  await next()
})

function inputOf(path: string, { params, query, body, makes }: Call) {
  const names = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => [name, z.string()])
  const named = names.length > 0 && { params: z.object(Object.fromEntries(names)) }
  const input = {
    ...named,
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body }),
  }
  return makes ? { ...input, ...keyHeader(body) } : input
}

function refusalsOf(
  method: Method,
  path: string,
  { query, body, makes }: Call,
  security: Security,
) {
  const isWrite = method !== 'get'
  return {
    // 401 also on public calls, for an invalid API key.
    ...problems(401, 429, 500),
    // A session-only call made with an API key, a plan without API access, a cross-site request.
    ...(security.length > 0 || isWrite ? problems(403) : {}),
    ...(path.includes('{') ? problems(404) : {}),
    ...(query ? problems(400) : {}),
    ...(body ? problems(400, 413, 415) : {}),
    ...(makes ? problems(400, 409, 422) : {}),
    // The disk is full.
    ...(isWrite ? problems(503) : {}),
  }
}
