import type { ReactElement } from 'react'
import {
  BlankQrCodes,
  NoQrCodes,
  NoQrCodesFound,
  PremiumUpsell,
} from '#components/codes/dashboard-empty.tsx'
import { SearchForm } from '#components/codes/qr-toolbar.tsx'
import { AccountScansCard, CodeScansCard } from '#components/scans/analytics-card.tsx'
import { Pager } from '#components/ui/pager.tsx'
import type { Account } from '#db/schema.ts'
import { type QrPlace, readPlace, tabHref } from '#domain/dashboard.ts'
import { canSeeAnalytics } from '#domain/plans/plan.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import { type CodeScansPage, readAccountScans, readCodeScans } from '#routes/dashboard/_scans.ts'

const TITLE = 'Analytics'

/** When the codes of an account were scanned. */
export async function renderAnalytics(c: AppContext, account: Account): Promise<Response> {
  const panel = await renderPanel(c, account)
  if (panel instanceof Response) return panel
  return renderDashboard(
    c,
    account,
    { title: TITLE, tab: 'analytics' },
    <>
      <h1 tabIndex={-1}>{TITLE}</h1>
      {panel}
    </>,
  )
}

async function renderPanel(c: AppContext, account: Account): Promise<ReactElement | Response> {
  if (!canSeeAnalytics(account.subscription_plan)) return <PremiumUpsell title="See every scan" />
  const place = readPlace(c.req.query())
  const page = await readCodeScans(c, account, place)
  if (place.page > page.pages)
    return c.redirect(tabHref('analytics', { ...place, page: page.pages }))
  return (
    <>
      <SearchForm search={place.q} label="Search QR codes" fields={{ tab: 'analytics' }} />
      {await renderCards(c, account, place, page)}
      <BlankQrCodes count={page.blank} />
      <AnalyticsPager place={place} pages={page.pages} />
    </>
  )
}

/** The whole account comes first, unless somebody looks for something else. */
async function renderCards(
  c: AppContext,
  account: Account,
  { q, page }: QrPlace,
  { codes, blank }: CodeScansPage,
): Promise<ReactElement> {
  if (codes.length + blank === 0) {
    return q ? <NoQrCodesFound search={q} href={tabHref('analytics')} /> : <NoQrCodes elsewhere />
  }
  const all = !q && page === 1 && (await readAccountScans(c, account))
  return (
    <section className="cards cards-20" aria-label="Scans">
      {all && <AccountScansCard view={all} />}
      {codes.map((view) => (
        <CodeScansCard key={view.qr_id_text} view={view} />
      ))}
    </section>
  )
}

function AnalyticsPager({ place, pages }: { place: QrPlace; pages: number }) {
  if (pages === 1) return null
  const href = (page: number) =>
    page >= 1 && page <= pages ? tabHref('analytics', { ...place, page }) : undefined
  const { page } = place
  return <Pager page={page} pages={pages} previous={href(page - 1)} next={href(page + 1)} />
}
