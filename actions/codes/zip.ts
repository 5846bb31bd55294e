import { noteDownloaded } from '#actions/brands/brands.ts'
import { type RequestedCodes, readSelection } from '#actions/codes/selection.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { fromFlag } from '#db/cast.ts'
import type { SelectedCode } from '#db/codes/qr-selection.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { prefixOf } from '#domain/brands/brand.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { CSV_BOM, toCsv } from '#domain/csv.ts'
import { assertQrSize } from '#formats/qr-image.ts'
import { zipCodes } from '#formats/qr-zip.ts'

/** The default size of the images in pixels per module. */
export const ZIP_SIZE = 10

type Packing = {
  size?: number | undefined
  /** false for a HEAD request, which downloads nothing */
  isSent: boolean
}

/** Packs the images of the selected codes and their list. Throws the errors of `readSelection`, and invalid for the size. */
export async function packCodes(
  deps: ActionDeps,
  viewer: Viewer,
  selection: RequestedCodes,
  { size = ZIP_SIZE, isSent }: Packing,
): Promise<{ name: string; content: AsyncIterable<Uint8Array> }> {
  assertQrSize(size)
  const { codes, branding } = await readSelection(deps, viewer, selection, 'download')
  if (isSent) await noteDownloaded(deps, branding, codes)
  const prefix = prefixOf(branding.brand)
  const content = zipCodes(codes, { list: toList(codes), prefix, size, now: deps.clock() })
  return { name: `${prefix}-codes.zip`, content }
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
