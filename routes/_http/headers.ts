import type { Config } from '#config.ts'
import type { AppContext } from '#routes/_http/deps.ts'

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function commonHeaders({ publicUrl }: Config): Record<string, string> {
  const https = publicUrl.startsWith('https:')
  return {
    'Content-Security-Policy': PAGE_POLICY,
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    ...(https && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  }
}

/** The finder's page loads no scripts, sends no referrer, and is not indexed. */
export function scanHeaders(scanCssHashes: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src ${scanCssHashes}`,
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

/** For pages with a code in their URL: no referrer is sent and search engines do not index them. */
export function keepUnlisted(c: AppContext): void {
  c.header('Referrer-Policy', 'no-referrer')
  c.header('X-Robots-Tag', 'noindex, noarchive')
}
