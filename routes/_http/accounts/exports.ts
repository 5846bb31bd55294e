import { startExport } from '#actions/accounts/exports.ts'
import { type Export, findLatestExport } from '#db/exports/exports.ts'
import { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { hasExport, readExport } from '#storage/exports.ts'

/** An export as its account sees it. */
export type ExportView = Pick<Export, 'id' | 'status' | 'progress'> & {
  /** null until it is done */
  download_url: string | null
}

/** Begins an export of the signed-in account, in the background. */
export async function beginOwnExport(c: AppContext): Promise<Export> {
  limit(c, 'export')
  return startExport(c.var.deps, requireCaller(c))
}

/** Returns the export of the signed-in account with that id. Throws not_found. */
export async function getOwnExport(c: AppContext, id: string): Promise<Export> {
  const { db, clock } = c.var.deps
  const found = await findLatestExport(db, requireAccount(c).id, clock())
  if (found?.id !== id) throw new DomainError('not_found.export')
  return found
}

/** Returns the status of an export. A done one has no file after the data was moved or restored. */
export async function stateOf(
  c: AppContext,
  { id, status }: Export,
): Promise<Export['status'] | 'gone'> {
  if (status !== 'done' || (await hasExport(c.var.deps.files, id))) return status
  return 'gone'
}

export async function toExportView(c: AppContext, found: Export): Promise<ExportView> {
  const { id, progress } = found
  const state = await stateOf(c, found)
  const url = `${c.var.deps.config.publicUrl}${exportPath(id)}`
  const status = state === 'gone' ? 'failed' : state
  return { id, status, progress, download_url: status === 'done' ? url : null }
}

export function exportPath(id: string): string {
  return `/api/account/export/${id}/file`
}

/** Sends the ZIP of a finished export of the signed-in account. */
export async function sendExport(c: AppContext, id: string): Promise<Response> {
  const { status } = await getOwnExport(c, id)
  const file = status === 'done' && (await readExport(c.var.deps.files, id))
  if (!file) throw new DomainError('not_found.export')
  c.header('Content-Type', 'application/zip')
  c.header('Content-Disposition', 'attachment; filename="export.zip"')
  c.header('Content-Length', String(file.size))
  c.header('Cache-Control', 'private, no-store')
  return c.body(file.content)
}
