import type { PlanWordsView } from '#components/plans/plan-words.tsx'
import { countSeenCodes } from '#db/codes/qr-codes.ts'
import { accountNow } from '#db/plans/plan-now.ts'
import type { Account } from '#db/schema.ts'
import { formatDate } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** Describes the plan above the list of codes. `qr_count` are those that count against its limit. */
export async function toPlanView(
  c: AppContext,
  account: Account,
  qr_count: number,
): Promise<PlanWordsView> {
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
