import type { ActionDeps } from '#actions/deps.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { findCalendar, makeCalendar } from '#db/papers/calendars.ts'

type Deps = Pick<ActionDeps, 'db' | 'config' | 'clock' | 'secretKey'>

/** Creates the calendar of an account, or replaces its URL, and returns the URL. Throws unauthenticated. */
export async function newCalendar(deps: Deps, caller: Caller): Promise<string> {
  const { db, secretKey, clock } = deps
  return calendarUrl(deps, await makeCalendar(db, secretKey, caller, clock()))
}

/** Returns the calendar of an account, without its URL if that was sealed with another key. */
export async function readCalendar(
  deps: Deps,
  accountId: string,
): Promise<{ url: string | undefined } | undefined> {
  const calendar = await findCalendar(deps.db, deps.secretKey, accountId)
  if (!calendar) return undefined
  return { url: calendar.token === null ? undefined : calendarUrl(deps, calendar.token) }
}

function calendarUrl({ config }: Pick<Deps, 'config'>, token: string): string {
  return `${config.publicUrl}/calendar/${token}.ics`
}
