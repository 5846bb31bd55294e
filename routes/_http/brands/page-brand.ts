import type { PageBrand } from '#components/brands/brand-context.tsx'
import { findBrandForChild } from '#db/brands/resolve-brand.ts'
import type { BrandOwnerRow, ScannedCode } from '#db/scans/scan-path.ts'
import type { Account } from '#db/schema.ts'
import { type Brand, resolveBrand } from '#domain/brands/brand.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { type AppContext, type FinderContext, setVar, varOf } from '#routes/_http/context.ts'
import { wordsOf } from '#routes/_http/language.ts'
import { Redirect } from '#routes/_http/lists.ts'

/** Returns the host that the request names, in lower case and without a port. */
export function hostOf(c: FinderContext): string {
  return (c.req.header('Host') ?? '').toLowerCase().replace(/\.?(?::\d+)?$/, '')
}

/** A name of the DNS, such as an owner's domain. Other hosts are not looked up. */
const DNS_NAME = /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/

/** Returns the account whose domain the request names. Only its codes are served there. */
export async function findDomainOwner(c: FinderContext): Promise<BrandOwnerRow | undefined> {
  const { config, scanPath } = varOf(c, 'deps')
  const host = hostOf(c)
  if (!DNS_NAME.test(host) || isPublicHost(config.publicUrl, host)) return undefined
  return scanPath.findHost(host)
}

/** Compares the host without parsing a URL for each scan. */
function isPublicHost(publicUrl: string, host: string): boolean {
  const after = publicUrl.indexOf('//') + 2
  return (
    publicUrl.startsWith(host, after) && /^(?::\d+)?$/.test(publicUrl.slice(after + host.length))
  )
}

export type PageBranding = {
  brand: Brand | undefined
  /** the account whose domain serves the page */
  domainOwner: BrandOwnerRow | undefined
  /** the texts of the page, with the name of the brand */
  words: Catalogue
}

/**
 * Returns the brand of the page of a code. `isHere` is false for a request to the domain of an account that
 * neither has nor issued the code: the code is not found there, and the page has that account's brand.
 * Redirects to PUBLIC_URL for a code that was printed with the domain and has changed hands.
 */
export async function resolveBranding(
  c: FinderContext,
  code: ScannedCode | undefined,
): Promise<PageBranding & { isHere: boolean }> {
  const isAtHome = code?.brand_domain != null && hostOf(c) === code.brand_domain
  const domainOwner = isAtHome ? code : (varOf(c, 'domainOwner') ?? (await findDomainOwner(c)))
  const owners = code && [code.brand_owner_id, code.issuer_id]
  const isHere = !domainOwner || owners?.includes(domainOwner.brand_owner_id) === true
  if (!isHere && code && (await wasPrintedBy(c, code, domainOwner))) {
    const { pathname, search } = new URL(c.req.url)
    throw new Redirect(c.var.deps.config.publicUrl + pathname + search)
  }
  const row = isHere ? code : domainOwner
  const brand = row ? resolveBrand(row, varOf(c, 'deps').clock()).brand : varOf(c, 'brand')
  return { isHere, brand, domainOwner, words: wordsOf(c, brand) }
}

/** Sets the brand of the page, also for the page of an error. */
export function setBranding(
  c: FinderContext,
  { brand, domainOwner }: Omit<PageBranding, 'words'>,
): void {
  setVar(c, 'brand', brand)
  setVar(c, 'domainOwner', domainOwner)
}

/** Sets the brand of the page of a code. Returns `isHere` of `resolveBranding`. */
export async function applyBrand(
  c: FinderContext,
  code: ScannedCode | undefined,
): Promise<boolean> {
  const branding = await resolveBranding(c, code)
  setBranding(c, branding)
  return branding.isHere
}

/**
 * Checks whether a tag of the code has the domain of this account, which had the code before. Prints are
 * recorded by the present id of the code, also those of a replaced tag.
 */
async function wasPrintedBy(
  c: FinderContext,
  { qr_id, replaced_by }: ScannedCode,
  { brand_owner_id }: BrandOwnerRow,
): Promise<boolean> {
  if (!brand_owner_id || !['GET', 'HEAD'].includes(c.req.method)) return false
  return c.var.deps.scanPath.isPrinted(replaced_by ?? qr_id, brand_owner_id)
}

/** Applies the brand of a code by its present id or the id of a replaced tag: `applyBrand`. */
export async function applyBrandOfCode(
  c: FinderContext,
  qrId: string | undefined,
): Promise<boolean> {
  return applyBrand(c, await findCode(c, qrId))
}

/** Returns a code by its present id or the id of a replaced tag. */
export async function findCode(
  c: FinderContext,
  qrId: string | undefined,
): Promise<ScannedCode | undefined> {
  const { scanPath } = varOf(c, 'deps')
  return qrId ? ((await scanPath.find(qrId)) ?? (await scanPath.findReplaced(qrId))) : undefined
}

/** Applies the brand of a code. Throws not_found for a code that the domain of the request does not serve. */
export async function assertServedHere(c: FinderContext, qrId: string): Promise<void> {
  if (!(await applyBrandOfCode(c, qrId || undefined))) throw qrNotFound()
}

/** Sets the parent's brand for a child user, if that brand hides the product. */
export async function applyParentsBrand(
  c: AppContext,
  account: Pick<Account, 'id' | 'parent_id'>,
): Promise<void> {
  const { db, clock } = c.var.deps
  const brand = await findBrandForChild(db, account, clock())
  if (brand) c.set('brand', brand)
}

/** Returns the brand of the page. */
export function pageBrandOf(c: FinderContext): PageBrand {
  const brand = varOf(c, 'brand')
  return { brand, hasHome: !brand?.isAlone && !varOf(c, 'domainOwner') }
}
