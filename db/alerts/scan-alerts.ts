import type { ExpressionBuilder } from 'kysely'
import { listPeopleOf, type Person } from '#db/alerts/people.ts'
import { getAlertSettings } from '#db/alerts/settings.ts'
import { isSharedWithScanAlerts, wantsAlerts } from '#db/alerts/wanted.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { CODE_USER_COLUMNS } from '#db/conversations/code-user.ts'
import type { Notify } from '#db/outbox.ts'
import type { Instant, QrCode, Tables } from '#db/schema.ts'
import type { Sweep } from '#db/sweep.ts'
import { inTransaction } from '#db/transaction.ts'
import { SCAN_ALERT_EVERY_SECONDS, type ScanEvent } from '#domain/alerts/alert.ts'
import { endOfQuiet, waitsInQuietHours } from '#domain/alerts/quiet-hours.ts'
import { userOfCode } from '#domain/conversations/rules.ts'

/** A code, and an account that gets alerts of its scans: its user, or a person that the owner shares it with. */
export type AlertingCode = Pick<QrCode, 'qr_id' | 'vehicle_registration' | 'owner_name'> & {
  accountId: string
  event: ScanEvent
  person?: Person
}

/** So many scans since a time. */
export type CountedScans = { code: AlertingCode; scans: number; since: Instant }

type Rules = {
  now: Date
  timezone: string
  /** false while an account had too many alerts of scans */
  mayAlert?: (accountId: string) => boolean
}

/**
 * Returns which of these codes alert of scans: those that are lost, and those of which an account wants it. A
 * code comes once for each account.
 */
export async function listAlertingCodes(
  db: DbOrTrx,
  qrIds: string[],
  now: Date,
): Promise<AlertingCode[]> {
  const rows = await db
    .selectFrom('qr_codes')
    .select(CODE_USER_COLUMNS)
    .select(['qr_id', 'vehicle_registration', 'owner_name', 'lost_since'])
    .select((eb) => [wantsAlerts(eb, 'scan').as('wants_scans'), hasPeople(eb).as('has_people')])
    .where('qr_id', 'in', qrIds)
    .where('qr_codes.is_active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('lost_since', 'is not', null),
        wantsAlerts(eb, 'scan'),
        isSharedWithScanAlerts(eb),
      ]),
    )
    .where(({ exists, selectFrom, fn }) =>
      exists(
        selectFrom('accounts')
          .select('accounts.id')
          .whereRef('accounts.id', '=', fn.coalesce('child_account_id', 'owner_id'))
          .where('accounts.is_active', '=', 1),
      ),
    )
    .execute()
  const alerting: AlertingCode[] = []
  for (const row of rows) {
    const { qr_id, vehicle_registration, owner_name, lost_since } = row
    const accountId = userOfCode(row)
    if (!accountId) continue
    const event: ScanEvent = lost_since === null ? 'scan' : 'lost_scan'
    const isWanted = (wants: unknown) => Boolean(wants) || event === 'lost_scan'
    const code = { qr_id, vehicle_registration, owner_name, event }
    if (isWanted(row.wants_scans)) alerting.push({ ...code, accountId })
    if (!row.has_people) continue
    const { people } = await listPeopleOf(db, { account_id: accountId, qr_id }, now)
    for (const person of people.filter(({ wantsScans }) => isWanted(wantsScans))) {
      alerting.push({ ...code, accountId: person.accountId, person })
    }
  }
  return alerting
}

function hasPeople({ exists, selectFrom }: ExpressionBuilder<Tables, 'qr_codes'>) {
  return exists(
    selectFrom('shares').select('shares.id').whereRef('shares.owner_id', '=', 'qr_codes.owner_id'),
  )
}

/**
 * Alerts of the first scan of a code, and counts those of the time after it, in which there is no further
 * alert. In quiet hours that such an alert waits for, and while its account had too many, all are counted.
 */
