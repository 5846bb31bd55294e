import { Hono } from 'hono'
import type { ReactElement } from 'react'
import { newCalendar, readCalendar } from '#actions/papers/calendars.ts'
import { todayOf } from '#actions/papers/due.ts'
import {
  CalendarPage,
  CalendarRemove,
  CalendarRenew,
  type CalendarView,
} from '#components/papers/calendar-page.tsx'
import { removeCalendar } from '#db/papers/calendars.ts'
import { listDue } from '#db/papers/due.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { dueState, dueTitle } from '#domain/papers/due.ts'
import { settingsHref } from '#domain/settings.ts'
import { formatDate, formatDayOfMonth } from '#domain/time.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { readForm } from '#routes/_http/forms.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

/** The address at which calendar programs read what ends. */
export const calendarPages = new Hono<AppEnv>()

const SHOWN = 8

calendarPages.get('/', async (c) =>
  renderSettings(
    c,
    { page: 'calendar', title: 'Calendar', dialog: await requestedDialog(c) },
    async () => <CalendarPage view={await toView(c)} />,
  ),
)

/** The question that the address asks, while there is a calendar. */
async function requestedDialog(c: AppContext): Promise<ReactElement | undefined> {
  const { renew, remove } = c.req.query()
  if (!renew && !remove) return undefined
  if (!(await readCalendar(c.var.deps, requireAccount(c).id))) return undefined
  return renew ? <CalendarRenew /> : <CalendarRemove />
}

/** A page from before the calendar was made does not give it another address. */
calendarPages.post('/', async (c) => {
  const { deps } = c.var
  const { renew } = (await readForm(c)).form
  const isMade = (await readCalendar(deps, requireAccount(c).id)) !== undefined
  if (renew || !isMade) await newCalendar(deps, requireCaller(c))
  const done = renew && isMade ? 'calendar-moved' : 'calendar-made'
  return c.redirect(settingsHref('calendar', { done, at: 'address' }), 303)
})

calendarPages.post('/remove', async (c) => {
  await removeCalendar(c.var.deps.db, requireAccount(c).id)
  return c.redirect(settingsHref('calendar', { done: 'removed' }), 303)
})

async function toView(c: AppContext): Promise<CalendarView> {
  const { deps } = c.var
  const account = requireAccount(c)
  const today = todayOf(c.var.deps)
  const next = await listDue(deps.db, account, { from: today, limit: SHOWN + 1 })
  return {
    calendar: await readCalendar(deps, account.id),
    hasMore: next.length > SHOWN,
    next: next.slice(0, SHOWN).map(({ vehicle_registration: plate, ...item }) => ({
      key: `${item.qr_id} ${item.document_id ?? item.kind}`,
      isSoon: dueState(item.ends_on, today) === 'due',
      day:
        item.ends_on.slice(0, 4) === today.slice(0, 4)
          ? formatDayOfMonth(item.ends_on)
          : formatDate(item.ends_on),
      title: dueTitle(item, plate && formatPlate(plate)),
    })),
  }
}
