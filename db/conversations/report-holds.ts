import { type Actor, recordAct } from '#db/admin/audit-events.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { laterThan } from '#db/codes/qr-changes.ts'
import { getReport, type ListedReport } from '#db/conversations/moderated-reports.ts'
import { deciderOf, readModerator, toReported } from '#db/conversations/report-decisions.ts'
import { inTransaction } from '#db/transaction.ts'
import { HOLD_DAYS } from '#domain/codes/replacement.ts'
import { assertMayDecide } from '#domain/conversations/moderation.ts'
import { DAY } from '#domain/rate-limits.ts'

/**
 * Keeps the code of an open report with its owner and its id for 7 days, and leaves the report open. Throws the
 * errors of `assertMayDecide`.
 */
export async function holdReportedCode(
  db: Db,
  actor: Actor,
  id: string,
  now: Date,
): Promise<ListedReport> {
  return inTransaction(db, async (trx) => {
    const moderator = await readModerator(trx, actor)
    const report = await getReport(trx, id)
    assertMayDecide('hold_code', toReported(report), deciderOf(moderator))
    const code = await trx
      .selectFrom('qr_codes')
      .select(['id', 'hold_until', 'updated_at'])
      .where('qr_id', '=', report.qr_id)
      .executeTakeFirstOrThrow()
    const hold_until = toInstant(secondsAfter(now, HOLD_DAYS * DAY))
    await trx
      .updateTable('qr_codes')
      .set({ hold_until, updated_at: laterThan(code.updated_at, now) })
      .where('id', '=', code.id)
      .execute()
    const act = {
      ...actor,
      action: 'report.held',
      subject_type: 'report',
      subject_id: id,
      before: { code: report.qr_id, hold_until: code.hold_until },
      after: { code: report.qr_id, hold_until },
    }
    await recordAct(trx, act, now)
    return getReport(trx, id)
  })
}
