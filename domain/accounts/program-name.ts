/** What the `User-Agent` of every browser begins with. */
const BROWSER = /^Mozilla\//

/**
 * What a program calls itself in `User-Agent`, without its version: `curl` for `curl/8.5.0`, empty for one that
 * says nothing. Undefined for a browser, which keeps the cookie by which it is known.
 */
export function programName(userAgent = ''): string | undefined {
  if (BROWSER.test(userAgent)) return undefined
  return /^[^/\s]*/.exec(userAgent)?.[0].slice(0, 100).toLowerCase()
}
