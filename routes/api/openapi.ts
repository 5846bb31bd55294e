import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { sessionCookieName } from '#routes/_http/cookies.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { isKnown } from '#routes/_http/etag.ts'
import { acceptsGzip } from '#routes/_http/render.tsx'
import { answer, apiRouter, problems } from '#routes/_http/schema.ts'
import { CONTENTS } from '#routes/api/_contents.ts'
import { payloadOf, type Schema } from '#routes/api/_samples.ts'

const INFO = {
  title: 'DriveQR API',
  version: '1',
  description:
    'QR codes on key rings: owners, finders, authorities and administration. Refusals are `{ "detail" }` with a sentence for people; any call may answer 429, with `Retry-After`.',
}

const document = createRoute({
  method: 'get',
  path: '/',
  responses: { 200: answer('This document', z.record(z.string(), z.unknown())) },
})

type Media = { schema?: Schema; example?: unknown }
type Content = Record<string, Media>
export type Operation = {
  tags: string[]
  summary: string
  parameters?: {
    name: string
    in: string
    required?: boolean
    description?: string
    schema: Schema
  }[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
  security?: Record<string, string[]>[]
}
export type ApiDocument = {
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** Every call that the application answers, from the same schemas that it validates with. */
export function openapi(app: OpenAPIHono<AppEnv>) {
  let made: Packed | undefined
  return apiRouter().openapi(document, (c): never => {
    made ??= pack(describeApi(app, c))
    // What the bytes say, which no type can know.
    return answerPacked(c, made) as never
  })
}

type Packed = Record<'plain' | 'gzipped', { bytes: Uint8Array<ArrayBuffer>; etag: string }>

function pack(description: ApiDocument): Packed {
  const json = Buffer.from(JSON.stringify(description))
  const hash = createHash('sha256').update(json).digest('base64url').slice(0, 22)
  return {
    plain: { bytes: json, etag: `"${hash}"` },
    gzipped: { bytes: gzipSync(json, { level: 9 }), etag: `"${hash}-gzip"` },
  }
}

/** The same bytes for everybody: an answer that is not read costs no memory of its own. */
function answerPacked(c: AppContext, packed: Packed): Response {
  const isGzipped = acceptsGzip(c)
  const { bytes, etag } = packed[isGzipped ? 'gzipped' : 'plain']
  c.header('Content-Type', 'application/json')
  c.header('Cache-Control', 'public, max-age=0, must-revalidate')
  c.header('Vary', 'Accept-Encoding')
  c.header('ETag', etag)
  if (isKnown(c, etag)) return c.body(null, 304)
  if (isGzipped) c.header('Content-Encoding', 'gzip')
  return c.body(bytes)
}

const described = new WeakMap<OpenAPIHono<AppEnv>, ApiDocument>()

/** The description of an application, which does not change while it runs. */
export function describeApi(app: OpenAPIHono<AppEnv>, c: AppContext): ApiDocument {
  const known = described.get(app)
  if (known) return known
  const { config } = c.var.deps
  const servers = [{ url: config.publicUrl }]
  const tags = CONTENTS.map(({ name, description }) => ({ name, description }))
  const plain = app.getOpenAPI31Document({ openapi: '3.1.0', info: INFO, servers, tags })
  const components = { ...plain.components, securitySchemes: securitySchemes(c) }
  const made = { ...plain, components } as unknown as ApiDocument
  for (const [path, methods] of Object.entries(made.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      complete(`${method.toUpperCase()} ${path}`, operation)
    }
  }
  described.set(app, made)
  return made
}

/** Adds what the routes do not say themselves: subject, title, example, and what all may answer. */
function complete(call: string, operation: Operation): void {
  const group = CONTENTS.find(({ calls }) => call in calls)
  operation.tags = group ? [group.name] : []
  operation.summary = group?.calls[call] ?? ''
  operation.responses['429'] ??= tooMany
  const payload = operation.requestBody?.content['application/json']
  if (payload?.schema) payload.example = payloadOf(call, payload.schema)
}

const waitSchema: Schema = {
  type: 'object',
  properties: { detail: { type: 'string' }, retry_after: { type: 'integer' } },
  required: ['detail', 'retry_after'],
}
const tooMany = {
  description: problems(429)[429].description,
  content: { 'application/json': { schema: waitSchema } },
}

function securitySchemes(c: AppContext) {
  return {
    cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(c),
      description: 'The cookie of a browser that is signed in',
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session' },
    api_key: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key (`dqk_…`) of an account on the Enterprise plan',
    },
  }
}
