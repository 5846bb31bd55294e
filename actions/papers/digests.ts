import { setImmediate as nextTurn } from 'node:timers/promises'
import { alertOrigin, byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import {
  type Digest,
  eachHolder,
  findDigests,
  findLastRun,
  hasMoreEnds,
  makeDigests,
  noteRun,
} from '#db/papers/digests.ts'
import { addDays, DUE_DAYS, endsToRemindOf, lastRunDay } from '#domain/papers/due.ts'
import { toDayIn } from '#domain/time.ts'
import { dueAlert } from '#mail/due.ts'

type Deps = Pick<ActionDeps, 'db' | 'clock' | 'config' | 'outbox'>

/** The number of accounts of which one turn reads and writes digests. */
const ACCOUNTS_AT_ONCE = 2
/** With more papers that end the run is another thread's: reading them from a slow disk would hold up scans. */
const FEW_ENDS = 50

/**
 * Makes the digests of the last 09:00, if that was not done: one for each account with a reminder on that day,
 * or on one since the run before. Requests are served in between. The next call continues after a stop.
 * A run for many papers is done by `remindBeside`, in another thread. Returns how many were made here.
 */
export async function remindOfDue(
  deps: Deps,
  signal?: AbortSignal,
  remindBeside?: () => Promise<void>,
): Promise<number> {
  const { db, clock, config } = deps
  const now = clock()
  const day = lastRunDay(now, config.timezone)
  const last = await findLastRun(db)
  if (last === day) return 0
  await nextTurn()
  // The clock may have been set back.
  const since = last !== undefined && last < day ? last : addDays(day, -1)
  const today = toDayIn(config.timezone, now)
  const run = { ends: endsToRemindOf(since, day), until: addDays(today, DUE_DAYS), now }
  const notify = byAlert(deps, (digest: Digest) => ({
    accountId: digest.accountId,
    ...(digest.share && { shareId: digest.share.id }),
    ...dueAlert({ ...digest, today }, alertOrigin(deps)),
  }))
  await nextTurn()
  if (remindBeside && (await hasMoreEnds(db, run.ends, FEW_ENDS))) {
    await remindBeside()
    return 0
  }
  const known = new Set<string>()
  let made = 0
  for await (const holders of eachHolder(db, run.ends)) {
    const news = [...new Set(holders)].filter((id) => !known.has(id))
    for (const id of news) known.add(id)
    while (news.length > 0) {
      if (signal?.aborted) return made
      // The first takes as long as several, because its code is compiled.
      const some = news.splice(0, made === 0 ? 1 : ACCOUNTS_AT_ONCE)
      const digests = await findDigests(db, some, run)
      await nextTurn()
      if (digests.length > 0) made += await makeDigests(db, digests, day, notify)
      await nextTurn()
    }
  }
  await noteRun(db, day)
  return made
}
