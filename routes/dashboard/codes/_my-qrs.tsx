import { getCookie } from 'hono/cookie'
import type { ReactElement } from 'react'
import { wornBy } from '#actions/codes/view.ts'
import { ListFiles } from '#components/codes/list-files.tsx'
import { QrToolbar } from '#components/codes/qr-toolbar.tsx'
import { PlanBanner, type PlanBannerView } from '#components/plans/plan-banner.tsx'
import { PromoNotices } from '#components/plans/promo-notice.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import { countQrCodes, getAccount } from '#db/accounts/accounts.ts'
import { secondsAfter } from '#db/cast.ts'
import { listCompanies, listOwnQrCodes } from '#db/codes/qr-codes.ts'
import { accountNow } from '#db/plans/plan-now.ts'
import { listOwnRedemptions } from '#db/plans/promo-redemptions.ts'
import type { Account } from '#db/schema.ts'
import { pageSize, placeHref, type QrLayout, readLayout, readPlace } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import { creationWays } from '#domain/plans/plan.ts'
import { benefitText } from '#domain/plans/promo.ts'
import { SHOWN_HOURS } from '#domain/plans/promo-notice.ts'
import { planNow } from '#domain/plans/term.ts'
import { formatDate } from '#domain/time.ts'
import { keepPreference } from '#routes/_http/cookies.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'
import { doneText } from '#routes/dashboard/_done.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import type { CardViewer } from '#routes/dashboard/codes/_qr-card.ts'
import { askedDialog } from '#routes/dashboard/codes/_qr-dialogs.tsx'
import { isSelecting, QrCards, renderSelection } from '#routes/dashboard/codes/_selection.tsx'
import { upgradeDialog } from '#routes/dashboard/plans/_upgrade-dialog.tsx'

const TITLE = 'My QR Codes'

/** A form that could not be taken, shown again over the list. */
export type RefusedForm = {
  dialog?: ReactElement
  upgrade?: ReactElement
  code?: DomainError['code']
}

/** My QR Codes. A script that only wants the dialog says so, and is spared the list. */
export async function renderMyQrs(c: AppContext, account: Account, refused?: RefusedForm) {
  const dialog = refused?.dialog ?? (await askedDialog(c, account))
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c, account)
  const status = refused?.code && STATUS[refused.code]
  const part = isSelecting(c) ? ('codes' as const) : undefined
  const frame = { title: TITLE, tab: 'my-qrs', status, part, dialog } as const
  const upgrade = refused && (await upgradeFor(c, account, refused))
  return renderDashboard(c, account, upgrade ? { ...frame, upgrade } : frame, panel)
}

/** Whose plan allows no more is shown the way to more, over the form that said so. */
async function upgradeFor(c: AppContext, account: Account, { upgrade, code }: RefusedForm) {
  if (upgrade || code !== 'plan_limit') return upgrade
  return upgradeDialog(c, account, { why: 'limit' })
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
  const place = readPlace(c.req.query())
  const layout = chooseLayout(c)
  const size = pageSize(layout)
  const { q: search, page, company_fleet_name } = place
  const href = (to: number) => placeHref({ ...place, page: to })
  const wanted = { search, company_fleet_name, ...rowsOfPage(page, size) }
  const { qr_codes, total } = await listOwnQrCodes(db, account, wanted)
  const list = {
    ...{ place, layout, total, qr_codes },
    pages: countPages({ total, size, page }, href),
    companies: await listCompanies(db, account),
    viewer: await toCardViewer(c, account),
  }
  if (isSelecting(c)) return renderSelection(c, list)
  const qr_count = await countQrCodes(db, account.id)
  const ways = creationWays(account, qr_count)
  return (
    <>
      <h1 tabIndex={-1}>{TITLE}</h1>
      <Outcome text={doneText(c.req.query())} at={c.req.query('at')} />
      {await renderNotices(c, account)}
      <PlanBanner view={toBannerView(c, account, qr_count)} />
      <QrToolbar
        {...{ place, layout, ways }}
        childQuota={account.child_qr_quota}
        companies={list.companies}
        hasCodes={total > 0}
      />
      <QrCards c={c} list={list} />
      <ListPager page={page} pages={list.pages} href={href} />
      {total > 0 && <ListFiles place={place} total={total} />}
    </>
  )
}

async function toCardViewer(c: AppContext, account: Account): Promise<CardViewer> {
  const { db, clock } = c.var.deps
  const parent = account.parent_id ? await getAccount(db, account.parent_id) : undefined
  const { publicUrl } = await wornBy(c.var.deps, account.id)
  return { ...account, publicUrl, parent_plan: parent && planNow(parent, clock()) }
}

function toBannerView(c: AppContext, account: Account, qr_count: number): PlanBannerView {
  const { clock, config } = c.var.deps
  const held = accountNow(account, clock())
  const { subscription_ends_at: end, subscription_ended: ended } = held
  return {
    ...held,
    qr_count,
    until: end ? formatDate(end, config.timezone) : undefined,
    ended: ended ? { plan: ended.plan, on: formatDate(ended.at, config.timezone) } : undefined,
  }
}

const LAYOUT_COOKIE = 'driveqr_layout'

/** The layout that was asked for is remembered on this device. */
function chooseLayout(c: AppContext): QrLayout {
  const asked = readLayout(c.req.query('layout'))
  if (asked) keepPreference(c, LAYOUT_COOKIE, asked, '/dashboard')
  return asked ?? readLayout(getCookie(c, LAYOUT_COOKIE)) ?? 'grid-medium'
}
