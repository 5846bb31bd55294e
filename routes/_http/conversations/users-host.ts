import { findBrandOwner } from '#db/brands/resolve-brand.ts'
import type { FinderConversationRow } from '#db/schema.ts'
import { userOfCode } from '#domain/conversations/rules.ts'
import {
  applyBrand,
  findCode,
  findDomainOwner,
  type PageBranding,
} from '#routes/_http/brands/page-brand.ts'
import { type AppContext, type FinderContext, varOf } from '#routes/_http/context.ts'
import { Redirect } from '#routes/_http/lists.ts'

/**
 * Returns whether what finders write to an account may go through the host of a request: not through the domain of
 * another account, such as the parent's or the issuer's, whose operator could read it.
 */
export function isUsersHost({ domainOwner }: Pick<PageBranding, 'domainOwner'>, userId: string) {
  return !domainOwner || domainOwner.brand_owner_id === userId
}

/** Redirects a page to PUBLIC_URL unless `isUsersHost`. */
export function leadToUsersHost(c: FinderContext, userId: string | undefined): void {
  const domainOwner = varOf(c, 'domainOwner')
  if (!userId || isUsersHost({ domainOwner }, userId)) return
  const { pathname, search } = new URL(c.req.url)
  throw new Redirect(varOf(c, 'deps').config.publicUrl + pathname + search)
}

/**
 * Applies the brand of the account that the finder wrote to, which may no longer have the code. Its page is not on
 * the domain of another account: where that serves the code, links lead to PUBLIC_URL.
 */
export async function applyBrandOfConversation(
  c: AppContext,
  conversation: Pick<FinderConversationRow, 'qr_id' | 'account_id'> | undefined,
): Promise<boolean> {
  const code = await findCode(c, conversation?.qr_id)
  const domainOwner = await findDomainOwner(c)
  if (conversation && !isUsersHost({ domainOwner }, conversation.account_id)) {
    const isHere = await applyBrand(c, code)
    const isPage = ['GET', 'HEAD'].includes(c.req.method)
    if (isHere && isPage) leadToUsersHost(c, conversation.account_id)
    return false
  }
  if (!code || !conversation || userOfCode(code) === conversation.account_id)
    return applyBrand(c, code)
  return applyBrand(c, {
    ...code,
    ...(await findBrandOwner(c.var.deps.db, conversation.account_id)),
  })
}
