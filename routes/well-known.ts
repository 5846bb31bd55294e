import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { findHoldersToken } from '#db/brands/domains.ts'
import { secondsAfter } from '#db/cast.ts'
import { proofOf } from '#domain/brands/domain-name.ts'
import { settingsHref } from '#domain/settings.ts'
import { hostOf } from '#routes/_http/brands/page-brand.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { THEME_COLOR } from '#routes/_http/shell.tsx'

/** The pages that search engines may list; the others are somebody's. */
const LISTED = ['/', '/login', '/api/docs', '/terms', '/privacy']

/**
 * The private pages: of codes, accounts and links. Not those of finders, whose addresses people share:
 * a crawler that may not open them never sees their `noindex`.
 */
const PRIVATE = [
  '/claim',
  '/police/',
  '/child-register',
  '/reset-password',
  '/shared/',
  '/calendar/',
  '/take/',
  '/invite',
  '/transfer/',
  '/way-back/',
  '/confirm',
  '/dashboard',
  '/settings',
  '/internal/',
  '/admin',
  '/grant-admin',
  '/api/',
  '/healthz',
  '/readyz',
  '/metrics',
]

const A_DAY = 'public, max-age=86400'
/** Browsers look for a new one by themselves, and ask each time. */
const EACH_TIME = 'no-cache'

/** It calls the API, and shows the icon. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; img-src 'self'"

/** The app on the home screen: the signed-in pages, without the bars of the browser. */
const MANIFEST = JSON.stringify({
  id: '/dashboard',
  name: 'DriveQR',
  short_name: 'DriveQR',
  description: 'Your QR codes, and who found your keys',
  start_url: '/dashboard',
  scope: '/',
  display: 'standalone',
  theme_color: THEME_COLOR.app,
  background_color: THEME_COLOR.public,
  icons: [
    { src: '/assets/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/assets/icon-512.png', sizes: '512x512', type: 'image/png' },
    {
      src: '/assets/icon-maskable-512.png',
      sizes: '512x512',
      type: 'image/png',
      purpose: 'maskable',
    },
  ],
})

const SECURITY_TXT = '/.well-known/security.txt'
/** RFC 9116 requires an expiry of at most a year. Readers fetch the file again. */
const SECURITY_TXT_DAYS = 180

/** Returns the contact for security faults of this installation. */
function securityTxt(contact: string, url: string, now: Date): string {
  const expires = secondsAfter(now, SECURITY_TXT_DAYS * 86_400).toISOString()
  const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en, hi']
  return `${[...lines, `Canonical: ${url}`].join('\n')}\n`
}

/** Files that browsers and search engines ask for by names of their own choice. */
export const wellKnown = new Hono<AppEnv>()
  .get('/favicon.ico', (c, next) => serveIcon(c, 'favicon.ico', next))
  .get('/apple-touch-icon.png', (c, next) => serveIcon(c, 'apple-touch-icon.png', next))
  .get('/manifest.webmanifest', (c) => {
    c.header('Cache-Control', A_DAY)
    c.header('Content-Type', 'application/manifest+json; charset=utf-8')
    return c.body(MANIFEST)
  })
  .get('/sw.js', (c) => {
    c.header('Cache-Control', EACH_TIME)
    c.header('Content-Security-Policy', WORKER_POLICY)
    c.header('Content-Type', 'text/javascript; charset=utf-8')
    return c.body(c.var.deps.assets.serviceWorker)
  })
  .get('/.well-known/change-password', (c) => c.redirect(settingsHref('security'), 302))
  .get(SECURITY_TXT, (c) => {
    const { securityContact } = c.var.deps.config
    if (!securityContact) return c.text('There is no contact for security', 404)
    c.header('Cache-Control', A_DAY)
    return c.text(securityTxt(securityContact, urlOf(c, SECURITY_TXT), c.var.deps.clock()))
  })
  .get('/.well-known/driveqr-domain', async (c) => {
    const domain = hostOf(c)
    // Only the holder's text is served: otherwise any account could prove each name that points here.
    const token = c.var.domainOwner && (await findHoldersToken(c.var.deps.db, domain))
    if (!token) return c.text('Nobody has proven this address', 404)
    c.header('Cache-Control', 'no-store')
    return c.text(proofOf(domain, token).text)
  })
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
