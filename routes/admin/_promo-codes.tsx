import type { ReactElement, ReactNode } from 'react'
import { SubTabs } from '#components/frame/sub-tabs.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { PromoDelete } from '#components/plans/promo-delete.tsx'
import { countPending } from '#db/plans/decisions.ts'
import { getPromoCodeById } from '#db/plans/promo-codes.ts'
import type { Account } from '#db/schema.ts'
import { adminHref, promoAction } from '#domain/admin/admin.ts'
import type { PromoCode } from '#domain/plans/promo.ts'
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
import { renderAdmin } from '#routes/admin/_page.tsx'
import { PromoTable } from '#routes/admin/_promo-table.tsx'

const TAB = 'promo-codes'
const SCREEN: ListScreen = { action: '/admin', fields: { tab: TAB } }

/** Renders the promo codes or their redemptions. */
export async function renderPromoScreen(
  c: AppContext,
  account: Account,
  refused?: Refused,
): Promise<Response> {
  const ofRedemptions = isOfRedemptions(c, refused)
  const dialog = await requestedDialog(c, refused)
  const panel = c.req.query('part') === 'dialog' ? null : await renderPart(c, ofRedemptions)
  return renderAdmin(
    c,
    account,
    {
      tab: TAB,
      action: <CreateLink />,
      failure: 'Failed to load promo code data',
      dialog,
      outcome: <ListOutcome c={c} {...(refused?.values ? {} : refused)} />,
    },
    <Screen
      current={ofRedemptions ? 'redemptions' : 'codes'}
      pending={await countPending(c.var.deps.db, 'promo_redemptions')}
    >
      {panel}
    </Screen>,
  )
}

function renderPart(c: AppContext, ofRedemptions: boolean): Promise<ReactElement> {
  if (ofRedemptions) return renderRedemptions(c, SCREEN)
  const show = (promos: PromoCode[]) => <PromoTable c={c} promos={promos} />
  return renderPromoList(c, SCREEN, { show, within: true })
}

function CreateLink() {
  return (
    <a className="btn btn-main" href={adminHref(TAB, { create: '1' })} data-dialog="create">
      <Icon name="plus" />
      Create
    </a>
  )
}

async function requestedDialog(
  c: AppContext,
  refused?: Refused,
): Promise<ReactElement | undefined> {
  const creation = promoCreateDialog(c, { gives: 'plan', action: promoAction() }, refused)
  if (creation) return creation
  const decision = refused ? undefined : await redemptionDialog(c, SCREEN)
  if (decision) return decision
  const id = c.req.query('delete')
  if (!id) return undefined
  const { code } = await getPromoCodeById(c.var.deps.db, id)
  return <PromoDelete code={code} action={promoAction(`/${id}/delete`)} />
}

function Screen(props: { current: string; pending: number; children: ReactNode }) {
  const { current, pending, children } = props
  const tabs = [
    { id: 'codes', label: 'Promo Codes', href: adminHref(TAB) },
    {
      id: 'redemptions',
      label: 'Redemptions',
      href: adminHref(TAB, { show: 'redemptions' }),
      pending,
    },
  ]
  return (
    <SubTabs label="Promo codes and redemptions" tabs={tabs} current={current}>
      {children}
    </SubTabs>
  )
}