export async function noteScans(
  db: Db,
  { code, scans }: { code: AlertingCode; scans: number },
  rules: Rules,
  notify: Notify<CountedScans>,
): Promise<void> {
  const at = toInstant(rules.now)
  await inTransaction(db, async (trx) => {
    const last = await trx
      .selectFrom('scan_alerts')
      .select(['scans', 'due_at'])
      .where('qr_id', '=', code.qr_id)
      .where('event', '=', code.event)
      .where('account_id', '=', code.accountId)
      .executeTakeFirst()
    if (last && (last.scans > 0 || last.due_at > at)) {
      await change(trx, code, { scans: last.scans + scans })
      return
    }
    const heldUntil = await findWait(trx, code, rules)
    if (heldUntil) {
      await put(trx, code, { since: at, due_at: toInstant(heldUntil), scans })
      return
    }
    await put(trx, code, { ...nextTime(code.event, rules.now), scans: scans - 1 })
    await notify(trx, { code, scans: 1, since: at })
  })
}

/** Alerts of the counted scans whose time is over. Returns how many codes it looked at. */
export async function releaseScans(
  db: Db,
  most: number,
  rules: Rules,
  notify: Notify<CountedScans>,
): Promise<number> {
  const due = await db
    .selectFrom('scan_alerts')
    .select(['qr_id', 'event', 'account_id as accountId'])
    .where('scans', '>', 0)
    .where('due_at', '<=', toInstant(rules.now))
    .orderBy('due_at')
    // Those that were held back longest.
    .orderBy('since')
    .limit(most)
    .execute()
  for (const each of due) await release(db, each, rules, notify)
  return due.length
}

async function release(
  db: Db,
  counted: Key,
  rules: Rules,
  notify: Notify<CountedScans>,
): Promise<void> {
  const { qr_id, event, accountId } = counted
  await inTransaction(db, async (trx) => {
    const held = await trx
      .selectFrom('scan_alerts')
      .select(['scans', 'since'])
      .where('qr_id', '=', qr_id)
      .where('event', '=', event)
      .where('account_id', '=', accountId)
      .where('scans', '>', 0)
      .where('due_at', '<=', toInstant(rules.now))
      .executeTakeFirst()
    if (!held) return
    // The code may have other alerts meanwhile, or none for the account.
    const alerting = await listAlertingCodes(trx, [qr_id], rules.now)
    const code = alerting.find((each) => each.accountId === accountId)
    if (!code) {
      await change(trx, counted, { scans: 0 })
      return
    }
    const about = { ...code, event }
    const heldUntil = await findWait(trx, about, rules)
    if (heldUntil) {
      await change(trx, about, { due_at: toInstant(heldUntil) })
      return
    }
    await put(trx, about, { ...nextTime(event, rules.now), scans: 0 })
    await notify(trx, { code: about, ...held })
  })
}

/** Until when an alert is held back, if it is. */
async function findWait(
  trx: Trx,
  { accountId, event }: AlertingCode,
  { now, timezone, mayAlert }: Rules,
): Promise<Date | undefined> {
  if (mayAlert?.(accountId) === false) return secondsAfter(now, SCAN_ALERT_EVERY_SECONDS.scan)
  if (!waitsInQuietHours({ event, isUrgent: false })) return undefined
  const { quietHours } = await getAlertSettings(trx, accountId)
  return endOfQuiet(now, quietHours, timezone)
}

function nextTime(event: ScanEvent, now: Date) {
  const due_at = toInstant(secondsAfter(now, SCAN_ALERT_EVERY_SECONDS[event]))
  return { since: toInstant(now), due_at }
}

type Key = Pick<AlertingCode, 'qr_id' | 'event' | 'accountId'>
type Counted = Omit<Tables['scan_alerts'], 'qr_id' | 'event' | 'account_id'>

async function put(
  trx: Trx,
  { qr_id, event, accountId: account_id }: Key,
  counted: Counted,
): Promise<void> {
  await trx
    .insertInto('scan_alerts')
    .values({ qr_id, event, account_id, ...counted })
    .onConflict((each) => each.columns(['qr_id', 'event', 'account_id']).doUpdateSet(counted))
    .execute()
}

async function change(
  trx: Trx,
  { qr_id, event, accountId }: Key,
  counted: Partial<Counted>,
): Promise<void> {
  await trx
    .updateTable('scan_alerts')
    .set(counted)
    .where('qr_id', '=', qr_id)
    .where('event', '=', event)
    .where('account_id', '=', accountId)
    .execute()
}

/** Forgets codes that nothing waits for any more. */
export const forgetScanAlerts: Sweep = async (db, { now }) => {
  await inTransaction(db, async (trx) => {
    await trx
      .deleteFrom('scan_alerts')
      .where('scans', '=', 0)
      .where('due_at', '<=', toInstant(now))
      .execute()
  })
}
