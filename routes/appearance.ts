import { Hono } from 'hono'
import { readAppearance } from '#domain/appearance.ts'
import { SETTINGS_HREF, SETTINGS_PAGES, settingsHref } from '#domain/settings.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { keepAppearance } from '#routes/_http/cookies.ts'

/** The pages that have the switch; their forms' own addresses could not be opened again. */
const PAGES = [
  '/dashboard',
  '/admin',
  '/admin-dashboard',
  '/grant-admin',
  SETTINGS_HREF,
  ...SETTINGS_PAGES.map(({ id }) => settingsHref(id)),
]

/** Remembers how pages are to look, and leads back to the one that asked. */
export const appearance = new Hono<AppEnv>().post('/', async (c) => {
  const form = new URLSearchParams(await c.req.text())
  keepAppearance(c, readAppearance(form.get('appearance')))
  return c.redirect(pageOf(c.req.header('Referer')), 303)
})

/** Only its path is taken from the browser's word, and only where we know it. */
function pageOf(referer = ''): string {
  const { pathname, search } = URL.canParse(referer) ? new URL(referer) : new URL('http://none/')
  return PAGES.includes(pathname) ? pathname + search : '/dashboard'
}
