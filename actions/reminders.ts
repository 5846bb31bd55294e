import { setImmediate as nextTurn } from 'node:timers/promises'
import { escalate } from '#actions/conversations/escalation.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { remindOfDue } from '#actions/papers/digests.ts'
import { remindOfEnds } from '#actions/plans/reminders.ts'

const REMIND_EVERY_MS = 60_000

/**
 * Reminds of plans and papers that end and of messages that nobody has opened, now and every minute. The answer stops it, a daily run in its middle.
 * `beside` makes the digests of many accounts in another thread.
 */
export function keepReminding(
  deps: ActionDeps,
  beside?: (signal: AbortSignal) => Promise<void>,
): () => Promise<void> {
  const stopping = new AbortController()
  const remindBeside = beside && (() => beside(stopping.signal))
  const works = {
    'nobody was told of messages that wait': () => escalate(deps, stopping.signal),
    'nobody was reminded of plans that end': () => remindOfEnds(deps),
    'the reminders of what is due are not complete': () =>
      remindOfDue(deps, stopping.signal, remindBeside),
  }
  let reminding = Promise.resolve()
  async function remind(): Promise<void> {
    for (const [failure, work] of Object.entries(works)) {
      await work().catch((err) => deps.log.error({ err }, failure))
      await nextTurn()
    }
  }
  const begin = () => {
    reminding = reminding.then(remind)
  }
  begin()
  const timer = setInterval(begin, REMIND_EVERY_MS).unref()
  return () => {
    clearInterval(timer)
    stopping.abort()
    return reminding
  }
}
