import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import type { AppEnv } from '#routes/_deps.ts'
import { answer, apiRouter } from '#routes/_schema.ts'

const INFO = {
  title: 'DriveQR API',
  version: '1',
  description: 'QR codes on key rings: owners, finders, authorities and administration.',
}

const describe = createRoute({
  method: 'get',
  path: '/',
  responses: { 200: answer('This document', z.record(z.string(), z.unknown())) },
})

/** Every call that the application answers, from the same schemas that it validates with. */
export function openapi(app: OpenAPIHono<AppEnv>) {
  app.openAPIRegistry.registerComponent('securitySchemes', 'cookie', {
    type: 'apiKey',
    in: 'cookie',
    name: 'driveqr',
    description: 'Named __Host-driveqr where the service is reached by https.',
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
  })
  return apiRouter().openapi(describe, (c) =>
    c.json(
      app.getOpenAPI31Document({
        openapi: '3.1.0',
        info: INFO,
        servers: [{ url: c.var.deps.config.publicUrl }],
      }),
      200,
    ),
  )
}
