import type { OpenAPIHono } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { ApiDocs } from '#components/accounts/api-docs.tsx'
import type { AppEnv } from '#routes/_http/deps.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { toApiGuide } from '#routes/api/_docs-view.ts'
import { describeApi } from '#routes/api/openapi.ts'

/** The API's description as a page; the same for programs is /api/openapi.json. */
export function apiDocs(app: OpenAPIHono<AppEnv>) {
  return new Hono<AppEnv>().get('/', (c) => {
    const guide = toApiGuide(describeApi(app, c))
    const description =
      'Every call of the DriveQR API: what it takes, what it answers, who may make it.'
    const page = { title: 'API', description, sheet: 'public', unlisted: false } as const
    return renderPage(c, page, <ApiDocs guide={guide} />)
  })
}
