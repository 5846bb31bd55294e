import { addressOf } from '#domain/brands/domain-name.ts'
import { DomainError } from '#domain/error.ts'
import { hostOf } from '#routes/_http/brands/page-brand.ts'
import type { AppContext } from '#routes/_http/context.ts'

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/**
 * These forms need no cookie: a PIN, or the token in the path, is all they go by. Their pages send no
 * referrer, so browsers send `Origin: null`, and no `Sec-Fetch-Site` without https. Where it is sent, it
 * counts: another site could make all its visitors write and report, each from an address of their own.
 */
const FINDERS_FORMS = /^\/(?:scan|c)\//

/**
 * Their pages send no referrer either. Everybody may send these forms; at worst a claim goes to the
 * wrong account. Those of a transfer need its token, which no other site has.
 */
const OPEN_FORMS =
  /^\/(?:claim|child-register|reset-password|(?:take|invite|way-back)\/[^/]+|transfer\/[^/]+(?:\/decline)?)$/

/**
 * Refuses unsafe requests from other sites. `Sec-Fetch-Site` decides, or else the exact `Origin`. A
 * request with a cookie but neither header is refused; without a cookie it is no browser's.
 */
export function refuseCrossSite(c: AppContext): void {
  if (SAFE_METHODS.includes(c.req.method)) return
  const site = c.req.header('Sec-Fetch-Site')
  if (!site && FINDERS_FORMS.test(c.req.path)) return
  const origin = c.req.header('Origin')
  const sameOrigin = site
    ? site === 'same-origin' || site === 'none'
    : origin
      ? isOwnOrigin(c, origin) || (origin === 'null' && OPEN_FORMS.test(c.req.path))
      : !c.req.header('Cookie')
  if (sameOrigin) return
  if (origin && isOpenedHere(c, origin)) throw openedElsewhere(c, origin)
  throw new DomainError('forbidden.cross_site')
}

/** Whether the page that sent it is of this server, which was opened at another address than PUBLIC_URL. */
function isOpenedHere(c: AppContext, origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === c.req.header('Host')
}

/** The operator caused this, and can see it in the log. */
function openedElsewhere(c: AppContext, opened: string): DomainError {
  const { config, log } = c.var.deps
  const site = config.publicUrl
  log.warn({ requestId: c.var.requestId, publicUrl: site, opened }, 'refused: not PUBLIC_URL')
  return new DomainError({ code: 'forbidden.other_address', values: { site, opened } })
}

function isOwnOrigin(c: AppContext, origin: string): boolean {
  const { domainOwner, deps } = c.var
  if (!domainOwner) return origin === deps.config.publicUrl
  return origin === addressOf(hostOf(c))
}
