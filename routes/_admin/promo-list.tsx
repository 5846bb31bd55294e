import type { ReactElement } from 'react'
import { PromoCreate, type PromoCreateProps } from '#components/plans/promo-create.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { listPromoCodes } from '#db/plans/promo-codes.ts'
import type { DomainError } from '#domain/error.ts'
import { findPromoState, PROMO_FILTERS, type PromoCode } from '#domain/plans/promo.ts'
import { type ListScreen, renderList } from '#routes/_admin/lists.tsx'
import type { AppContext } from '#routes/_http/context.ts'
import type { Form } from '#routes/_http/forms.ts'

/** A refused form; only a creation has values. */
export type Refused = { refusal: DomainError; failed?: string; values?: Form }

/** Returns whether the page shows the redemptions. */
export function isOfRedemptions(c: AppContext, refused?: Refused): boolean {
  return c.req.query('show') === 'redemptions' || (refused !== undefined && !refused.values)
}

/** Renders the dialog that creates a code, if the address or a refused form asks for it. */
export function promoCreateDialog(
  c: AppContext,
  { gives, action }: Pick<PromoCreateProps, 'gives' | 'action'>,
  refused?: Refused,
): ReactElement | undefined {
  if (!c.req.query('create') && !refused?.values) return undefined
  const { timezone } = c.var.deps.config
  const { values = {}, refusal } = refused ?? {}
  const props = { gives, action, timezone, values, problem: refusal }
  return <PromoCreate {...props} />
}

/** Renders every promo code, newest first. */
export function renderPromoList(
  c: AppContext,
  screen: ListScreen,
  looks: { show(promos: PromoCode[]): ReactElement; within: boolean },
): Promise<ReactElement> {
  const { db, clock } = c.var.deps
  const state = findPromoState(c.req.query('state'))
  return renderList(c, {
    ...screen,
    label: 'Search promo codes',
    filter: { name: 'state', label: 'Status', value: state, options: PROMO_FILTERS },
    async read(wanted) {
      const { promo_codes, total } = await listPromoCodes(db, clock(), { ...wanted, state })
      return { rows: promo_codes, total }
    },
    show: looks.show,
    none: (narrowed) => <NoPromoCodes narrowed={narrowed} within={looks.within} />,
  })
}

function NoPromoCodes({ narrowed, within }: { narrowed: boolean; within: boolean }) {
  return (
    <Empty
      icon="ticket"
      title="No promo codes found"
      heading={within ? 'h2' : 'h3'}
      {...(within && { within })}
    >
      <p>
        {narrowed
          ? 'Try a part of a code or of its description, or choose another status.'
          : 'A promo code that you create is redeemed by owners in their Upgrade dialog.'}
      </p>
    </Empty>
  )
}
