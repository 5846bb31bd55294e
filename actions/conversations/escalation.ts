import { setImmediate as nextTurn } from 'node:timers/promises'
import { aboutTurns } from '#actions/conversations/notices.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { listDueSteps, takeStep } from '#db/alerts/escalation.ts'

/** Steps that are read at once. */
const STEPS_AT_ONCE = 100

/**
 * Tells the next people of messages that nobody has opened, each once among concurrent callers. Requests are served
 * in between. A step that fails is tried again by the next call. Returns how many steps were taken.
 */
export async function escalate(deps: ActionDeps, signal?: AbortSignal): Promise<number> {
  const { db, clock, config } = deps
  const notify = aboutTurns(deps)
  let taken = 0
  for (;;) {
    const due = await listDueSteps(db, STEPS_AT_ONCE, clock())
    let failed = 0
    for (const step of due) {
      if (signal?.aborted) return taken
      await takeStep(db, step, { now: clock(), timezone: config.timezone }, notify).then(
        () => taken++,
        (err: unknown) => {
          failed++
          deps.log.error({ err, conversation: step.conversation_id }, 'a person was not told')
        },
      )
      await nextTurn()
    }
    // A person in quiet hours passes the turn on at once.
    if (failed > 0 || due.length === 0) return taken
  }
}
