import { createHash } from 'node:crypto'
import { brandCss } from '#components/brands/brand-context.tsx'
import type { Config } from '#config.ts'
import type { Brand } from '#domain/brands/brand.ts'
import type { AppContext } from '#routes/_http/context.ts'

type PageNeeds = {
  /** the source that allows an inlined style */
  styleHash?: string | undefined
  /** whether the page shows other pages of this site in frames */
  hasFrames?: boolean
  /** another address that an answer to one of its forms may lead to */
  leadsTo?: string | undefined
}

export function pagePolicy({ styleHash, hasFrames = false, leadsTo }: PageNeeds = {}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styleHash ? ` ${styleHash}` : ''}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    ...(hasFrames ? ["frame-src 'self'"] : []),
    "manifest-src 'self'",
    `form-action 'self'${leadsTo ? ` ${leadsTo}` : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const PAGE_POLICY = pagePolicy()
const YEAR = 'max-age=31536000'

export function commonHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> {
  const https = publicUrl.startsWith('https:')
  return {
    'Content-Security-Policy': PAGE_POLICY,
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...(https && { 'Strict-Transport-Security': `${YEAR}; includeSubDomains` }),
  }
}

/** Returns the headers under an owner's domain, whose subdomains may have no certificate. */
export function ownersDomainHeaders({
  publicUrl,
}: Pick<Config, 'publicUrl'>): Record<string, string> {
  return publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': YEAR } : {}
}

/**
 * Returns the headers of the finder's pages, which send no referrer and are not indexed. They load
 * scripts only if `hasScript`, and only from this server.
 */
export function finderHeaders(
  cssHashes: string,
  { hasScript = false } = {},
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ...(hasScript ? ["script-src 'self'", "connect-src 'self'"] : []),
    `style-src ${cssHashes}`,
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex, noarchive',
  }
}

/** Keeps a page with a code in its URL out of search engines and referrers. */
export function keepUnlisted(c: AppContext): void {
  c.header('Referrer-Policy', 'no-referrer')
  c.header('X-Robots-Tag', 'noindex, noarchive')
}

/** Returns whether the client already has this version. */
export function isNotModified(c: AppContext, etag: string): boolean {
  const header = c.req.header('If-None-Match') ?? ''
  const known = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

/** Returns the source of the content policy that allows the style of a brand's colours. */
export function brandCssHash(brand: Brand): string {
  return `'sha256-${createHash('sha256').update(brandCss(brand)).digest('base64')}'`
}
