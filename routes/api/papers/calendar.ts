import { newCalendar } from '#actions/papers/calendars.ts'
import { removeCalendar } from '#db/papers/calendars.ts'
import { webcalUrl } from '#domain/papers/calendar.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { deleteCalendar, makeCalendar } from '#routes/api/papers/_due-schema.ts'

/** The address at which calendar programs read what ends. */
export const calendars = apiRouter()
  .openapi(makeCalendar, async (c) => {
    return c.json({ url: webcalUrl(await newCalendar(c.var.deps, requireCaller(c))) }, 201)
  })
  .openapi(deleteCalendar, async (c) => {
    await removeCalendar(c.var.deps.db, requireAccount(c).id)
    return c.json({ message: 'Calendar removed' }, 200)
  })
