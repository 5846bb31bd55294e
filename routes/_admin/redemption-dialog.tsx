import type { ReactElement } from 'react'
import { DecideRedemption } from '#components/plans/redemption-decide.tsx'
import { getRedemption } from '#db/plans/redemption-decisions.ts'
import { assertNotOwn, DECISION_ACTIONS } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { benefitText } from '#domain/plans/promo.ts'
import type { ListScreen } from '#routes/_admin/lists.tsx'
import { toRedemptionRow } from '#routes/_admin/redemption-list.tsx'
import type { AppContext } from '#routes/_http/context.ts'

/**
 * Renders the dialog that asks before a redemption is decided, if the address asks for it. Throws not_found, conflict
 * for a decided one, and forbidden for the reader's own.
 */
export async function redemptionDialog(
  c: AppContext,
  { action }: ListScreen,
): Promise<ReactElement | undefined> {
  const decision = DECISION_ACTIONS.find((each) => c.req.query(each))
  if (!decision) return undefined
  const id = c.req.query(decision) ?? ''
  const redemption = await getRedemption(c.var.deps.db, id)
  assertNotOwn(c.var.account?.id ?? null, redemption.account_id)
  if (redemption.status !== 'pending') throw new DomainError('conflict.redemption_decided')
  const view = { ...toRedemptionRow(c, redemption), gives: benefitText(redemption) }
  const to = `${action}/promo-codes/redemptions/${id}`
  return <DecideRedemption view={view} decision={decision} action={to} />
}
