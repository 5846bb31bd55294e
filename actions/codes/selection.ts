import { resolveAddresses, resolveBrandOf, scanUrl } from '#actions/codes/view.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { removeStoredFiles } from '#actions/papers/files.ts'
import type { QrFilter } from '#db/codes/qr-search.ts'
import { type QrSelection, selectOwnCodes } from '#db/codes/qr-selection.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { changeQrCodes } from '#db/fleets/bulk.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'
import type { BulkAct } from '#domain/fleets/bulk.ts'
import type { Right } from '#domain/people/roles.ts'
import { actsFor } from '#domain/people/share.ts'

/** A selection of codes: by ids, as a list or as one text with commas, or by the filter of a list. */
export type RequestedCodes = QrFilter & {
  ids?: string | string[] | undefined
  all?: '1' | true | undefined
}

/** Reads a selection. Throws invalid for an empty one, which might mean all, and not_found for a malformed id. */
export function toSelection({ ids, all, ...filter }: RequestedCodes): QrSelection {
  const listed = [ids ?? []]
    .flat()
    .flatMap((list) => list.split(','))
    .filter((id) => id.trim())
  if (listed.length > 0) return { ids: [...new Set(listed.map(requireQrId))] }
  if (!all && !Object.values(filter).some(Boolean)) {
    throw new DomainError('invalid.selection')
  }
  return filter
}

/**
 * Returns the account's selected codes with their scan URLs, and the brand of their owner, or that of the account
 * for codes of several owners. Throws the errors of `selectOwnCodes` and invalid.
 */
export async function readSelection(
  deps: ActionDeps,
  viewer: Viewer,
  requested: RequestedCodes,
  right: Right,
) {
  const codes = await selectOwnCodes(deps.db, viewer, toSelection(requested), right)
  const addressOf = await resolveAddresses(deps, viewer)
  const [owner = viewer.id, ...others] = new Set(codes.map((code) => actsFor(viewer, code)))
  return {
    codes: codes.map((code) => ({ ...code, url: scanUrl(addressOf(code), code.qr_id) })),
    branding: await resolveBrandOf(deps, others.length > 0 ? viewer.id : owner),
  }
}

/**
 * Changes or deletes the selected codes, then removes the files of deleted ones. Returns the number of changed or
 * deleted codes. Throws the errors of `changeQrCodes` and `toSelection`.
 */
export async function actOnCodes(
  deps: ActionDeps,
  viewer: Viewer,
  requested: RequestedCodes,
  act: BulkAct,
): Promise<{ changed: number }> {
  const { db, clock } = deps
  const { changed, ...removed } = await changeQrCodes(
    db,
    viewer,
    toSelection(requested),
    act,
    clock(),
  )
  await removeStoredFiles(deps, removed)
  return { changed }
}
