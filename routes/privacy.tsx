import { Hono } from 'hono'
import { PrivacyPage } from '#components/site/privacy-page.tsx'
import type { AppEnv } from '#routes/_http/deps.ts'
import { renderPage } from '#routes/_http/render.tsx'

export const privacy = new Hono<AppEnv>().get('/', (c) => {
  const { email } = c.var.deps.config.support
  const page = {
    title: 'Privacy policy',
    description: 'What DriveQR keeps about owners and finders, and for how long.',
    sheet: 'public',
    unlisted: false,
  } as const
  return renderPage(c, page, <PrivacyPage supportEmail={email} year={2024} />)
})
