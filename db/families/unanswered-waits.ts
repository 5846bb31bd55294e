import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { laterThan } from '#db/codes/qr-changes.ts'
import type { Making } from '#db/codes/qr-creation.ts'
import type { Instant } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { VISIBLE } from '#domain/codes/visibility.ts'
import { GUARDIAN_DAYS } from '#domain/families/guardian.ts'

const SECONDS = GUARDIAN_DAYS * 86_400

/** The fields that a child user fills in, of a code without one. Those of its owner stay. */
const WITHOUT_CHILD = {
  owner_name: null,
  contact_phone: null,
  email: null,
  city_area: null,
  emergency_contact_name: null,
  emergency_contact_phone: null,
  public_message: null,
  child_account_id: null,
  is_child_registered: toFlag(false),
  is_claimed: toFlag(false),
}

/**
 * Undoes registrations whose guardian has not answered for seven days: account and contact are gone, the code is free.
 * Throws the errors of those that could not be undone, after all others.
 */
export async function endUnansweredWaits(db: Db, making: Making): Promise<void> {
  const before = toInstant(secondsAfter(making.now, -SECONDS))
  const waits = await db
    .selectFrom('guardian_waits')
    .select('account_id')
    .where('asked_at', '<=', before)
    .execute()
  const errors: unknown[] = []
  for (const { account_id } of waits) {
    await inTransaction(db, (trx) => undo(trx, { account_id, before }, making)).catch((cause) =>
      errors.push(new Error(`the registration of account ${account_id} stays`, { cause })),
    )
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not every registration was undone')
}

async function undo(
  trx: Trx,
  { account_id, before }: { account_id: string; before: Instant },
  { now, contactMode }: Making,
): Promise<void> {
  // The guardian may have answered meanwhile.
  const wait = await trx
    .deleteFrom('guardian_waits')
    .where('account_id', '=', account_id)
    .where('asked_at', '<=', before)
    .returning('code_id')
    .executeTakeFirst()
  if (!wait) return
  const { updated_at } = await trx
    .selectFrom('qr_codes')
    .select('updated_at')
    .where('id', '=', wait.code_id)
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('qr_codes')
    .set({ ...WITHOUT_CHILD, ...VISIBLE, contact_mode: contactMode })
    .set({ updated_at: laterThan(updated_at, now) })
    .where('id', '=', wait.code_id)
    .execute()
  await trx.deleteFrom('accounts').where('id', '=', account_id).execute()
}
