import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Sweep } from '#db/sweep.ts'
import { inTransaction } from '#db/transaction.ts'

/** Longer than the longest wait: for the end of quiet hours, after failures, or because a channel asks for it. */
const LONGEST_WAIT_SECONDS = 2 * 86_400

/** Makes alerts due whose time only a clock that was ahead can have written. */
export const endImpossibleWaits: Sweep = async (db, { now }) => {
  const at = toInstant(now)
  const latest = toInstant(secondsAfter(now, LONGEST_WAIT_SECONDS))
  await inTransaction(db, async (trx) => {
    await trx
      .updateTable('outbox')
      .set({ next_attempt_at: at })
      .where('next_attempt_at', '>', latest)
      .execute()
    await trx
      .updateTable('alert_channels')
      .set({ rests_until: null, claim: null })
      .where('rests_until', '>', latest)
      .execute()
    for (const table of ['alert_channels', 'scan_alerts', 'escalation_steps'] as const) {
      await trx.updateTable(table).set({ due_at: at }).where('due_at', '>', latest).execute()
    }
  })
}
