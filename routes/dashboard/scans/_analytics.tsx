import type { ReactElement } from 'react'
import {
  AccountScansCard,
  CodeScansCard,
  type CodeScansView,
} from '#components/analytics/analytics-card.tsx'
import {
  BlankQrCodes,
  NoQrCodes,
  NoQrCodesFound,
  PremiumUpsell,
} from '#components/codes/dashboard-empty.tsx'
import { SearchForm } from '#components/forms/search-form.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import type { Account } from '#db/schema.ts'
import { type QrPlace, readPlace, tabHref } from '#domain/dashboard.ts'
import { whereOpen } from '#domain/people/share.ts'
import { canSeeAnalytics } from '#domain/plans/plan.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import { readAccountScans, readCodeScans } from '#routes/dashboard/scans/_scans.ts'

const TITLE = 'Analytics'

/** Renders the scans of an account's codes. */
export async function renderAnalytics(c: AppContext, account: Account): Promise<Response> {
  const panel = await renderPanel(c, account)
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

async function renderPanel(c: AppContext, account: Account): Promise<ReactElement> {
  const open = whereOpen(account, canSeeAnalytics)
  if (!open) return <PremiumUpsell title="See every scan" />
  const place = readPlace(c.req.query())
  const { codes, pages, blank } = await readCodeScans(c, open.viewer, { ...place, ...open })
  return (
    <>
      {(place.q || place.page > 1 || codes.length + blank > 1) && (
        <SearchForm search={place.q} label="Search QR codes" fields={{ tab: 'analytics' }} />
      )}
      {await renderCards(c, account, place, { codes, blank, hasOwn: open.whose === null })}
      <BlankQrCodes count={blank} />
      <ListPager
        page={place.page}
        pages={pages}
        href={(page) => tabHref('analytics', { ...place, page })}
      />
    </>
  )
}

/** The account's total comes first, unless the list is searched. */
async function renderCards(
  c: AppContext,
  account: Account,
  { q, page }: QrPlace,
  { codes, blank, hasOwn }: { codes: CodeScansView[]; blank: number; hasOwn: boolean },
): Promise<ReactElement> {
  if (codes.length + blank === 0) {
    return q ? <NoQrCodesFound search={q} href={tabHref('analytics')} /> : <NoQrCodes />
  }
  const total = hasOwn && !q && page === 1 && (await readAccountScans(c, account))
  return (
    <section className="cards cards-20" aria-label="Scans">
      {total && <AccountScansCard view={total} />}
      {codes.map((view) => (
        <CodeScansCard key={view.qr_id_text} view={view} />
      ))}
    </section>
  )
}
