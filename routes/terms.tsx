import { Hono } from 'hono'
import { TermsPage } from '#components/site/terms-page.tsx'
import { inName } from '#domain/brands/brand.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { renderPage } from '#routes/_http/render.tsx'

export const terms = new Hono<AppEnv>().get('/', (c) => {
  const { email } = c.var.deps.config.support
  const page = {
    title: 'Terms',
    description: inName(
      'The terms under which this DriveQR service may be used.',
      c.var.brand?.name,
    ),
    sheet: 'public',
    unlisted: false,
  } as const
  return renderPage(c, page, <TermsPage supportEmail={email} />)
})
