import { toFlag } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import type { Tell } from '#db/outbox.ts'
import { laterThan } from '#db/qr-changes.ts'
import { assertClaimable, type Claim } from '#domain/claim.ts'
import { normalizeEmail } from '#domain/contact.ts'
import { DEFAULT_CLAIM_MESSAGE } from '#domain/qr.ts'

/**
 * Puts a claimer's details on an unclaimed code, once. It is the claiming account's at once;
 * without one it stays with its issuer until an account verifies the e-mail. Throws not_found, and
 * conflict for a code that was claimed before or is a child's. `tell` is told the e-mail that is to
 * be verified, if there is one.
 */
export async function claimQrCode(
  db: Db,
  qrId: string,
  { claim, accountId }: { claim: Claim; accountId: string | undefined },
  now: Date,
  tell: Tell<string>,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const code = await trx
      .selectFrom('qr_codes')
      .select(['id', 'qr_type', 'owner_id', 'is_active', 'is_claimed', 'updated_at'])
      .where('qr_id', '=', qrId)
      .executeTakeFirst()
    assertClaimable(code)
    const claim_email = accountId || !claim.email ? null : normalizeEmail(claim.email)
    await trx
      .updateTable('qr_codes')
      .set({
        ...claim,
        public_message: claim.public_message ?? DEFAULT_CLAIM_MESSAGE,
        is_claimed: toFlag(true),
        owner_id: accountId ?? code.owner_id,
        claim_email,
        // Whoever issued the code must not hold a key to what its claimer writes on it later.
        pin_hash: null,
        pin_tries: 0,
        pin_locked_until: null,
        updated_at: laterThan(code.updated_at, now),
      })
      .where('id', '=', code.id)
      .execute()
    if (claim_email) await tell(trx, claim_email)
  })
}
