import { Hono } from 'hono'
import { LandingPage } from '#components/site/landing-page.tsx'
import { planViews } from '#domain/plans/plan.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { renderPage } from '#routes/_http/render.tsx'

export const index = new Hono<AppEnv>().get('/', (c) => {
  const { brand, deps } = c.var
  // For a child user whose parent hides the product there is nothing to read here.
  if (brand?.isAlone) return c.redirect('/dashboard', 302)
  const { config } = deps
  const plans = planViews(config.prices)
  const page = {
    title: 'Smart QR key rings',
    description: 'QR key rings that bring keys home: a finder scans the code, one tap reaches you.',
    sheet: 'public',
    unlisted: false,
  } as const
  return renderPage(c, page, <LandingPage plans={plans} pictures={deps.assets.pictures} />)
})
