import { getCookie } from 'hono/cookie'
import type { ReactElement } from 'react'
import { resolveBrandOf } from '#actions/codes/view.ts'
import { dueUntil, todayOf } from '#actions/papers/due.ts'
import { ListFiles } from '#components/codes/list-files.tsx'
import { QrFilters, QrToolbar, type ShownCounts } from '#components/codes/qr-toolbar.tsx'
import { DueStrip, type DueStripItem } from '#components/papers/due-strip.tsx'
import { PlanBanner, type PlanBannerView } from '#components/plans/plan-banner.tsx'
import { PromoNotices } from '#components/plans/promo-notice.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import { countQrCodes, getAccount } from '#db/accounts/accounts.ts'
import { secondsAfter } from '#db/cast.ts'
import {
  countSeenCodes,
  listCompanies,
  listOwnQrCodes,
  type OwnQrCode,
} from '#db/codes/qr-codes.ts'
import { type DueItem, listDue } from '#db/papers/due.ts'
import { accountNow } from '#db/plans/plan-now.ts'
import { listOwnRedemptions } from '#db/plans/promo-redemptions.ts'
import type { Account } from '#db/schema.ts'
import { listTransfers } from '#db/transfers/transfers.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import {
  dialogHref,
  FIRST_PLACE,
  pageSize,
  placeHref,
  type QrLayout,
  type QrPlace,
  readLayout,
  readPlace,
  tabHref,
} from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import { formatCount } from '#domain/number.ts'
import { dueState, dueText } from '#domain/papers/due.ts'
import { creationWays } from '#domain/plans/plan.ts'
import { benefitText } from '#domain/plans/promo.ts'
import { SHOWN_HOURS } from '#domain/plans/promo-notice.ts'
import { planNow } from '#domain/plans/term.ts'
import { formatDate } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { keepPreference } from '#routes/_http/cookies.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'
import { doneText } from '#routes/dashboard/_done.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import type { CardViewer } from '#routes/dashboard/codes/_qr-card.ts'
import { askedDialog } from '#routes/dashboard/codes/_qr-dialogs.tsx'
import { isSelecting, QrCards, renderSelection } from '#routes/dashboard/codes/_selection.tsx'
import { upgradeDialog } from '#routes/dashboard/plans/_upgrade-dialog.tsx'

const TITLE = 'My QR Codes'
/** How much the strip above the list shows. */
const DUE_SHOWN = 5

/** Dialogs that answer a form, over the list. */
type Dialogs = { dialog?: ReactElement; upgrade?: ReactElement }

/** Renders My QR Codes, or only its dialog where a script asks for that part. */
export async function renderMyQrs(c: AppContext, account: Account, answer: Dialogs = {}) {
  const dialog = answer.dialog ?? (await askedDialog(c, account))
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c, account)
  return renderDashboard(c, account, { title: TITLE, tab: 'my-qrs', ...answer, dialog }, panel)
}

