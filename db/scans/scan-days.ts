import { type SqlBool, sql } from 'kysely'
import { toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Day, Instant } from '#db/schema.ts'
import { daysUntil, startOfDayIn, toDayIn } from '#domain/time.ts'

export type ScanDay = { day: Day; scans: number }
/** The last `days` days of the zone, ending today. */
export type Span = { days: number; now: Date; timezone: string }

type Counted = { minute: string; scans: number }

const minuteOfScan = sql<string>`substr(scanned_at, 1, 16)`

/** Returns the scans of each of these codes on each day of the span, including days without scans. */
export async function listScansPerDay(
  db: DbOrTrx,
  qrIds: string[],
  span: Span,
): Promise<Map<string, ScanDay[]>> {
  // Not every engine accepts an empty list of values.
  if (qrIds.length === 0) return new Map()
  const starts = dayStarts(span)
  const minutes = await db
    .selectFrom('scans')
    .select(({ fn }) => ['qr_id', minuteOfScan.as('minute'), fn.countAll<number>().as('scans')])
    .where('qr_id', 'in', qrIds)
    .where('scanned_at', '>=', starts[0]?.from ?? '')
    .groupBy(['qr_id', 'minute'])
    .execute()
  const ofCode = new Map<string, Counted[]>(qrIds.map((qrId) => [qrId, []]))
  for (const { qr_id, ...counted } of minutes) ofCode.get(qr_id)?.push(counted)
  return new Map([...ofCode].map(([qrId, counted]) => [qrId, toDays(starts, counted)]))
}

/**
 * Returns the scans of all codes of an account on each day of the span, without those that claimers
 * hold. Read from sums by quarter of an hour, because counting half a million scans would take 250
 * ms. `held` are those of `listHeldScans`, if the caller has them.
 */
export async function listOwnerScansPerDay(
  db: DbOrTrx,
  ownerId: string,
  span: Span,
  held?: Counted[],
): Promise<ScanDay[]> {
  const starts = dayStarts(span)
  const quarters = await db
    .selectFrom('owner_scans')
    .select(['quarter as minute', 'scans'])
    .where('owner_id', '=', ownerId)
    .where('quarter', '>=', toMinute(starts[0]?.from ?? ''))
    .execute()
  const withheld = held ?? (await listHeldScans(db, ownerId))
  return toDays(starts, [...quarters, ...withheld.map((each) => ({ ...each, scans: -each.scans }))])
}

/** Returns the scans of the whole installation on each day of the span. */
export async function listAllScansPerDay(db: DbOrTrx, span: Span): Promise<ScanDay[]> {
  const starts = dayStarts(span)
  const quarters = await db
    .selectFrom('scan_quarters')
    .select(['quarter as minute', 'scans'])
    .where('quarter', '>=', toMinute(starts[0]?.from ?? ''))
    .execute()
  return toDays(starts, quarters)
}

/**
 * Returns the total number of scans of an account's codes, without those that claimers hold, and
 * with those whose times are no longer kept. `held` as for `listOwnerScansPerDay`.
 */
export async function countOwnerScans(
  db: DbOrTrx,
  ownerId: string,
  held?: Counted[],
): Promise<number> {
  const { total: dated, earlier } = await db
    .selectFrom('owner_scans')
    .select(({ fn, selectFrom }) => [
      fn.sum<number | null>('scans').as('total'),
      selectFrom('qr_codes')
        .select(({ fn: of }) => of.sum<number | null>('earlier_scans').as('sum'))
        .where('qr_codes.owner_id', '=', ownerId)
        // In words, or the index for these is not found.
        .where(sql<SqlBool>`earlier_scans > 0`)
        .where('claimed_at', 'is', null)
        .as('earlier'),
    ])
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  const total = (dated ?? 0) + (earlier ?? 0)
  const withheld = held ?? (await listHeldScans(db, ownerId))
  return withheld.reduce((left, { scans }) => left - scans, total)
}

/** Returns the scans of held codes, which the sums include. They are few, but all codes are read to find them. */
export function listHeldScans(db: DbOrTrx, ownerId: string): Promise<Counted[]> {
  return db
    .selectFrom('qr_codes')
    .innerJoin('scans', 'scans.qr_id', 'qr_codes.qr_id')
    .select(({ fn }) => [minuteOfScan.as('minute'), fn.countAll<number>().as('scans')])
    .where('owner_id', '=', ownerId)
    .where('claimed_at', 'is not', null)
    .groupBy('minute')
    .execute()
}

type DayStart = { day: Day; from: Instant }

function dayStarts({ days, now, timezone }: Span): DayStart[] {
  return daysUntil(toDayIn(timezone, now), days).map((day) => ({
    day,
    from: toInstant(startOfDayIn(timezone, day)),
  }))
}

/**
 * Days of every zone begin at a whole minute, so comparing minutes is enough, and the database
 * needs no time zones.
 */
function toDays(starts: DayStart[], counted: Counted[]): ScanDay[] {
  const perDay = starts.map(({ day, from }) => ({ day, from: toMinute(from), scans: 0 }))
  for (const { minute, scans } of counted) {
    const day = perDay.findLast(({ from }) => from <= minute)
    if (day) day.scans += scans
  }
  return perDay.map(({ day, scans }) => ({ day, scans }))
}

function toMinute(instant: Instant): string {
  return instant.slice(0, 16)
}
