import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { laterThan } from '#db/codes/qr-changes.ts'
import type { Making } from '#db/codes/qr-creation.ts'
import type { Changes } from '#db/families/guardians.ts'
import type { Instant, QrCode } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { GUARDIAN_DAYS } from '#domain/families/guardian.ts'

const SECONDS = GUARDIAN_DAYS * 86_400

const WITHOUT_CHILD = {
  child_account_id: null,
  is_child_registered: toFlag(false),
  is_claimed: toFlag(false),
}

/**
 * Undoes registrations whose guardian has not answered for seven days: account and contact are gone, the code is free
 * and has the fields of before, except those that its owner has edited since.
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
    await inTransaction(db, (trx) => undo(trx, { account_id, before }, making.now)).catch((cause) =>
      errors.push(new Error(`the registration of account ${account_id} stays`, { cause })),
    )
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not every registration was undone')
}

async function undo(
  trx: Trx,
  { account_id, before }: { account_id: string; before: Instant },
  now: Date,
): Promise<void> {
  // The guardian may have answered meanwhile.
  const wait = await trx
    .deleteFrom('guardian_waits')
    .where('account_id', '=', account_id)
    .where('asked_at', '<=', before)
    .returning(['code_id', 'changes'])
    .executeTakeFirst()
  if (!wait) return
  const code = await trx
    .selectFrom('qr_codes')
    .selectAll()
    .where('id', '=', wait.code_id)
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('qr_codes')
    .set({
      ...earlierValues(code, JSON.parse(wait.changes)),
      ...WITHOUT_CHILD,
      updated_at: laterThan(code.updated_at, now),
    })
    .where('id', '=', wait.code_id)
    .execute()
  await trx.deleteFrom('accounts').where('id', '=', account_id).execute()
}

/** Returns the earlier values of the columns that are as the registration wrote them. */
function earlierValues(code: QrCode, changes: Changes): Partial<QrCode> {
  const columns = Object.keys(changes) as (keyof Changes)[]
  const unedited = columns.filter((column) => changes[column]?.[1] === code[column])
  return Object.fromEntries(unedited.map((column) => [column, changes[column]?.[0]]))
}
