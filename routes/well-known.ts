import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'

/** The pages that search engines may list; the others are somebody's. */
const LISTED = ['/', '/login', '/api/docs', '/terms', '/privacy']

/** What is somebody's: pages of codes, of accounts and of links. */
const PRIVATE = [
  '/scan/',
  '/claim',
  '/police/',
  '/child-register',
  '/reset-password',
  '/shared/',
  '/take/',
  '/dashboard',
  '/settings',
  '/admin',
  '/grant-admin',
  '/api/',
]

const A_DAY = 'public, max-age=86400'

/** Files that browsers and search engines ask for by names of their own choice. */
export const wellKnown = new Hono<AppEnv>()
  .get('/favicon.ico', (c, next) => serveIcon(c, 'favicon.ico', next))
  .get('/apple-touch-icon.png', (c, next) => serveIcon(c, 'apple-touch-icon.png', next))
  .get('/robots.txt', (c) => {
    const rules = ['User-agent: *', ...PRIVATE.map((path) => `Disallow: ${path}`)]
    const lines = [...rules, 'Allow: /api/docs', '', `Sitemap: ${urlOf(c, '/sitemap.xml')}`]
    c.header('Cache-Control', A_DAY)
    return c.text(`${lines.join('\n')}\n`)
  })
  .get('/sitemap.xml', (c) => {
    const urls = LISTED.map((path) => `<url><loc>${urlOf(c, path)}</loc></url>`).join('')
    c.header('Cache-Control', A_DAY)
    c.header('Content-Type', 'application/xml; charset=utf-8')
    return c.body(
      `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`,
    )
  })

function serveIcon(c: AppContext, name: string, next: () => Promise<void>) {
  c.header('Cache-Control', A_DAY)
  return serveStatic<AppEnv>({ root: c.var.deps.assets.dir, path: name })(c, next)
}

function urlOf(c: AppContext, path: string): string {
  return c.var.deps.config.publicUrl + path
}
