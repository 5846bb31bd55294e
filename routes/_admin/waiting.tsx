import type { ReactElement } from 'react'
import { WaitingList, type WaitingView } from '#components/admin/waiting-list.tsx'
import type { IconName } from '#components/icons/icon.tsx'
import { listWaiting, type WaitingItem } from '#db/admin/waiting.ts'
import type { Account } from '#db/schema.ts'
import { adminHref } from '#domain/admin/admin.ts'
import { managementHref } from '#domain/admin/management.ts'
import { describeWait, type WaitingKind } from '#domain/admin/waiting.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { isGrave, REPORT_REASON_WORDS } from '#domain/conversations/moderation.ts'
import { reportHref } from '#domain/conversations/report-places.ts'
import { formatRupees } from '#domain/number.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { PLANS } from '#domain/plans/plan.ts'
import { benefitText } from '#domain/plans/promo.ts'
import { monthsText } from '#domain/plans/term.ts'
import { paymentMethodLabel } from '#domain/plans/upgrade.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** The pages that begin with the list. */
type On = '/admin' | '/admin-dashboard' | '/dashboard'

/**
 * Renders the work that waits for the account, of all kinds that it may do. Only the overview has room to say that
 * there is none.
 */
export async function renderWaiting(
  c: AppContext,
  account: Account,
  on: On,
): Promise<ReactElement | null> {
  const { db, clock, config } = c.var.deps
  const now = clock()
  const { items, hasMore } = await listWaiting(db, account, now)
  if (items.length === 0 && on !== '/admin') return null
  const views = items.map((item): WaitingView => {
    const { text, isLate } = describeWait(item, config.support.hours, now)
    const { id, since } = item
    return { id, icon: ICONS[item.kind], since, wait: text, isLate, ...inWords(item, on) }
  })
  return <WaitingList items={views} hasMore={hasMore} />
}

const ICONS: Record<WaitingKind, IconName> = {
  report: 'flag',
  ticket: 'headset',
  upgrade: 'card',
  redemption: 'ticket',
}

type Words = Pick<WaitingView, 'title' | 'about' | 'href' | 'isGrave'>

/** Describes an item, and where it is decided. */
function inWords(item: WaitingItem, on: On): Words {
  if (item.kind === 'report') {
    const { id, reason, about, code } = item
    const by = about === 'page' ? 'reported by a finder' : 'reported by the owner'
    return {
      title: `Report: ${REPORT_REASON_WORDS[reason].toLowerCase()}`,
      about: `${nameOf(code)}, ${by}`,
      href: reportHref(on === '/admin' ? '/admin-dashboard' : on, id),
      isGrave: isGrave(reason),
    }
  }
  const hrefOf = on === '/admin' ? adminHref : managementHref
  if (item.kind === 'ticket') {
    return {
      title: `Ticket: ${item.subject}`,
      about: hasPlans() ? `${item.name}, ${PLANS[item.plan].name}` : item.name,
      href: hrefOf('support', { ticket: item.id }),
    }
  }
  if (item.kind === 'redemption') {
    const { id, code, name, benefit } = item
    const place = { show: 'redemptions', status: 'pending', q: code }
    return {
      title: `Promo code ${code}`,
      about: `${name}: ${benefitText(benefit)}`,
      href: hrefOf('promo-codes', { ...place, approve: id }),
    }
  }
  const { plan, name, payment } = item
  return {
    title: `${PLANS[plan].name} for ${monthsText(payment.months)}, ${formatRupees(payment.amount)}`,
    about: `${name}, ${paidBy(payment)}`,
    href: managementHref('upgrade-requests', { request: item.id }),
  }
}

type ReportItem = Extract<WaitingItem, { kind: 'report' }>

function nameOf({ vehicle_registration, owner_name, qr_id }: ReportItem['code']): string {
  if (vehicle_registration) return formatPlate(vehicle_registration)
  return owner_name ?? formatQrId(qr_id)
}

type Payment = Extract<WaitingItem, { kind: 'upgrade' }>['payment']

function paidBy({ amount, payment_method, payment_reference }: Payment): string {
  if (amount === 0) return 'nothing to pay'
  if (payment_reference === null) return 'no payment reference'
  const method = paymentMethodLabel(payment_method)
  return method ? `paid by ${method}` : 'paid'
}
