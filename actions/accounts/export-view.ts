import type { ActionDeps } from '#actions/deps.ts'
import { type Export, findLatestExport } from '#db/exports/exports.ts'
import { DomainError } from '#domain/error.ts'
import { hasExport } from '#storage/exports.ts'

/** An export as its account sees it. */
type ExportView = Pick<Export, 'id' | 'status' | 'progress'> & {
  /** null until it is done */
  download_url: string | null
}

/** Returns the export of the account with that id. Throws not_found. */
export async function getOwnExport(
  { db, clock }: Pick<ActionDeps, 'db' | 'clock'>,
  accountId: string,
  id: string,
): Promise<Export> {
  const found = await findLatestExport(db, accountId, clock())
  if (found?.id !== id) throw new DomainError('not_found.export')
  return found
}

/** Returns the status of an export: `gone` if its file is missing because the data was moved or restored. */
export async function exportStatus(
  { files }: Pick<ActionDeps, 'files'>,
  { id, status }: Export,
): Promise<Export['status'] | 'gone'> {
  return status !== 'done' || (await hasExport(files, id)) ? status : 'gone'
}

export async function toExportView(
  deps: Pick<ActionDeps, 'files' | 'config'>,
  found: Export,
): Promise<ExportView> {
  const { id, progress } = found
  const state = await exportStatus(deps, found)
  const url = `${deps.config.publicUrl}${exportPath(id)}`
  const status = state === 'gone' ? 'failed' : state
  return { id, status, progress, download_url: status === 'done' ? url : null }
}

export function exportPath(id: string): string {
  return `/api/account/export/${id}/file`
}
