import { Hono } from 'hono'
import { PrivacyPage } from '#components/site/privacy-page.tsx'
import { inName } from '#domain/brands/brand.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { renderPage } from '#routes/_http/render.tsx'

export const privacy = new Hono<AppEnv>().get('/', (c) => {
  const { support, retention, operator, privacyContact, noticeVersion, google } = c.var.deps.config
  const page = {
    title: 'Privacy policy',
    description: inName(
      'What DriveQR keeps about owners and finders, and for how long.',
      c.var.brand?.name,
    ),
    sheet: 'public',
    unlisted: false,
  } as const
  const known = { name: operator.name, address: operator.address, contact: privacyContact }
  return renderPage(
    c,
    page,
    <PrivacyPage
      supportEmail={support.email}
      operator={known}
      retention={retention}
      version={noticeVersion}
      provider={google?.name ?? 'Google'}
    />,
  )
})
