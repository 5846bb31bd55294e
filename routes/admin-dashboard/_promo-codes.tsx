import type { ReactElement } from 'react'
import { PendingCount } from '#components/frame/tabs.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { PromoCard, type PromoCardView } from '#components/plans/promo-card.tsx'
import { countPending } from '#db/plans/decisions.ts'
import type { Account } from '#db/schema.ts'
import { managementAction, managementHref } from '#domain/admin/management.ts'
import { type PromoCode, toPromoCodeView } from '#domain/plans/promo.ts'
import { formatDate } from '#domain/time.ts'
import { ListOutcome, type ListScreen } from '#routes/_admin/lists.tsx'
import {
  isOfRedemptions,
  promoCreateDialog,
  type Refused,
  renderPromoList,
} from '#routes/_admin/promo-list.tsx'
import { redemptionDialog } from '#routes/_admin/redemption-dialog.tsx'
import { renderRedemptions } from '#routes/_admin/redemption-list.tsx'
import type { AppContext } from '#routes/_http/context.ts'
import { renderManagement } from '#routes/admin-dashboard/_page.tsx'

const TAB = 'promo-codes'
const SCREEN: ListScreen = { action: '/admin-dashboard', fields: { tab: TAB } }

/** Renders every promo code, or their redemptions. */
export async function renderPromoCodes(
  c: AppContext,
  account: Account,
  refused?: Refused,
): Promise<Response> {
  const creation = { gives: 'child', action: managementAction(TAB) } as const
  const render = isOfRedemptions(c, refused) ? renderRedeemed : renderCodes
  const dialog =
    promoCreateDialog(c, creation, refused) ??
    (refused ? undefined : await redemptionDialog(c, SCREEN))
  const panel = c.req.query('part') === 'dialog' ? null : await render(c)
  return renderManagement(
    c,
    account,
    {
      title: 'Promo Codes',
      tab: TAB,
      failure: 'Failed to fetch promo codes',
      dialog,
      outcome: <ListOutcome c={c} {...(isOfRedemptions(c, refused) ? refused : {})} />,
    },
    panel,
  )
}

async function renderCodes(c: AppContext): Promise<ReactElement> {
  const show = (promos: PromoCode[]) => <Cards c={c} promos={promos} />
  const list = await renderPromoList(c, SCREEN, { show, within: false })
  return (
    <>
      <CodesHead pending={await countPending(c.var.deps.db, 'promo_redemptions')} />
      {list}
    </>
  )
}

/** Renders the redemptions here too, because the other page is for super admins alone. */
async function renderRedeemed(c: AppContext): Promise<ReactElement> {
  const list = await renderRedemptions(c, SCREEN)
  return (
    <>
      <RedemptionsHead />
      <section className="sheet sheet-tight stack" aria-label="Redemptions">
        {list}
      </section>
    </>
  )
}

function CodesHead({ pending }: { pending: number }) {
  return (
    <div className="head">
      <h2>Promo Codes</h2>
      <div className="row">
        <a className="btn" href={managementHref(TAB, { show: 'redemptions' })}>
          Redemptions
          {pending > 0 && <PendingCount count={pending} />}
        </a>
        <a
          className="btn btn-main"
          href={managementHref(TAB, { create: '1' })}
          data-dialog="create"
        >
          <Icon name="plus" />
          Create
        </a>
      </div>
    </div>
  )
}

function RedemptionsHead() {
  return (
    <div className="head">
      <h2>Redemptions</h2>
      <a className="btn" href={managementHref(TAB)}>
        <Icon name="back" />
        Promo Codes
      </a>
    </div>
  )
}

function Cards({ c, promos }: { c: AppContext; promos: PromoCode[] }) {
  return (
    <section className="cards cards-20" aria-label="Promo codes">
      {promos.map((promo) => (
        <PromoCard key={promo.id} view={toCardView(c, promo)} />
      ))}
    </section>
  )
}

function toCardView(c: AppContext, promo: PromoCode): PromoCardView {
  const { clock, config } = c.var.deps
  const view = toPromoCodeView(promo, clock())
  // An end at midnight, as of a typed day, is the end of the day before.
  const last = view.expiry_date && new Date(Date.parse(view.expiry_date) - 1)
  return {
    id: view.id,
    code: view.code,
    description: view.description,
    child_qr_quantity: view.child_qr_quantity,
    used_count: view.used_count,
    max_uses: view.max_uses,
    usage_percentage: view.usage_percentage,
    expiry: formatDate(last, config.timezone),
    is_active: view.is_active,
    is_expired: view.is_expired,
  }
}
