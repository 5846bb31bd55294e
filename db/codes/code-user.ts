import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '#db/schema.ts'

/**
 * Selects whether the account of a code's user is not blocked. The user is the child user, or else the owner. The
 * scan path has the same condition in its own statements.
 */
export function selectUserIsActive({ selectFrom }: ExpressionBuilder<Tables, 'qr_codes'>) {
  return selectFrom('accounts')
    .select('accounts.is_active')
    .whereRef('accounts.id', '=', ({ fn }) =>
      fn.coalesce('qr_codes.child_account_id', 'qr_codes.owner_id'),
    )
    .as('user_is_active')
}

/** Selects whether the child user of a code waits for the guardian. The scan path has the same condition. */
export function selectAwaitsGuardian({ selectFrom }: ExpressionBuilder<Tables, 'qr_codes'>) {
  return selectFrom('guardian_waits')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .whereRef('guardian_waits.account_id', '=', 'qr_codes.child_account_id')
    .$asScalar()
    .$notNull()
    .as('awaits_guardian')
}
