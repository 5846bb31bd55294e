import type { ReactElement } from 'react'
import {
  AnswerReporter,
  BlockAccount,
  BlockReportedSender,
  DeactivateCode,
  DismissReport,
  HideImage,
  HoldCode,
} from '#components/conversations/report-forms.tsx'
import { ReportList } from '#components/conversations/report-list.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { ListPager } from '#components/ui/pager.tsx'
import { getReport, listReports } from '#db/conversations/moderated-reports.ts'
import { deciderOf, toReported } from '#db/conversations/report-decisions.ts'
import type { Account } from '#db/schema.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { assertMayDecide, DECISION_TEXTS } from '#domain/conversations/moderation.ts'
import type { ReportAct } from '#domain/conversations/report.ts'
import {
  type ReportsPlace,
  readReportsPlace,
  reportsHref,
} from '#domain/conversations/report-places.ts'
import { REPORT_DIALOGS } from '#domain/dialogs.ts'
import type { DomainError } from '#domain/error.ts'
import { renderWaiting } from '#routes/_admin/waiting.tsx'
import type { AppContext } from '#routes/_http/context.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import { toReportCard } from '#routes/dashboard/conversations/_report-view.ts'

const REPORTS_A_PAGE = 12

/** Renders the Reports tab of a moderator's dashboard. */
export async function renderReports(
  c: AppContext,
  account: Account,
  refusal?: DomainError,
): Promise<Response> {
  const { panel, ...frame } = await readReports(c, account, '/dashboard', refusal)
  return renderDashboard(c, account, { title: 'Reports', tab: 'reports', ...frame }, panel)
}

/** Reads the parts of the tab, for the page that it is on. */
export async function readReports(
  c: AppContext,
  account: Account,
  on: ReportsPlace['on'],
  refusal: DomainError | undefined,
) {
  const place = readReportsPlace(on, c.req.query())
  const dialog = refusal ? undefined : await requestedDialog(c, account, place)
  const isDialogAlone = c.req.query('part') === 'dialog'
  const panel = isDialogAlone ? null : await renderPanel(c, account, place)
  const outcome = (
    <Outcome
      text={refusal?.message ?? doneText(c.req.query('done'))}
      at={c.req.query('at')}
      isRefused={refusal !== undefined}
    />
  )
  return { panel, dialog, outcome }
}

async function renderPanel(
  c: AppContext,
  account: Account,
  place: ReportsPlace,
): Promise<ReactElement> {
  const { db, config, outbox } = c.var.deps
  const { status, page, kept, report } = place
  const wanted = { status, kept, ...rowsOfPage(page, REPORTS_A_PAGE) }
  const { reports, total_count: total } = report
    ? { reports: [await getReport(db, report)], total_count: 1 }
    : await listReports(db, wanted)
  // The management page begins with the list of all work.
  const isFirst = place.on === '/dashboard' && status === 'open' && page === 1 && !report
  const href = (to: number) => reportsHref({ ...place, page: to })
  const pages = countPages({ total, size: REPORTS_A_PAGE, page }, href)
  return (
    <ReportList
      place={place}
      reports={reports.map((report) => toReportCard(report, account, { config, outbox }))}
      pager={<ListPager page={page} pages={pages} href={href} />}
      waiting={isFirst && total > 0 && (await renderWaiting(c, account, '/dashboard'))}
    />
  )
}

function doneText(done = ''): string | undefined {
  return Object.hasOwn(DECISION_TEXTS, done) ? DECISION_TEXTS[done as ReportAct] : undefined
}

/** The dialog that the address asks for. Throws what `assertMayDecide` throws. */
async function requestedDialog(
  c: AppContext,
  account: Account,
  place: ReportsPlace,
): Promise<ReactElement | undefined> {
  const requested = (Object.keys(REPORT_DIALOGS) as ReportAct[]).find((action) =>
    c.req.query(REPORT_DIALOGS[action]),
  )
  if (!requested) return undefined
  const id = c.req.query(REPORT_DIALOGS[requested]) ?? ''
  const report = await getReport(c.var.deps.db, id)
  assertMayDecide(requested, toReported(report), deciderOf(account))
  const about = { id, place, said: report.text }
  const qr_id = formatQrId(report.qr_id)
  const { account_name: name, account_email, account_mobile, images_left } = report
  const contact = account_email ?? displayPhone(account_mobile ?? '')
  const dialogs: Record<ReportAct, ReactElement> = {
    dismiss: <DismissReport {...about} />,
    block_sender: <BlockReportedSender {...about} />,
    answer: <AnswerReporter {...about} />,
    hide_popup_image: <HideImage {...about} images={images_left.length} />,
    deactivate_code: <DeactivateCode {...about} qr_id={qr_id} />,
    hold_code: <HoldCode {...about} qr_id={qr_id} />,
    block_account: <BlockAccount {...about} name={name} contact={contact} />,
  }
  return dialogs[requested]
}
