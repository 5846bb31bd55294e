import { Hono } from 'hono'
import { TermsPage } from '#components/site/terms-page.tsx'
import type { AppEnv } from '#routes/_http/deps.ts'
import { renderPage } from '#routes/_http/render.tsx'

export const terms = new Hono<AppEnv>().get('/', (c) => {
  const { email } = c.var.deps.config.support
  const page = {
    title: 'Terms',
    description: 'The terms under which this DriveQR service may be used.',
    sheet: 'public',
    unlisted: false,
  } as const
  return renderPage(c, page, <TermsPage supportEmail={email} year={2024} />)
})
