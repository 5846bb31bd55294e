import type { CodeScansView, ScansView } from '#components/analytics/analytics-card.tsx'
import type { ChartDay } from '#components/analytics/scan-chart.tsx'
import { headingOf } from '#components/papers/code-heading.tsx'
import { listQrCodesByContents } from '#db/codes/code-contents.ts'
import { listLostPeriods } from '#db/codes/lost-mode.ts'
import {
  countOwnerScans,
  listHeldScans,
  listOwnerScansPerDay,
  listScansPerDay,
  type ScanDay,
} from '#db/scans/scan-days.ts'
import { listRecentScans } from '#db/scans/scans.ts'
import type { Account } from '#db/schema.ts'
import { accessibleName } from '#domain/codes/code-title.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { type QrPlace, tabHref } from '#domain/dashboard.ts'
import type { Whose } from '#domain/people/share.ts'
import { formatDate, formatDateTime, formatDayOfMonth } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'

const CODES_A_PAGE = 12
const CHART_DAYS = 14
const RECENT_SCANS = 3

/** Reads a page of the codes of the account and of owners who share; the code of a child user is its parent's. */
export async function readCodeScans(
  c: AppContext,
  account: Account,
  { q, page, whose }: Pick<QrPlace, 'q' | 'page'> & { whose: Whose | null },
): Promise<{ codes: CodeScansView[]; pages: number; blank: number }> {
  const { db, config } = c.var.deps
  const wanted = { search: q, whose, ...rowsOfPage(page, CODES_A_PAGE) }
  const owner = { ...account, parent_id: null }
  const { qr_codes, total, blank } = await listQrCodesByContents(db, owner, 'scans', wanted)
  const pages = countPages({ total, size: CODES_A_PAGE, page }, (last) =>
    tabHref('analytics', { q, page: last }),
  )
  const qrIds = qr_codes.filter((code) => !code.is_claimed_away).map(({ qr_id }) => qr_id)
  const days = await listScansPerDay(db, qrIds, span(c))
  const recent = await listRecentScans(db, qrIds, RECENT_SCANS)
  const lost = await listLostPeriods(db, qrIds)
  const codes = qr_codes.map((code) => ({
    heading: headingOf(code),
    about: accessibleName(code),
    qr_id_text: formatQrId(code.qr_id),
    total: code.scan_count,
    days: toChartDays(days.get(code.qr_id) ?? []),
    replaces: code.replaces.map(formatQrId),
    recent: (recent.get(code.qr_id) ?? []).map(({ scanned_at: at, replaced_id }) => ({
      at,
      text: formatDateTime(at, config.timezone),
      tag: replaced_id && formatQrId(replaced_id),
    })),
    lost: (lost.get(code.qr_id) ?? []).map(({ since, until, total_scans }) => ({
      since,
      from: formatDate(since, config.timezone),
      until: until && formatDate(until, config.timezone),
      scans: total_scans,
    })),
  }))
  return { codes, pages, blank }
}

export async function readAccountScans(c: AppContext, { id }: Account): Promise<ScansView> {
  const { db } = c.var.deps
  const held = await listHeldScans(db, id)
  const days = await listOwnerScansPerDay(db, id, span(c), held)
  return { total: await countOwnerScans(db, id, held), days: toChartDays(days) }
}

function span(c: AppContext) {
  const { clock, config } = c.var.deps
  return { days: CHART_DAYS, now: clock(), timezone: config.timezone }
}

function toChartDays(days: ScanDay[]): ChartDay[] {
  return days.map(({ day, scans }) => ({ label: formatDayOfMonth(day), scans }))
}
