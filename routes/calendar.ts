import { Hono } from 'hono'
import { todayOf } from '#actions/papers/due.ts'
import { productName } from '#components/brands/brand-name.tsx'
import { findReader } from '#db/papers/calendars.ts'
import { listDue } from '#db/papers/due.ts'
import { keyedHash } from '#db/secrets.ts'
import { prefixOf } from '#domain/brands/brand.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { DomainError } from '#domain/error.ts'
import { addDays, dueTitle, REMINDER_DAYS } from '#domain/papers/due.ts'
import { calendarVersion, drawCalendar } from '#formats/calendar-file.ts'
import { applyParentsBrand } from '#routes/_http/brands/page-brand.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { isNotModified, keepUnlisted } from '#routes/_http/headers.ts'
import { limit } from '#routes/_http/rate-limits.ts'

/** A calendar program shows no more events well. */
const MOST_EVENTS = 500

/** Serves the ending dates of an account to calendar programs, which have no session. */
export const calendar = new Hono<AppEnv>()

calendar.get('/:calendar', async (c) => {
  const [, token = ''] = /^([\w-]+)\.ics$/.exec(c.req.param('calendar')) ?? []
  keepUnlisted(c)
  const file = await readFile(c, token)
  const etag = `"${calendarVersion(file)}"`
  c.header('Cache-Control', 'private, no-cache')
  c.header('ETag', etag)
  if (isNotModified(c, etag)) return c.body(null, 304)
  c.header('Content-Type', 'text/calendar; charset=utf-8')
  c.header('Content-Disposition', `inline; filename="${prefixOf(c.var.brand)}.ics"`)
  return c.body(await drawCalendar(file))
})

async function readFile(c: AppContext, token: string) {
  const { db, secretKey, config, clock } = c.var.deps
  const reader = await findReader(db, token, clock())
  if (!reader) {
    limit(c, 'calendar-unknown')
    throw new DomainError('not_found.calendar')
  }
  limit(c, ['calendar', reader.id])
  await applyParentsBrand(c, reader)
  const from = addDays(todayOf(c.var.deps), -(REMINDER_DAYS.at(-1) ?? 0))
  const items = await listDue(db, reader, { from, limit: MOST_EVENTS })
  const host = new URL(config.publicUrl).hostname
  return {
    name: productName(c.var.brand),
    stamp: reader.created_at,
    events: items.map(({ vehicle_registration: plate, ...item }) => {
      const { qr_id, kind, document_type, ends_on } = item
      const thing = kind === 'insurance' ? kind : (document_type ?? kind)
      // The id of a code leads to its page, so the event contains only a hash of it.
      const uid = keyedHash(secretKey, 'calendar', qr_id, thing, ends_on).slice(0, 32)
      return {
        uid: `${uid}@${host}`,
        title: dueTitle(item, plate && formatPlate(plate)),
        day: ends_on,
      }
    }),
  }
}
