import { randomBytes } from 'node:crypto'
import { countQrCodes, userNotFound } from '#db/accounts/accounts.ts'
import { COMMAND_LINE, noteDone, recordAct } from '#db/admin/audit-events.ts'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { addActivationCodes, renewActivation } from '#db/codes/activation.ts'
import { countChildCodes, takeChildSlots } from '#db/codes/child-slots.ts'
import { hashPin } from '#db/codes/pins.ts'
import { type OwnQrCode, toOwnQrCode } from '#db/codes/qr-codes.ts'
import { toColumns } from '#db/codes/qr-columns.ts'
import { assertKept } from '#db/deletions/leaving.ts'
import { assertHelps } from '#db/people/help.ts'
import type { QrCode } from '#db/schema.ts'
import { keyedId, randomId, type SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import {
  assertQuantity,
  DEFAULT_PUBLIC_MESSAGE,
  type QrInput,
  QUANTITY_DEFAULT,
  QUANTITY_MAX,
} from '#domain/codes/qr.ts'
import { makeQrId } from '#domain/codes/qr-id.ts'
import { type ContactMode, VISIBLE } from '#domain/codes/visibility.ts'
import { DomainError } from '#domain/error.ts'
import { toNumber } from '#domain/number.ts'
import { type Acting, companyOf } from '#domain/people/acting.ts'
import type { Holder } from '#domain/people/share.ts'
import { assertChildQuota, assertQrQuota } from '#domain/plans/plan.ts'
import { withPlanNow } from '#domain/plans/term.ts'

/** A row of a code that has no scans yet. */
export type NewCode = ReturnType<typeof blankCode> & Partial<QrCode>
type Kind = { ownerId: string; qrType: QrCode['qr_type'] }

/**
 * The time of new codes, the contact mode of those that are created without one, and the helper where they are made
 * for another account.
 */
export type Making = { now: Date; contactMode: ContactMode; help?: Acting['help'] }

/** Identifies a form for new codes: the same form, sent again because its answer was lost, creates no more codes. */
export type FormOfCodes = { formKey: string; secretKey: SecretKey }
type Formed = Making & { form?: FormOfCodes | undefined }

/** With the key, each new code gets an activation code, which only this answer contains. */
type Activating = Making & { activationKey?: SecretKey | undefined }
export type MadeQrCode = OwnQrCode & { activation_code?: string }

/** Rows per transaction, so that the server can write in between. */
const BATCH_SIZE = 500

/** The entry of the audit log where somebody makes codes for another account. */
const MADE = { action: 'qr.created', subject_type: 'account', subject_id: null } as const

/** Creates a code with its owner's details, which is claimed from the start. Throws plan_limit. */
export async function createQrCode(
  db: Db,
  ownerId: string,
  fields: Partial<QrInput>,
  { form, ...making }: Filling & Formed,
): Promise<OwnQrCode> {
  const { help, now } = making
  const code = filledCode(ownerId, { ...fields, ...companyOf(help) }, making)
  const [id = code.id] = idsOf(form, 1, [ownerId, fields])
  return inTransaction(db, async (trx) => {
    await assertHelps(trx, help, { ...MADE, subject_type: 'qr_code', subject_id: id }, now)
    const [made] = await findMade(trx, [id], help)
    if (made?.owner_id === ownerId) return made
    await assertRoomFor(trx, ownerId, 1, now)
    const [created] = await insertCodes(trx, [made ? code : { ...code, id }], { help })
    return created as OwnQrCode
  })
}

/** The internal ids of the codes that a form makes, as long as those that are drawn; none without a form. */
function idsOf(form: FormOfCodes | undefined, count: number, typed: unknown): string[] {
  if (!form) return []
  const { secretKey, formKey } = form
  // The quantity is checked later.
  return Array.from({ length: Math.min(count, QUANTITY_MAX) }, (_, n) =>
    keyedId(secretKey, 'new code', formKey, JSON.stringify([typed, count, n])),
  )
}

/** Returns the codes with these ids, of any account. */
export async function findMade(
  trx: Trx,
  ids: string[],
  help?: Acting['help'],
): Promise<OwnQrCode[]> {
  if (ids.length === 0) return []
  const rows = await trx
    .selectFrom('qr_codes')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  const counts = { scan_count: 0, document_count: 0, activated_id: null }
  return rows.map((row) => toOwnQrCode({ ...row, ...counts }, seerOf(row, help)))
}

function seerOf({ owner_id }: { owner_id: string }, help: Acting['help']): Holder {
  return help?.share.owner_id === owner_id ? help.helper : { id: owner_id }
}

export type Filling = Making & { secretKey: SecretKey }

/** Returns the row of a code with its owner's details. */
export function filledCode(
  ownerId: string,
  { optional_pin, public_message, ...fields }: Partial<QrInput>,
  { secretKey, ...making }: Filling,
) {
  const blank = blankCode({ ownerId, qrType: 'normal' }, making)
  return {
    ...blank,
    ...toColumns(fields),
    public_message: public_message ?? DEFAULT_PUBLIC_MESSAGE,
    is_claimed: toFlag(true),
    pin_hash: optional_pin ? hashPin(secretKey, blank.qr_id, optional_pin) : null,
  }
}

/**
 * Creates unclaimed codes, all or none. Throws invalid for a quantity outside 1 to 50, plan_limit, and
 * forbidden for activation codes of another account.
 */
export async function createUnclaimedCodes(
  db: Db,
  ownerId: string,
  quantity: unknown,
  { activationKey, form, ...making }: Activating & Formed,
): Promise<MadeQrCode[]> {
  const count = quantity ?? QUANTITY_DEFAULT
  if (activationKey && making.help) throw new DomainError('forbidden.role')
  assertQuantity(count, QUANTITY_MAX)
  const ids = idsOf(form, count, [ownerId, activationKey ? 'activated' : 'normal'])
  return inTransaction(db, async (trx) => {
    await assertHelps(trx, making.help, MADE, making.now)
    const made = await findMade(trx, ids, making.help)
    if (made.length > 0) {
      const own = made.filter(({ owner_id }) => owner_id === ownerId)
      const renewing = activationKey && { secretKey: activationKey, now: making.now }
      return renewing ? activateUnclaimed(trx, ownerId, own, renewing) : own
    }
    await assertRoomFor(trx, ownerId, count, making.now)
    const codes = blankCodes({ ownerId, qrType: 'normal' }, count, making, ids)
    return insertCodes(trx, codes, { activationKey, help: making.help })
  })
}

/** Renews the activation codes of unclaimed codes, because the first answer was lost with them. */
async function activateUnclaimed(
  trx: Trx,
  ownerId: string,
  codes: OwnQrCode[],
  renewing: { secretKey: SecretKey; now: Date },
): Promise<MadeQrCode[]> {
  const activated: MadeQrCode[] = []
  for (const code of codes.filter(({ is_claimed }) => !is_claimed)) {
    const told = await renewActivation(trx, { id: ownerId, parent_id: null }, code.qr_id, renewing)
    activated.push({ ...code, ...told })
  }
  return activated
}

/**
 * Creates unregistered child codes, which use up the account's child_qr_quota. Throws plan_limit
 * when it is 0, and invalid for a quantity outside 1 to min(50, quota).
 */
export async function createChildCodes(
  db: Db,
  ownerId: string,
  quantity: unknown,
  { form, ...making }: Formed,
): Promise<OwnQrCode[]> {
  return inTransaction(db, async (trx) => {
    await assertHelps(trx, making.help, MADE, making.now)
    const ids = idsOf(form, toNumber(quantity), [ownerId, 'child'])
    const earlier = await findMade(trx, ids, making.help)
    if (earlier.length > 0) return earlier.filter(({ owner_id }) => owner_id === ownerId)
    const { child_qr_quota: left } = await getQuotas(trx, ownerId, making.now)
    const made = await countChildCodes(trx, ownerId)
    assertChildQuota({ count: made, left })
    const most = Math.min(QUANTITY_MAX, left)
    const count = quantity ?? Math.min(QUANTITY_DEFAULT, most)
    assertQuantity(count, most)
    const isTaken = await takeChildSlots(trx, ownerId, count, making.now)
    if (!isTaken) assertChildQuota({ count: made, left: 0 })
    const codes = blankCodes({ ownerId, qrType: 'child' }, count, making, ids)
    return insertCodes(trx, codes, { help: making.help })
  })
}

/**
 * Creates any number of codes for the command line, without plan and quota. Yields them as they are
 * committed, 500 at a time, and in the audit log.
 */
export async function* printCodes(
  db: Db,
  { count, ...kind }: Kind & { count: number },
  { activationKey, ...making }: Activating,
): AsyncGenerator<MadeQrCode[], void> {
  const after = { count: 0, qr_type: kind.qrType }
  const subject = { subject_type: 'account', subject_id: kind.ownerId }
  const act = { ...COMMAND_LINE, ...subject, action: 'qr.printed', after }
  const id = await recordAct(db, act, making.now)
  while (after.count < count) {
    const codes = blankCodes(kind, Math.min(count - after.count, BATCH_SIZE), making)
    after.count += codes.length
    yield await inTransaction(db, async (trx) => {
      await noteDone(trx, id, after)
      return insertCodes(trx, codes, { activationKey })
    })
  }
}

/** Throws plan_limit when the plan of an account allows no `adding` more codes. */
export async function assertRoomFor(
  trx: Trx,
  ownerId: string,
  adding: number,
  now: Date,
): Promise<void> {
  assertQrQuota({ ...(await readQrQuota(trx, ownerId, now)), adding })
}

/** Returns how many normal codes count against the account's plan, and its limit. */
export async function readQrQuota(
  db: DbOrTrx,
  ownerId: string,
  now: Date,
): Promise<{ count: number; limit: number }> {
  const { qr_limit: limit } = await getQuotas(db, ownerId, now)
  return { count: await countQrCodes(db, ownerId), limit }
}

/** Read in the transaction, because the session's copy of the account is older. */
async function getQuotas(db: DbOrTrx, accountId: string, now: Date) {
  const stored = await db
    .selectFrom('accounts')
    .select(['subscription_plan', 'qr_limit', 'child_qr_quota'])
    .select(['term_plan', 'term_ends_at', 'term_child_quota'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow(userNotFound)
  return withPlanNow(stored, now)
}

/** Codes of one account. Throws when an id is taken, and conflict when the account is being deleted. */
export async function insertCodes(
  trx: Trx,
  codes: readonly NewCode[],
  { activationKey, help }: Pick<Activating, 'activationKey' | 'help'> = {},
): Promise<MadeQrCode[]> {
  const [first] = codes
  if (first) await assertKept(trx, first.owner_id)
  const rows = await trx.insertInto('qr_codes').values(codes).returningAll().execute()
  const ids = rows.map(({ id }) => id)
  const activation = activationKey && (await addActivationCodes(trx, ids, activationKey))
  return rows.map((row, n) => {
    const counts = { scan_count: 0, document_count: 0, activated_id: activation ? row.id : null }
    const activation_code = activation?.[n]
    return {
      ...toOwnQrCode({ ...row, ...counts }, seerOf(row, help)),
      ...(activation_code && { activation_code }),
    }
  })
}

function blankCodes(kind: Kind, count: number, making: Making, ids: string[] = []) {
  return Array.from({ length: count }, (_, n) => {
    const code = blankCode(kind, making)
    return { ...code, ...companyOf(making.help), id: ids[n] ?? code.id }
  })
}

function blankCode({ ownerId, qrType }: Kind, { now, contactMode }: Making) {
  return {
    id: randomId(),
    qr_id: makeQrId(randomBytes),
    qr_type: qrType,
    owner_id: ownerId,
    created_by: ownerId,
    is_active: toFlag(true),
    is_claimed: toFlag(false),
    is_child_registered: toFlag(false),
    ...VISIBLE,
    contact_mode: contactMode,
    created_at: toInstant(now),
    updated_at: toInstant(now),
  }
}
