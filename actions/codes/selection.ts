import { scanUrl } from '#actions/codes/view.ts'
import type { ActionDeps } from '#actions/deps.ts'
import type { Viewer } from '#db/codes/qr-codes.ts'
import { type SelectedCode, selectOwnCodes } from '#db/codes/qr-selection.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'

/** Which codes a file is about; a selection that says nothing is refused. */
type Selection = {
  ids?: string | string[] | undefined
  search: string | null
  all?: '1' | undefined
}

/** The codes of the account with the address that is in each. Throws not_found and invalid. */
export async function readSelection(
  { config, db }: ActionDeps,
  viewer: Viewer,
  { ids, search, all }: Selection,
): Promise<(SelectedCode & { url: string })[]> {
  const asked = [ids ?? []]
    .flat()
    .flatMap((list) => list.split(','))
    .filter((id) => id.trim())
  if (asked.length === 0 && !search && !all) {
    throw new DomainError('invalid', 'Say which QR codes: ids, search, or all=1')
  }
  const wanted = asked.length > 0 ? { ids: [...new Set(asked.map(requireQrId))] } : { search }
  const codes = await selectOwnCodes(db, viewer, wanted)
  return codes.map((code) => ({ ...code, url: scanUrl(config, code.qr_id) }))
}
