import { type ScanAddress, scanUrl } from '#actions/codes/view.ts'
import type { ActionDeps } from '#actions/deps.ts'
import type { Viewer } from '#db/codes/qr-codes.ts'
import { type SelectedCode, selectOwnCodes } from '#db/codes/qr-selection.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'

/** The codes of a file. An empty selection is refused. */
type Selection = {
  ids?: string | string[] | undefined
  search: string | null
  all?: '1' | undefined
}

/** The account's selected codes, each with its scan URL under `address`. Throws not_found and invalid. */
export async function readSelection(
  { db }: ActionDeps,
  viewer: Viewer,
  { ids, search, all }: Selection,
  address: ScanAddress,
): Promise<(SelectedCode & { url: string })[]> {
  const listed = [ids ?? []]
    .flat()
    .flatMap((list) => list.split(','))
    .filter((id) => id.trim())
  if (listed.length === 0 && !search && !all) {
    throw new DomainError('invalid', 'Select QR codes by ids, search, or all=1')
  }
  const wanted = listed.length > 0 ? { ids: [...new Set(listed.map(requireQrId))] } : { search }
  const codes = await selectOwnCodes(db, viewer, wanted)
  return codes.map((code) => ({ ...code, url: scanUrl(address, code.qr_id) }))
}
