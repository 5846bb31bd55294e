import { getAccount } from '#db/accounts/accounts.ts'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { NO_ENDING, TAKEN } from '#db/codes/claims.ts'
import { assertKept } from '#db/deletions/leaving.ts'
import { endShares } from '#db/people/people.ts'
import type { QrCode } from '#db/schema.ts'

/** More are offered once these are answered. */
const MOST_LISTED = 50

export type ClaimOffer = Pick<
  QrCode,
  'qr_id' | 'owner_name' | 'vehicle_registration' | 'claimed_at'
>

/** Returns the codes that somebody claimed with the address of an account, if it has proven that. */
export function offersOf(db: DbOrTrx, accountId: string) {
  return db
    .selectFrom('qr_codes')
    .where('claim_email', '=', ({ selectFrom }) =>
      selectFrom('accounts')
        .select('accounts.email')
        .where('accounts.id', '=', accountId)
        .where('accounts.email_verified_at', 'is not', null),
    )
}

/** Lists the codes that an account may take, the newest claim first. */
export async function listOffers(db: DbOrTrx, accountId: string): Promise<ClaimOffer[]> {
  return offersOf(db, accountId)
    .select(['qr_id', 'owner_name', 'vehicle_registration', 'claimed_at'])
    .orderBy('claimed_at', 'desc')
    .orderBy('qr_id')
    .limit(MOST_LISTED)
    .execute()
}

export type OfferAnswer = { isTaken: boolean; qrIds: string[] }

/**
 * Takes codes that were claimed with the address of the caller's account into it, or leaves them with their issuer.
 * Codes that are no longer offered stay as they are: the answer may have been lost. Returns the number of answered
 * codes. Throws conflict for an account that is being deleted.
 */
export async function answerOffers(
  db: Db,
  caller: Caller,
  { isTaken, qrIds }: OfferAnswer,
  now: Date,
): Promise<number> {
  if (qrIds.length === 0) return 0
  return inTransactionOf(db, caller, async (trx) => {
    const { id, email, email_verified_at } = await getAccount(trx, caller.accountId)
    if (email === null || email_verified_at === null) return 0
    if (isTaken) await assertKept(trx, id)
    const taken = { owner_id: id, ...TAKEN, ...NO_ENDING, updated_at: toInstant(now) }
    const answered = await trx
      .updateTable('qr_codes')
      .set(isTaken ? taken : { claim_email: null, claim_lang: null })
      .where('claim_email', '=', email)
      .where('qr_id', 'in', qrIds)
      .returning('id')
      .execute()
    if (isTaken) for (const { id } of answered) await endShares(trx, { code_id: id })
    return answered.length
  })
}
