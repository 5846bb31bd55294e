import { notePrinted } from '#actions/brands/brands.ts'
import { type AskedCodes, readSelection } from '#actions/codes/selection.ts'
import { resolveBrandOf } from '#actions/codes/view.ts'
import { fromFlag } from '#db/cast.ts'
import type { SelectedCode } from '#db/codes/qr-selection.ts'
import { prefixOf } from '#domain/brands/brand.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { CSV_BOM, toCsv } from '#domain/csv.ts'
import { assertQrSize } from '#formats/qr-image.ts'
import { zipCodes } from '#formats/qr-zip.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { sendFile } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'

/** Pixels per module of the images, unless another size is asked for. */
export const ZIP_SIZE = 10

/** Streams the images of the selected codes and their list. Throws as `readSelection`, and invalid for the size. */
export async function answerZip(
  c: AppContext,
  selection: AskedCodes,
  size: number = ZIP_SIZE,
): Promise<Response> {
  assertQrSize(size)
  const { deps } = c.var
  const account = requireAccount(c)
  const branding = await resolveBrandOf(deps, account.id)
  const codes = await readSelection(deps, account, selection, branding)
  await notePrinted(deps, branding, codes)
  const prefix = prefixOf(branding.brand)
  const zip = zipCodes(codes, { list: toList(codes), prefix, size, now: deps.clock() })
  return sendFile(c, zip, { name: `${prefix}-codes.zip`, type: 'application/zip' })
}

const HEADINGS = ['code', 'link', 'name', 'vehicle', 'type', 'active', 'claimed', 'created']

function toList(codes: (SelectedCode & { url: string })[]): string {
  const rows = codes.map((code) => [
    formatQrId(code.qr_id),
    code.url,
    code.owner_name,
    code.vehicle_registration,
    code.qr_type,
    fromFlag(code.is_active),
    fromFlag(code.is_claimed),
    code.created_at,
  ])
  return CSV_BOM + toCsv([HEADINGS, ...rows])
}
