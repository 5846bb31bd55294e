import { getAccount } from '#db/accounts/accounts.ts'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { actorOf, recordAct } from '#db/admin/audit-events.ts'
import { toFlag } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { giveBackChildSlots } from '#db/codes/child-slots.ts'
import { NO_PIN, TAKEN } from '#db/codes/claims.ts'
import { hashPin } from '#db/codes/pins.ts'
import { laterThan } from '#db/codes/qr-changes.ts'
import { getOwnQrCode, type OwnQrCode } from '#db/codes/qr-codes.ts'
import { NO_DETAILS, toColumns } from '#db/codes/qr-columns.ts'
import { assertRoomFor, type Making } from '#db/codes/qr-creation.ts'
import { removeWards } from '#db/families/guardians.ts'
import type { Notify } from '#db/outbox.ts'
import { handOverDocuments } from '#db/papers/document-transfers.ts'
import { endShares } from '#db/people/people.ts'
import { forgetScanTimes } from '#db/scans/earlier-scans.ts'
import type { Account } from '#db/schema.ts'
import { hashToken, type SecretKey } from '#db/secrets.ts'
import { endTransfer, getOfferedTransfer, type OfferedTransfer } from '#db/transfers/transfers.ts'
import { DEFAULT_PUBLIC_MESSAGE, type QrInput } from '#domain/codes/qr.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { VISIBLE } from '#domain/codes/visibility.ts'
import {
  assertTransferable,
  countsFor,
  MOVING_FIELDS,
  transferNotFound,
} from '#domain/transfers/transfer.ts'

type Rules = Making & { secretKey: SecretKey }

/** A transfer that has just been accepted, and the new owner. */
export type AcceptedTransfer = OfferedTransfer & { to: Account }

/** The new owner's fields on the code. */
export type NewHolder = { token: string; fields: Partial<QrInput> }

/**
 * Moves a code to the recipient of its transfer, once, and counts it against their plan. It keeps
 * the fields of the vehicle, its documents if they are handed over, and its number of scans;
 * nothing else of its old owner or child user. Names the files of deleted documents. Throws
 * plan_limit before anything moves (never to an account that it counts for already), not_found,
 * forbidden for a child user, conflict for a code that cannot be handed over any more, and
 * unauthenticated when the session has ended.
 */
export async function acceptTransfer(
  db: Db,
  caller: Caller,
  { token, fields }: NewHolder,
  rules: Rules,
  notify: Notify<AcceptedTransfer>,
): Promise<{ code: OwnQrCode; stored_names: string[] }> {
  return inTransactionOf(db, caller, async (trx) => {
    const to = await getAccount(trx, caller.accountId)
    const offered = await getOfferedTransfer(trx, token, to, rules.now)
    const accepted = { ...offered, to }
    assertTransferable(offered.code, rules.now)
    if (!countsFor(offered.code, to)) await assertRoomFor(trx, to.id, 1, rules.now)
    const scans = await forgetScanTimes(trx, offered.code)
    const stored_names = await handOverDocuments(trx, offered.code, {
      to: to.id,
      include: offered.include_documents,
    })
    await forgetOldOwner(trx, accepted)
    await moveCode(trx, accepted, { token, fields, scans }, rules)
    await endTransfer(trx, offered)
    await note(trx, accepted, rules.now)
    await notify(trx, accepted)
    return { code: await getOwnQrCode(trx, to, offered.code.qr_id), stored_names }
  })
}

/** Deletes everything about the code's old owner, the people who helped and its child user, beside their messages. */
async function forgetOldOwner(trx: Trx, { code: { id, qr_id } }: AcceptedTransfer): Promise<void> {
  const tables = [
    'document_views',
    'lost_periods',
    'scan_alerts',
    // With the links that their approval made.
    'password_reset_requests',
  ] as const
  for (const table of tables) await trx.deleteFrom(table).where('qr_id', '=', qr_id).execute()
  await removeWards(trx, [qr_id])
  await endShares(trx, { code_id: id })
}

async function moveCode(
  trx: Trx,
  { code, from, to }: AcceptedTransfer,
  { token, fields, scans }: NewHolder & { scans: number },
  { now, contactMode, secretKey }: Rules,
): Promise<void> {
  const { optional_pin: pin, public_message, ...columns } = fields
  const kept = Object.fromEntries(MOVING_FIELDS.map((name) => [name, code[name]]))
  const { numUpdatedRows } = await trx
    .updateTable('qr_codes')
    .set({
      ...NO_DETAILS,
      ...NO_PIN,
      ...TAKEN,
      take_token_hash: hashToken(token),
      ...VISIBLE,
      thing: code.thing,
      ...kept,
      contact_mode: contactMode,
      ...toColumns(columns),
      public_message: public_message ?? DEFAULT_PUBLIC_MESSAGE,
      ...(pin && { pin_hash: hashPin(secretKey, code.qr_id, pin) }),
      qr_type: 'normal',
      owner_id: to.id,
      created_by: to.id,
      child_account_id: null,
      is_child_registered: toFlag(false),
      is_claimed: toFlag(true),
      is_active: toFlag(true),
      is_ending: toFlag(false),
      earlier_scans: code.earlier_scans + scans,
      updated_at: laterThan(code.updated_at, now),
    })
    .where('id', '=', code.id)
    .where('owner_id', '=', from.id)
    .where('claimed_at', 'is', null)
    .where('stopped_by_report', 'is', null)
    .executeTakeFirst()
  if (!numUpdatedRows) throw transferNotFound()
  if (code.qr_type === 'child') await giveBackChildSlots(trx, code.created_by, 1)
}

async function note(trx: Trx, { code, from, to }: AcceptedTransfer, now: Date): Promise<void> {
  const name = formatQrId(code.qr_id)
  const act = {
    ...actorOf(to),
    action: 'qr_code.transferred',
    subject_type: 'qr_code',
    subject_id: code.id,
    before: { code: name, owner: from.name },
    after: { code: name, owner: to.name },
  }
  await recordAct(trx, act, now)
}
