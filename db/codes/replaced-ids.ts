import type { ExpressionBuilder } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { seenBy, type Viewer } from '#db/codes/seen-by.ts'
import type { Tables } from '#db/schema.ts'

/** Returns the ids that a code had before, the newest first. */
export async function listReplacedIds(db: DbOrTrx, codeId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('replaced_ids')
    .select('qr_id')
    .where('code_id', '=', codeId)
    .orderBy('replaced_at', 'desc')
    .execute()
  return rows.map(({ qr_id }) => qr_id)
}

/** Returns the present id of a code of the account that had this one before. */
export async function findReplacement(
  db: DbOrTrx,
  viewer: Viewer,
  replacedId: string,
): Promise<string | undefined> {
  const code = await db
    .selectFrom('replaced_ids')
    .innerJoin('qr_codes', 'qr_codes.id', 'replaced_ids.code_id')
    .select('qr_codes.qr_id')
    .where('replaced_ids.qr_id', '=', replacedId)
    .where(seenBy(viewer))
    .executeTakeFirst()
  return code?.qr_id
}

/** Returns the ids that each code of a query had before, for `readReplacedIds`; null without any. */
export function selectReplacedIds({ selectFrom }: ExpressionBuilder<Tables, 'qr_codes'>) {
  return selectFrom('replaced_ids')
    .select((eb) => {
      const timed = eb('replaced_at', '||', eb.ref('replaced_ids.qr_id'))
      return eb.fn.agg<string | null>('string_agg', [timed, eb.val(',')]).as('ids')
    })
    .whereRef('replaced_ids.code_id', '=', 'qr_codes.id')
    .as('replaced_ids')
}

const TIME_LENGTH = '2026-11-20T10:00:00.000Z'.length

/**
 * Reads the earlier ids of a code. Sorts them here, because few codes have any and the database
 * would sort for all.
 */
export function readReplacedIds(selected: string | null | undefined): string[] {
  const timed = selected?.split(',') ?? []
  return timed
    .sort()
    .reverse()
    .map((each) => each.slice(TIME_LENGTH))
}
