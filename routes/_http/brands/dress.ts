import { createHash } from 'node:crypto'
import { brandCss, type Dress } from '#components/brands/brand-context.tsx'
import { findBrandForChild, findWearer } from '#db/brands/worn.ts'
import type { ScannedCode, WearerRow } from '#db/scans/scan-path.ts'
import type { Account, FinderConversationRow } from '#db/schema.ts'
import { type Brand, type Worn, wornOf } from '#domain/brands/brand.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import { userOfCode } from '#domain/conversations/rules.ts'
import { type AppContext, type FinderContext, varOf } from '#routes/_http/context.ts'
import { nameWords } from '#routes/_http/language.ts'
import { Redirect } from '#routes/_http/redirect.ts'

/** The host that the request names, in lower case and without a port. */
export function hostOf(c: FinderContext): string {
  return (c.req.header('Host') ?? '').toLowerCase().replace(/\.?(?::\d+)?$/, '')
}

/** Names of the DNS, as an own address is one; other hosts are not looked up. */
const DNS_NAME = /^[a-z0-9.-]+\.[a-z][a-z0-9-]*$/

/** Finds whether the request came by an account's own address, under which nobody else's codes are. */
export async function findOwnHost(c: FinderContext): Promise<WearerRow | undefined> {
  const { config, scanPath } = varOf(c, 'deps')
  const host = hostOf(c)
  if (!DNS_NAME.test(host) || isPublicHost(config.publicUrl, host)) return undefined
  const found = await scanPath.findHost(host)
  if (found) variablesOf(c).set('ownHost', found)
  return found
}

/** Without parsing a URL for each scan. */
function isPublicHost(publicUrl: string, host: string): boolean {
  const after = publicUrl.indexOf('//') + 2
  return (
    publicUrl.startsWith(host, after) && /^(?::\d+)?$/.test(publicUrl.slice(after + host.length))
  )
}

/**
 * Puts on what the code wears. False when the request came by the own address of an account that the
 * code neither belongs to nor was issued by: it is not found there, and the page wears that account's.
 * One that was printed there and has changed hands since is led to the service's own address.
 */
export async function dress(c: FinderContext, code: ScannedCode | undefined): Promise<boolean> {
  if (code) wear(c, wornOf(code, varOf(c, 'deps').clock()))
  const isAtHome = code?.brand_domain != null && hostOf(c) === code.brand_domain
  if (isAtHome && code) variablesOf(c).set('ownHost', code)
  const host = isAtHome ? undefined : (varOf(c, 'ownHost') ?? (await findOwnHost(c)))
  if (!host) return true
  if (code && [code.wearer_id, code.issuer_id].includes(host.wearer_id)) return true
  if (code && (await wasPrintedBy(c, code, host))) {
    const { pathname, search } = new URL(c.req.url)
    throw new Redirect(c.var.deps.config.publicUrl + pathname + search)
  }
  wear(c, wornOf(host, c.var.deps.clock()))
  return false
}

/**
 * Whether somebody looks at a code whose tag has the address of an account that had it before. Prints are
 * known by the id that the code has by now, also those of a tag that was replaced.
 */
async function wasPrintedBy(
  c: FinderContext,
  { qr_id, replaced_by }: ScannedCode,
  { wearer_id }: WearerRow,
): Promise<boolean> {
  if (!wearer_id || !['GET', 'HEAD'].includes(c.req.method)) return false
  return c.var.deps.scanPath.isPrinted(replaced_by ?? qr_id, wearer_id)
}

/** As `dress`, for a page that knows its code by the id alone, of now or of a tag that was replaced. */
export async function dressByCode(c: FinderContext, qrId: string | undefined): Promise<boolean> {
  return dress(c, await findCode(c, qrId))
}

/** As `dressByCode`, for a conversation: whoever has its code by now was not written to. */
export async function dressByConversation(
  c: AppContext,
  conversation: Pick<FinderConversationRow, 'qr_id' | 'account_id'> | undefined,
): Promise<boolean> {
  const code = await findCode(c, conversation?.qr_id)
  if (!code || !conversation || userOfCode(code) === conversation.account_id) return dress(c, code)
  return dress(c, { ...code, ...(await findWearer(c.var.deps.db, conversation.account_id)) })
}

async function findCode(
  c: FinderContext,
  qrId: string | undefined,
): Promise<ScannedCode | undefined> {
  const { scanPath } = c.var.deps
  return qrId ? ((await scanPath.find(qrId)) ?? (await scanPath.findReplaced(qrId))) : undefined
}

/** As `dressByCode`. Throws not_found for a code that is not found under the address of the request. */
export async function assertHere(c: FinderContext, qrId: string): Promise<void> {
  if (!(await dressByCode(c, qrId || undefined))) throw qrNotFound()
}

/** Puts a brand on: the page's texts name it from here on. */
export function wear(c: FinderContext, { brand }: Pick<Worn, 'brand'>): void {
  variablesOf(c).set('brand', brand)
  const ownWords = varOf(c, 'ownWords')
  // Not those of the moment, which name the brand that was worn before.
  if (ownWords) variablesOf(c).set('words', nameWords(ownWords, brand))
}

/** Leaves the product out of what a child user sees, where their parent does. */
export async function wearOfParent(
  c: AppContext,
  account: Pick<Account, 'id' | 'parent_id'>,
): Promise<void> {
  const { db, clock } = c.var.deps
  const brand = await findBrandForChild(db, account, clock())
  if (brand) wear(c, { brand })
}

/** What the page wears. */
export function dressOf(c: FinderContext): Dress {
  const brand = varOf(c, 'brand')
  return { brand, hasHome: !brand?.isAlone && !varOf(c, 'ownHost') }
}

/** The source of the content policy that allows the style of a brand's colours. */
export function brandCssHash(brand: Brand): string {
  return `'sha256-${createHash('sha256').update(brandCss(brand)).digest('base64')}'`
}

/** The two kinds of context have the same variables. */
function variablesOf(c: FinderContext): AppContext {
  return c as AppContext
}
