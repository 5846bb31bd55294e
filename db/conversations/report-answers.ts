import { type Actor, recordAct } from '#db/admin/audit-events.ts'
import { toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { getReport, type ListedReport } from '#db/conversations/moderated-reports.ts'
import { deciderOf, readModerator, toReported } from '#db/conversations/report-decisions.ts'
import type { Notify } from '#db/outbox.ts'
import { inTransaction } from '#db/transaction.ts'
import { assertMayDecide } from '#domain/conversations/moderation.ts'
import { DomainError } from '#domain/error.ts'

/**
 * Answers the account that reported a conversation, once, and leaves the report open. Throws the errors of
 * `assertMayDecide`.
 */
export async function answerReport(
  db: Db,
  actor: Actor,
  { id, text }: { id: string; text: string },
  now: Date,
  notify: Notify<ListedReport>,
): Promise<ListedReport> {
  return inTransaction(db, async (trx) => {
    const moderator = await readModerator(trx, actor)
    const report = await getReport(trx, id)
    assertMayDecide('answer', toReported(report), deciderOf(moderator))
    const answered_at = toInstant(now)
    const { numUpdatedRows } = await trx
      .updateTable('reports')
      .set({ answer: text, answered_at })
      .where('id', '=', id)
      .where('status', '=', 'open')
      .where('answered_at', 'is', null)
      .executeTakeFirst()
    if (!numUpdatedRows) throw new DomainError('conflict.report_answered')
    const { qr_id: code } = report
    const act = {
      ...actor,
      action: 'report.answered',
      subject_type: 'report',
      subject_id: id,
      before: { code, answered_at: null },
      after: { code, answered_at },
    }
    await recordAct(trx, act, now)
    const answered = await getReport(trx, id)
    await notify(trx, answered)
    return answered
  })
}
