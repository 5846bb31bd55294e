import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Account, Tables } from '#db/schema.ts'

/** The account that looks at codes. With a parent it can be a child user. */
export type Viewer = Pick<Account, 'id' | 'parent_id'>

/**
 * Codes of the account: as owner, or as the child user who registered them. Only an account with a
 * parent can be a child user. For others the condition is one that an index answers in order.
 */
export function seenBy({ id, parent_id }: Viewer) {
  return (eb: ExpressionBuilder<Tables, 'qr_codes'>): Expression<SqlBool> => {
    const owned = eb('owner_id', '=', id)
    return parent_id === null ? owned : eb.or([owned, eb('child_account_id', '=', id)])
  }
}
