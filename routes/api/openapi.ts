import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Config } from '#config.ts'
import { inName } from '#domain/brands/brand.ts'
import { hasPlans, onOffer } from '#domain/plans/offer.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { sessionCookieName } from '#routes/_http/cookies.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { publicCalls } from '#routes/api/_call.ts'
import { answerCompressed, type Compressed, compress } from '#routes/api/_compressed.ts'
import type { ApiDocument, Operation } from '#routes/api/_openapi-types.ts'
import { answer } from '#routes/api/_payloads.ts'
import { SUBJECTS } from '#routes/api/_subjects.ts'
import { withoutPlans } from '#routes/api/_without-plans.ts'
import { describeWebhooks } from '#routes/api/alerts/_webhook-calls.ts'

const call = publicCalls('This description')

const TITLE = 'DriveQR API'
const ABOUT =
  'QR codes on key rings: owners, finders, authorities and administration. Errors are `{ "detail" }` with a message for people; any call may answer 429, with `Retry-After`.'

const HEADERS = { 'Content-Type': 'application/json', Vary: 'Accept-Encoding' }

const document = call('getOpenApi', 'Get the description of every call', {
  get: '/',
  200: answer('This document', z.record(z.string(), z.unknown())),
  304: { description: 'Unchanged' },
})

/** Describes every call, from the same schemas that validate it. */
export function openapi(app: OpenAPIHono<AppEnv>) {
  let made: Compressed | undefined
  return apiRouter().openapi(document, (c): never => {
    const name = c.var.brand?.name
    // With the name of a brand it is not for everybody.
    if (name) return c.json(describeAs(name, describeApi(app, c))) as never
    made ??= compress(JSON.stringify(describeApi(app, c)))
    // Prepared bytes have no type of their own.
    return answerCompressed(c, made, HEADERS) as never
  })
}

const described = new WeakMap<OpenAPIHono<AppEnv>, ApiDocument>()

/** Describes an application, once: the description does not change while it runs. */
export function describeApi(app: OpenAPIHono<AppEnv>, c: AppContext): ApiDocument {
  const known = described.get(app)
  if (known) return known
  const { config } = c.var.deps
  describeWebhooks(app, config.publicUrl)
  const plain = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: TITLE,
      version: '1',
      description: ABOUT,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: contactOf(config),
    },
    servers: [{ url: config.publicUrl }],
    tags: onOffer(Object.entries(SUBJECTS).map(([id, about]) => ({ id, about }))).map(
      ({ id: name, about }) => ({ name, description: aboutNow(about) }),
    ),
  })
  const components = { ...plain.components, securitySchemes: securitySchemes(c) }
  const whole = { ...plain, components } as unknown as ApiDocument
  const made = hasPlans() ? whole : withoutPlans(whole)
  for (const methods of Object.values(made.paths)) {
    for (const operation of Object.values(methods)) {
      operation.description = outcomeOf(operation)
    }
  }
  described.set(app, made)
  return made
}

/** Leaves out which plans have a thing, where there are none. */
function aboutNow(about: string): string {
  return hasPlans() ? about : about.replace(/ \((Premium and )?Enterprise\)/, '')
}

/** With another name where the product's stands. */
function describeAs(name: string, description: ApiDocument): ApiDocument {
  const { info } = description
  return { ...description, info: { ...info, title: inName(info.title, name) } }
}

function contactOf({ support, publicUrl }: Config) {
  return support.email ? { email: support.email } : { url: publicUrl }
}

/** The description of a successful answer. */
function outcomeOf({ responses }: Operation): string | undefined {
  return Object.entries(responses).find(([status]) => Number(status) < 400)?.[1].description
}

function securitySchemes(c: AppContext) {
  return {
    cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(c),
      description: 'The session cookie of a browser',
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session' },
    api_key: {
      type: 'http',
      scheme: 'bearer',
      description: `An API key (\`dqk_…\`) of an account${hasPlans() ? ' on the Enterprise plan' : ''}, with the scope that the call names; \`codes:write\` includes \`codes:read\``,
    },
  }
}
