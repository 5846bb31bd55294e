import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Account, Tables } from '#db/schema.ts'
import type { Right } from '#domain/people/roles.ts'
import { type HeldShare, type Holder, sharesFor } from '#domain/people/share.ts'

/** The account that looks at codes, with the shares of other owners. With a parent it can be a child user. */
export type Viewer = Pick<Account, 'id' | 'parent_id'> & { shares?: readonly HeldShare[] }

type Builder = ExpressionBuilder<Tables, 'qr_codes'>

/**
 * Codes of the account: as owner, as the child user who registered them, or by a share of their
 * owner. For an account that has only its own codes the condition is one that an index answers in order.
 */
export function seenBy(viewer: Viewer) {
  const { id, parent_id } = viewer
  return (eb: Builder): Expression<SqlBool> => {
    const { owners, others } = sharedCodes(viewer, 'look')
    const owned =
      owners.length > 0 ? eb('owner_id', 'in', [id, ...owners]) : eb('owner_id', '=', id)
    const child = parent_id === null ? [] : [eb('child_account_id', '=', id)]
    const either = [owned, ...child, ...others(eb)]
    return either.length === 1 ? owned : eb.or(either)
  }
}

/** Codes of other owners on which a share gives the account a right. */
export function sharedWith(viewer: Holder, right: Right) {
  return (eb: Builder): Expression<SqlBool> => {
    const { owners, others } = sharedCodes(viewer, right)
    return eb.or([...(owners.length > 0 ? [eb('owner_id', 'in', owners)] : []), ...others(eb)])
  }
}

/** The owners who share all their codes, and conditions for the codes of other owners. */
function sharedCodes(viewer: Holder, right: Right) {
  const shares = sharesFor(viewer, right)
  const ofAll = shares.filter(({ company_fleet_name, code_id }) => !company_fleet_name && !code_id)
  return {
    owners: ofAll.map(({ owner_id }) => owner_id),
    others: (eb: Builder) => [...ofCompanies(eb, shares), ...ofCodes(eb, shares)],
  }
}

function ofCompanies(eb: Builder, shares: readonly HeldShare[]): Expression<SqlBool>[] {
  const among = shares.filter(({ company_fleet_name }) => company_fleet_name !== null)
  if (among.length === 0) return []
  const owners = among.map(({ owner_id }) => owner_id)
  const share = shareAmong(eb, among).whereRef(
    'shares.company_fleet_name',
    '=',
    'qr_codes.company_fleet_name',
  )
  return [eb.and([eb('owner_id', 'in', owners), eb.exists(share)])]
}

function ofCodes(eb: Builder, shares: readonly HeldShare[]): Expression<SqlBool>[] {
  const among = shares.filter(({ code_id }) => code_id !== null)
  if (among.length === 0) return []
  const ids = among.map(({ code_id }) => code_id as string)
  const share = shareAmong(eb, among).whereRef('shares.code_id', '=', 'qr_codes.id')
  return [eb.and([eb('qr_codes.id', 'in', ids), eb.exists(share)])]
}

/** A code that has another owner since the share was made is not shared. */
function shareAmong(eb: Builder, shares: readonly HeldShare[]) {
  const ids = shares.map(({ id }) => id)
  return eb
    .selectFrom('shares')
    .select('shares.id')
    .where('shares.id', 'in', ids)
    .whereRef('shares.owner_id', '=', 'qr_codes.owner_id')
}
