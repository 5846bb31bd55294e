import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Account, Tables } from '#db/schema.ts'
import type { Right } from '#domain/people/roles.ts'
import { type HeldShare, sharesFor } from '#domain/people/share.ts'

/** The account that looks at codes, with the shares of other owners. With a parent it can be a child user. */
export type Viewer = Pick<Account, 'id' | 'parent_id'> & { shares?: readonly HeldShare[] }

type Builder = ExpressionBuilder<Tables, 'qr_codes'>

/**
 * Codes of the account: as owner, as the child user who registered them, or as a person with whom their
 * owner shares them. For an account that has only its own codes the condition is one that an index answers in order.
 */
export function seenBy(viewer: Viewer) {
  const { id, parent_id } = viewer
  return (eb: Builder): Expression<SqlBool> => {
    const { owners, others } = sharedCodes(viewer, 'look')
    const owned =
      owners.length > 0 ? eb('owner_id', 'in', [id, ...owners]) : eb('owner_id', '=', id)
    const child = parent_id === null ? [] : [eb('child_account_id', '=', id)]
    const either = [owned, ...child, ...others]
    return either.length === 1 ? owned : eb.or(either)
  }
}

/** Codes of other owners on which a share gives the account a right. */
export function sharedWith(viewer: Viewer, right: Right) {
  return (eb: Builder): Expression<SqlBool> => {
    const { owners, others } = sharedCodes(viewer, right)
    return eb.or([...(owners.length > 0 ? [eb('owner_id', 'in', owners)] : []), ...others])
  }
}

/** The owners who share all their codes, and conditions for the codes of other owners. */
function sharedCodes(viewer: Viewer, right: Right) {
  const shares = sharesFor(viewer, right)
  const ofAll = shares.filter(({ company_fleet_name, code_id }) => !company_fleet_name && !code_id)
  return {
    owners: ofAll.map(({ owner_id }) => owner_id),
    others: [
      ...within('qr_codes.company_fleet_name', shares, (share) => share.company_fleet_name),
      ...within('qr_codes.id', shares, (share) => share.code_id),
    ],
  }
}

function within(
  column: 'qr_codes.company_fleet_name' | 'qr_codes.id',
  shares: readonly HeldShare[],
  narrowed: (share: HeldShare) => string | null,
): Expression<SqlBool>[] {
  const pairs = shares.flatMap((share) => {
    const value = narrowed(share)
    return value === null ? [] : [sql`(${share.owner_id}, ${value})`]
  })
  if (pairs.length === 0) return []
  const named = sql`(${sql.ref('qr_codes.owner_id')}, ${sql.ref(column)})`
  return [sql<SqlBool>`${named} in (values ${sql.join(pairs)})`]
}
