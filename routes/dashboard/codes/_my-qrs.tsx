import type { ReactElement } from 'react'
import { dueUntil, todayOf } from '#actions/papers/due.ts'
import { ListFiles } from '#components/codes/list-files.tsx'
import { QrFilters, QrToolbar } from '#components/codes/qr-toolbar.tsx'
import { DueStrip, type DueStripItem } from '#components/papers/due-strip.tsx'
import { PlanBanner, type PlanBannerView } from '#components/plans/plan-banner.tsx'
import { PromoNotices } from '#components/plans/promo-notice.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import { countQrCodes } from '#db/accounts/accounts.ts'
import { secondsAfter } from '#db/cast.ts'
import { countSeenCodes } from '#db/codes/qr-codes.ts'
import { type DueItem, listDue } from '#db/papers/due.ts'
import { accountNow } from '#db/plans/plan-now.ts'
import { listOwnRedemptions } from '#db/plans/promo-redemptions.ts'
import type { Account } from '#db/schema.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { dialogHref, FIRST_PLACE, placeHref, tabHref } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import { dueState, dueText } from '#domain/papers/due.ts'
import { creationWays } from '#domain/plans/plan.ts'
import { benefitText } from '#domain/plans/promo.ts'
import { SHOWN_HOURS } from '#domain/plans/promo-notice.ts'
import { formatDate } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import { alertsLine } from '#routes/dashboard/codes/_alerts-line.tsx'
import { countShown, MOST_ENDS, readCodeList } from '#routes/dashboard/codes/_code-list.ts'
import { requestedDialog } from '#routes/dashboard/codes/_qr-dialogs.tsx'
import { isSelecting, QrCards, renderSelection } from '#routes/dashboard/codes/_selection.tsx'
import { upgradeDialog } from '#routes/dashboard/plans/_upgrade-dialog.tsx'

const TITLE = 'My QR Codes'
const DUE_SHOWN = 5

/** Dialogs that answer a form, over the list. */
type Dialogs = { dialog?: ReactElement; upgrade?: ReactElement }

/** Renders My QR Codes, or only its dialog where a script asks for that part. */
export async function renderMyQrs(c: AppContext, account: Account, answer: Dialogs = {}) {
  const dialog = answer.dialog ?? (await requestedDialog(c, account))
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c, account)
  const part = isSelecting(c) ? { part: 'selection' as const } : undefined
  const page = { title: TITLE, tab: 'my-qrs', ...part, ...answer, dialog } as const
  return renderDashboard(c, account, page, panel)
}

/** Shows a dialog with the refusal of its form; over it the Upgrade dialog, when the plan allows no more. */
export async function renderRefused(
  c: AppContext,
  account: Account,
  { kind }: DomainError,
  dialog: ReactElement,
) {
  if (kind !== 'plan_limit') return renderMyQrs(c, account, { dialog })
  const upgrade = await upgradeDialog(c, account, { why: 'limit' })
  return renderMyQrs(c, account, { dialog, upgrade })
}

async function renderNotices(c: AppContext, { id }: Account): Promise<ReactElement> {
  const { db, clock } = c.var.deps
  const rows = await listOwnRedemptions(db, id, secondsAfter(clock(), -SHOWN_HOURS * 3600))
  const redemptions = rows.map(({ code, status, ...benefit }) => ({
    code,
    status,
    benefit: benefitText(benefit),
  }))
  const [last] = redemptions
  const made = last && c.req.query('done') === `promo-${last.status}` ? last : undefined
  return <PromoNotices account_id={id} redemptions={redemptions} made={made} />
}

async function renderPanel(c: AppContext, account: Account): Promise<ReactElement> {
  const list = await readCodeList(c, account)
  if (isSelecting(c)) return renderSelection(c, list)
  const { db } = c.var.deps
  const { place, layout, total } = list
  const due = await listDue(db, account, { until: dueUntil(c.var.deps), limit: MOST_ENDS })
  const qr_count = await countQrCodes(db, account.id)
  const ways = creationWays(account, qr_count)
  const hasFilters = total > 1 || Boolean(place.filter || place.company_fleet_name)
  return (
    <>
      <h1 tabIndex={-1}>{TITLE}</h1>
      {await renderNotices(c, account)}
      <PlanBanner view={await toBannerView(c, account, qr_count)} />
      {due.length > 0 && (
        <DueStrip items={due.slice(0, DUE_SHOWN).map((item) => toStripItem(c, item))} />
      )}
      <QrToolbar
        {...{ place, layout, ways }}
        childQuota={account.child_qr_quota}
        hasCodes={total > 0}
      />
      {hasFilters && (
        <QrFilters
          place={place}
          companies={list.companies}
          counts={await countShown(c, account, list, due)}
        />
      )}
      <QrCards c={c} list={list} />
      {await alertsLine(c, account, list.qr_codes)}
      <ListPager
        page={place.page}
        pages={list.pages}
        href={(page) => placeHref({ ...place, page })}
      />
      {total > 0 && !place.filter && <ListFiles place={place} total={total} />}
    </>
  )
}

function toStripItem(c: AppContext, item: DueItem): DueStripItem {
  const { kind, qr_id, document_id, vehicle_registration } = item
  const today = todayOf(c.var.deps)
  const place = { ...FIRST_PLACE, q: qr_id }
  return {
    key: `${qr_id} ${document_id ?? kind}`,
    text: dueText(item, today),
    isOver: dueState(item.ends_on, today) === 'expired',
    vehicle_registration,
    name: item.owner_name ?? formatQrId(qr_id),
    href: kind === 'document' ? tabHref('documents', place) : dialogHref('edit', place, qr_id),
  }
}

async function toBannerView(
  c: AppContext,
  account: Account,
  qr_count: number,
): Promise<PlanBannerView> {
  const { db, clock, config } = c.var.deps
  const held = accountNow(account, clock())
  const { subscription_ends_at: end, subscription_ended: ended } = held
  return {
    ...held,
    // Beside a list of all codes, the number that counts against no limit would only puzzle.
    qr_count: held.qr_limit < 0 ? await countSeenCodes(db, account) : qr_count,
    until: end ? formatDate(end, config.timezone) : undefined,
    ended: ended
      ? {
          ...{ plan: ended.plan, on: formatDate(ended.at, config.timezone) },
          codes: await countSeenCodes(db, account),
        }
      : undefined,
  }
}
