/** Every browser's `User-Agent` begins with this. */
const BROWSER = /^Mozilla\//

/**
 * Returns a program's name in `User-Agent` without its version: `curl` for `curl/8.5.0`, empty for
 * none. Returns undefined for a browser, whose cookie identifies it.
 */
export function programName(userAgent = ''): string | undefined {
  if (BROWSER.test(userAgent)) return undefined
  return /^[^/\s]*/.exec(userAgent)?.[0].slice(0, 100).toLowerCase()
}