/** Shows a dialog with the refusal of its form; over it the Upgrade dialog, when the plan allows no more. */
export async function renderRefused(
  c: AppContext,
  account: Account,
  { code }: DomainError,
  dialog: ReactElement,
) {
  if (code !== 'plan_limit') return renderMyQrs(c, account, { dialog })
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
  const { db } = c.var.deps
  const asked = readPlace(c.req.query())
  // What is selected is found by search and company alone.
  const place = isSelecting(c) ? { ...asked, filter: undefined, sort: undefined } : asked
  const layout = chooseLayout(c)
  const size = pageSize(layout)
  const { q: search, page, company_fleet_name } = place
  const href = (to: number) => placeHref({ ...place, page: to })
  const { filter, sort } = place
  const until = dueUntil(c.var.deps)
  const wanted = {
    ...{ search, company_fleet_name, sort },
    ...(filter === 'due' && { dueUntil: until }),
    ...(filter === 'lost' && { isLost: true }),
    ...rowsOfPage(page, size),
  }
  const { qr_codes, total } = await listOwnQrCodes(db, account, wanted)
  const list = {
    ...{ place, layout, total, qr_codes },
    pages: countPages({ total, size, page }, href),
    companies: await listCompanies(db, account),
    viewer: await toCardViewer(c, account),
    dueOf: await nearestOf(c, account, qr_codes),
    transfers: await transfersOf(c, account, qr_codes),
  }
  if (isSelecting(c)) return renderSelection(c, list)
  const due = await listDue(db, account, { until, limit: MOST_ENDS })
  const isNarrowed = Boolean(filter || company_fleet_name)
  const qr_count = await countQrCodes(db, account.id)
  const ways = creationWays(account, qr_count)
  const hasFilters = total > 1 || isNarrowed
  return (
    <>
      <h1 tabIndex={-1}>{TITLE}</h1>
      <Outcome text={doneText(c.req.query())} at={c.req.query('at')} />
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
          counts={await countShown(c, account, place, total, due)}
        />
      )}
      <QrCards c={c} list={list} />
      <ListPager page={page} pages={list.pages} href={href} />
      {total > 0 && !filter && <ListFiles place={place} total={total} />}
    </>
  )
}

/** Reading all ends of a large account would take longer than the rest of the page. */
const MOST_ENDS = 100

/** How many codes each choice of Show has; the one that is chosen has `total`, and `due` are the nearest ends. */
async function countShown(
  c: AppContext,
  account: Account,
  { q, company_fleet_name, filter }: QrPlace,
  total: number,
  due: DueItem[],
): Promise<ShownCounts> {
  if (q || company_fleet_name) return {}
  const { db } = c.var.deps
  const all = filter ? await countSeenCodes(db, account) : total
  const lost = filter === 'lost' ? total : await countSeenCodes(db, account, { isLost: true })
  const counts = { '': formatCount(all), lost: formatCount(lost) }
  if (filter === 'due') return { ...counts, due: formatCount(total) }
  const codesDue = new Set(due.map(({ qr_id }) => qr_id)).size
  return { ...counts, due: `${formatCount(codesDue)}${due.length < MOST_ENDS ? '' : '+'}` }
}

/** The nearest end of each of these codes that is due. */
async function nearestOf(c: AppContext, account: Account, codes: OwnQrCode[]) {
  const qrIds = codes.map(({ qr_id }) => qr_id)
  const items = await listDue(c.var.deps.db, account, { qrIds, until: dueUntil(c.var.deps) })
  return new Map(items.toReversed().map((item) => [item.qr_id, item]))
}

async function transfersOf(c: AppContext, account: Account, codes: OwnQrCode[]) {
  const ids = codes.map(({ id }) => id)
  return listTransfers(c.var.deps.db, account.id, ids, c.var.deps.clock())
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

async function toCardViewer(c: AppContext, account: Account): Promise<CardViewer> {
  const { db, clock } = c.var.deps
  const parent = account.parent_id ? await getAccount(db, account.parent_id) : undefined
  const { publicUrl } = await resolveBrandOf(c.var.deps, account.id)
  return { ...account, publicUrl, parent_plan: parent && planNow(parent, clock()) }
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
    qr_count,
    until: end ? formatDate(end, config.timezone) : undefined,
    ended: ended
      ? {
          ...{ plan: ended.plan, on: formatDate(ended.at, config.timezone) },
          codes: await countSeenCodes(db, account),
        }
      : undefined,
  }
}

const LAYOUT_COOKIE = 'driveqr_layout'

/** The layout that was asked for is remembered on this device. */
function chooseLayout(c: AppContext): QrLayout {
  const asked = readLayout(c.req.query('layout'))
  if (asked) keepPreference(c, LAYOUT_COOKIE, asked, '/dashboard')
  return asked ?? readLayout(getCookie(c, LAYOUT_COOKIE)) ?? 'grid-medium'
}
