import { sql } from 'kysely'
import { toFlag } from '#db/cast.ts'
import type { Trx } from '#db/client.ts'
import { NO_CLAIM, NO_ENDING, NO_PIN } from '#db/codes/claims.ts'
import { laterThan } from '#db/codes/qr-changes.ts'
import { NO_DETAILS } from '#db/codes/qr-columns.ts'
import type { Making } from '#db/codes/qr-creation.ts'
import type { Flag } from '#db/schema.ts'
import { VISIBLE } from '#domain/codes/visibility.ts'

/** A code with a child user; `ending` is its owner, if the owner's account is being deleted. */
type UsedCode = { id: string; qr_id: string; updated_at: string; ending: string | null }

/** Returns a code that the account uses as a child user. */
export function findUsedCode(trx: Trx, accountId: string): Promise<UsedCode | undefined> {
  return trx
    .selectFrom('qr_codes')
    .leftJoin('account_deletions', 'account_deletions.account_id', 'owner_id')
    .select(['id', 'qr_id', 'updated_at'])
    .select('account_deletions.account_id as ending')
    .where('child_account_id', '=', accountId)
    .executeTakeFirst()
}

/** For a code that also ends with its owner's account: one that a moderator switched off stays off if that is kept. */
const STILL_ENDING = {
  is_ending: sql<Flag>`case when stopped_by_report is null then is_ending else 0 end`,
}

/** Makes a code unregistered and empty again, for its owner, without its documents. The caller removes their files. */
export async function unregisterCode(
  trx: Trx,
  { id, qr_id, updated_at, ending }: UsedCode,
  { now, contactMode }: Making,
): Promise<void> {
  const tables = ['documents', 'document_views', 'lost_periods', 'scan_alerts'] as const
  for (const table of tables) await trx.deleteFrom(table).where('qr_id', '=', qr_id).execute()
  await trx
    .updateTable('qr_codes')
    .set({
      ...NO_DETAILS,
      ...NO_PIN,
      ...NO_CLAIM,
      ...VISIBLE,
      contact_mode: contactMode,
      child_account_id: null,
      is_child_registered: toFlag(false),
      is_claimed: toFlag(false),
      ...(ending ? STILL_ENDING : NO_ENDING),
      updated_at: laterThan(updated_at, now),
    })
    .where('id', '=', id)
    .execute()
}
