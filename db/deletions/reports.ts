import type { Trx } from '#db/client.ts'
import type { PageSnapshot } from '#db/conversations/page-reports.ts'
import { PUBLIC_SCAN_FIELDS } from '#domain/scans/scan.ts'

const NOTHING_SHOWN = Object.fromEntries(PUBLIC_SCAN_FIELDS.map((name) => [name, null]))

/**
 * Gives a report to each account whose code or image it keeps off, when the reported account, with
 * its own codes and images, is gone: reopening the report is their way back. Of a page that was the
 * account's it keeps the images alone. Returns the number of given reports.
 */
export async function handOverReport(trx: Trx, accountId: string): Promise<number> {
  const kept = await trx
    .selectFrom('reports')
    .leftJoin('qr_codes', (join) =>
      join
        .onRef('qr_codes.qr_id', '=', 'reports.qr_id')
        .onRef('qr_codes.stopped_by_report', '=', 'reports.id'),
    )
    .leftJoin('popup_images', 'popup_images.hidden_by_report', 'reports.id')
    .select(['reports.id', 'reports.snapshot', 'qr_codes.owner_id'])
    .select('popup_images.account_id as shower_id')
    .where('reports.account_id', '=', accountId)
    .where('reports.status', '=', 'decided')
    .where(({ eb, or }) =>
      or([eb('qr_codes.id', 'is not', null), eb('popup_images.id', 'is not', null)]),
    )
    .limit(1)
    .executeTakeFirst()
  if (!kept) return 0
  const { id, snapshot, owner_id, shower_id } = kept
  await trx
    .updateTable('reports')
    // The page of a stopped code was that of a claimer, who has it now.
    .set(
      owner_id ? { account_id: owner_id } : { account_id: shower_id ?? '', ...emptied(snapshot) },
    )
    .where('id', '=', id)
    .execute()
  return 1
}

function emptied(snapshot: string) {
  const shown: PageSnapshot = JSON.parse(snapshot)
  const fields = { ...shown.fields, ...NOTHING_SHOWN, lost: null }
  return { text: null, snapshot: JSON.stringify({ ...shown, fields }) }
}
