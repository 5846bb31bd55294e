import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { helpOn, laterThan } from '#db/codes/qr-changes.ts'
import { getOwnQrCode, getOwnRow, type OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { recordHelp } from '#db/people/help.ts'
import type { Instant, QrCode } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { assertNotHeld } from '#domain/codes/claim.ts'
import { canMarkLost } from '#domain/codes/lost.ts'
import { DomainError } from '#domain/error.ts'
import type { PlanId } from '#domain/plans/plan.ts'
import { planNow } from '#domain/plans/term.ts'
import { registrationState } from '#domain/scans/scan.ts'

const NOT_LOST = { lost_since: null, lost_note: null, lost_reward: null }

/** The lost mode of a code. */
export type LostChange = { lost: boolean; note?: string | null; reward?: string | null }

/**
 * Marks a code as lost, changes the texts of its page, or ends the lost mode. Throws not_found,
 * conflict for a code that has no page, and forbidden where neither the account nor the code's
 * owner has a plan with Loss & Found; ending is always allowed.
 */
export async function setLostMode(
  db: Db,
  viewer: Viewer,
  qrId: string,
  { lost, note = null, reward = null }: LostChange,
  now: Date,
): Promise<OwnQrCode> {
  return inTransaction(db, async (trx) => {
    const code = await getOwnRow(trx, viewer, qrId, 'answer')
    assertNotHeld(code)
    if (lost) await markLost(trx, viewer, code, { lost_note: note, lost_reward: reward }, now)
    else await endLostMode(trx, qrId, now)
    await recordHelp(trx, viewer, helpOn(viewer, lost ? 'lost' : 'found', code), now)
    return getOwnQrCode(trx, viewer, qrId)
  })
}

async function markLost(
  trx: Trx,
  viewer: Viewer,
  code: QrCode,
  words: Pick<QrCode, 'lost_note' | 'lost_reward'>,
  now: Date,
): Promise<void> {
  if (!canMarkLost(await listPlansFor(trx, viewer, code, now))) {
    throw new DomainError('forbidden.lost_mode')
  }
  if (registrationState(code) !== 'contact') throw new DomainError('conflict.nobody_has_code')
  const updated_at = laterThan(code.updated_at, now)
  const since = code.lost_since ?? updated_at
  await trx
    .updateTable('qr_codes')
    .set({ ...words, lost_since: since, updated_at })
    .where('id', '=', code.id)
    .execute()
  if (code.lost_since) return
  await trx.insertInto('lost_periods').values({ qr_id: code.qr_id, since, until: null }).execute()
}

/** Ends the lost mode of a code, as a step of a transaction. Other codes stay as they are. */
export async function endLostMode(trx: Trx, qrId: string, now: Date): Promise<void> {
  const code = await trx
    .selectFrom('qr_codes')
    .select('updated_at')
    .where('qr_id', '=', qrId)
    .where('lost_since', 'is not', null)
    .executeTakeFirst()
  if (!code) return
  const updated_at = laterThan(code.updated_at, now)
  await trx
    .updateTable('qr_codes')
    .set({ ...NOT_LOST, updated_at })
    .where('qr_id', '=', qrId)
    .execute()
  await trx
    .updateTable('lost_periods')
    .set({ until: updated_at })
    .where('qr_id', '=', qrId)
    .where('until', 'is', null)
    .execute()
}

/** The plans by which an account may mark a code as lost: the owner's, and a child user's own. */
async function listPlansFor(
  db: DbOrTrx,
  viewer: Viewer,
  { owner_id, child_account_id }: QrCode,
  now: Date,
): Promise<PlanId[]> {
  const holders = viewer.id === child_account_id ? [viewer.id, owner_id] : [owner_id]
  const rows = await db
    .selectFrom('accounts')
    .select(['subscription_plan', 'term_plan', 'term_ends_at'])
    .where('id', 'in', holders)
    .execute()
  return rows.map((plans) => planNow(plans, now))
}

export type LostPeriod = { since: Instant; until: Instant | null; total_scans: number }

/** Returns when each of these codes was lost, and how often it was scanned meanwhile, the newest first. */
export async function listLostPeriods(
  db: DbOrTrx,
  qrIds: string[],
): Promise<Map<string, LostPeriod[]>> {
  if (qrIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('lost_periods')
    .select(['lost_periods.qr_id', 'since', 'until', 'earlier_scans'])
    .select((eb) =>
      eb
        .selectFrom('scans')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('scans.qr_id', '=', 'lost_periods.qr_id')
        .whereRef('scans.scanned_at', '>=', 'lost_periods.since')
        .where((each) =>
          each.or([
            each('lost_periods.until', 'is', null),
            each('scans.scanned_at', '<', each.ref('lost_periods.until')),
          ]),
        )
        .as('total_scans'),
    )
    .where('lost_periods.qr_id', 'in', qrIds)
    .orderBy('since', 'desc')
    .execute()
  const periods = new Map<string, LostPeriod[]>()
  for (const { qr_id, since, until, total_scans, earlier_scans } of rows) {
    const period = { since, until, total_scans: (total_scans ?? 0) + earlier_scans }
    periods.set(qr_id, [...(periods.get(qr_id) ?? []), period])
  }
  return periods
}
