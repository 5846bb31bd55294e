import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { sessionCookieName } from '#routes/_cookies.ts'
import type { AppContext, AppEnv } from '#routes/_deps.ts'
import { answer, apiRouter } from '#routes/_schema.ts'

const INFO = {
  title: 'DriveQR API',
  version: '1',
  description: 'QR codes on key rings: owners, finders, authorities and administration.',
}

const document = createRoute({
  method: 'get',
  path: '/',
  responses: { 200: answer('This document', z.record(z.string(), z.unknown())) },
})

/** Every call that the application answers, from the same schemas that it validates with. */
export function openapi(app: OpenAPIHono<AppEnv>) {
  return apiRouter().openapi(document, (c) => {
    const servers = [{ url: c.var.deps.config.publicUrl }]
    const described = app.getOpenAPI31Document({ openapi: '3.1.0', info: INFO, servers })
    const components = { ...described.components, securitySchemes: securitySchemes(c) }
    return c.json({ ...described, components }, 200)
  })
}

function securitySchemes(c: AppContext) {
  return {
    cookie: { type: 'apiKey', in: 'cookie', name: sessionCookieName(c) },
    bearer: { type: 'http', scheme: 'bearer', description: 'The token of a session' },
    api_key: { type: 'http', scheme: 'bearer', description: 'An API key: `dqk_…`' },
  }
}
