import { findAccountByContact, insertAccount } from '#db/accounts/accounts.ts'
import { newLoginId } from '#db/accounts/address-proof.ts'
import { recordConsent } from '#db/accounts/consents.ts'
import { isKeptForWayBack } from '#db/accounts/email-changes.ts'
import { toFlag } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { laterThan } from '#db/codes/qr-changes.ts'
import { toColumns } from '#db/codes/qr-columns.ts'
import { changesOf, type Ward, waitForGuardian } from '#db/families/guardians.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account, QrCode } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Contact } from '#domain/accounts/contact.ts'
import { DEFAULT_CLAIM_MESSAGE } from '#domain/codes/qr.ts'
import { DomainError } from '#domain/error.ts'
import { assertRegistrable, type ChildDetails } from '#domain/families/child-registration.ts'

export type NewChild = {
  name: string
  contact: Contact
  passwordHash: string
  details: ChildDetails
  /** the version of the privacy notice */
  notice: string
  /** whether the account waits for the owner of the code, as its guardian */
  waits: boolean
}

/**
 * Returns the code that a contact may register. Throws not_found unless it is an active child code, and
 * conflict when code or contact are taken, also by an account that can still take the address back. An address that
 * another account only typed is not taken.
 */
export async function getRegistrableCode(
  db: DbOrTrx,
  qrId: string,
  contact: Contact,
  now: Date,
): Promise<QrCode> {
  const code = await db
    .selectFrom('qr_codes')
    .selectAll()
    .where('qr_id', '=', qrId)
    .executeTakeFirst()
  assertRegistrable(code)
  const isKept = contact.kind === 'email' && (await isKeptForWayBack(db, contact.email, now))
  const holder = await findAccountByContact(db, contact)
  if (isKept || (holder && !isTypedAlone(holder, contact))) {
    throw new DomainError('conflict.contact_taken')
  }
  return code
}

/** Returns whether a holder of a contact has no right to it: nobody has proven the address. */
function isTypedAlone({ email_verified_at }: Account, { kind }: Contact): boolean {
  return kind === 'email' && email_verified_at === null
}

/**
 * Creates the child user's account and writes its details on the code, once. Fields that the child
 * left empty keep the owner's values. An address that another account typed stays there until somebody proves it: the
 * child signs in with a login id. `notify` is called for an account that waits. Returns the login id, if there is one.
 * Throws the errors of `getRegistrableCode`.
 */
export async function registerChild(
  db: Db,
  qrId: string,
  { name, contact, passwordHash, details, notice, waits }: NewChild,
  now: Date,
  notify: Notify<Ward>,
): Promise<string | null> {
  return inTransaction(db, async (trx) => {
    const code = await getRegistrableCode(trx, qrId, contact, now)
    const {
      city_area,
      emergency_contact_name,
      emergency_contact_phone,
      emergency_contact_phone_anyway,
      public_message,
      ...visibility
    } = details
    const email = contact.kind === 'email' ? contact.email : null
    const mobile = contact.kind === 'mobile' ? contact.mobile : null
    const phones = toColumns(
      {
        contact_phone: contact.kind === 'mobile' ? (contact.typed ?? mobile) : null,
        contact_phone_anyway: true,
        emergency_contact_phone: emergency_contact_phone ?? code.emergency_contact_phone,
        emergency_contact_phone_anyway,
      },
      code,
    )
    const isHeld = (await findAccountByContact(trx, contact)) !== undefined
    const addressed = isHeld
      ? { email: null, login_id: newLoginId(), lost_email: email }
      : { email }
    const child = await insertAccount(
      trx,
      { name, mobile, password_hash: passwordHash, parent_id: code.owner_id, ...addressed },
      now,
    )
    const written = {
      ...toColumns(visibility),
      owner_name: name,
      ...phones,
      email,
      city_area: city_area ?? code.city_area,
      emergency_contact_name: emergency_contact_name ?? code.emergency_contact_name,
      public_message: public_message ?? code.public_message ?? DEFAULT_CLAIM_MESSAGE,
    }
    const { numUpdatedRows } = await trx
      .updateTable('qr_codes')
      .set({
        ...written,
        child_account_id: child.id,
        is_child_registered: toFlag(true),
        is_claimed: toFlag(true),
        updated_at: laterThan(code.updated_at, now),
      })
      .where('id', '=', code.id)
      .where('is_child_registered', '=', toFlag(false))
      .where('is_active', '=', toFlag(true))
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw new DomainError('conflict.registered')
    await recordConsent(trx, child.id, notice, now)
    if (waits) {
      await waitForGuardian(trx, child, code, changesOf(code, written), now)
      await notify(trx, { ...child, qr_id: code.qr_id, owner_id: code.owner_id })
    }
    return child.login_id
  })
}
