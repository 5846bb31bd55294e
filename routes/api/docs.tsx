import type { OpenAPIHono } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { ApiDocs } from '#components/accounts/api-docs.tsx'
import { inName } from '#domain/brands/brand.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { answerHtml, pageHtml } from '#routes/_http/render.tsx'
import { answerCompressed, type Compressed, compress } from '#routes/api/_compressed.ts'
import { toApiGuide } from '#routes/api/_docs-view.ts'
import { describeApi } from '#routes/api/openapi.ts'

const HEADERS = { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept-Encoding' }

/** Renders the API's description as a page. Programs read /api/openapi.json. */
export function apiDocs(app: OpenAPIHono<AppEnv>) {
  let made: Compressed | undefined
  return new Hono<AppEnv>().get('/', (c) => {
    // With the name of a brand it is not for everybody.
    if (c.var.brand) return answerHtml(c, draw(app, c))
    made ??= compress(draw(app, c))
    return answerCompressed(c, made, HEADERS)
  })
}

function draw(app: OpenAPIHono<AppEnv>, c: AppContext): string {
  const guide = toApiGuide(describeApi(app, c))
  const description = inName(
    'Every call of the DriveQR API: its parameters, its answers, and who may make it.',
    c.var.brand?.name,
  )
  const page = { title: 'API', description, sheet: 'public', unlisted: false } as const
  return pageHtml(c, page, <ApiDocs guide={guide} />)
}
