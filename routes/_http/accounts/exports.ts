import { startExport } from '#actions/accounts/exports.ts'
import { type Export, findLatestExport } from '#db/exports/exports.ts'
import { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { readExport } from '#storage/exports.ts'

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

/** The export of the signed-in account with that id. Throws not_found. */
export async function getOwnExport(c: AppContext, id: string): Promise<Export> {
  const { db, clock } = c.var.deps
  const found = await findLatestExport(db, requireAccount(c).id, clock())
  if (found?.id !== id) throw new DomainError('not_found', 'Export not found')
  return found
}

export function toExportView(c: AppContext, { id, status, progress }: Export): ExportView {
  const url = `${c.var.deps.config.publicUrl}${exportPath(id)}`
  return { id, status, progress, download_url: status === 'done' ? url : null }
}

export function exportPath(id: string): string {
  return `/api/account/export/${id}/file`
}

/** Sends the ZIP of a finished export of the signed-in account. */
export async function sendExport(c: AppContext, id: string): Promise<Response> {
  const { status } = await getOwnExport(c, id)
  const file = status === 'done' && (await readExport(c.var.deps.files, id))
  if (!file) throw new DomainError('not_found', 'Export not found')
  c.header('Content-Type', 'application/zip')
  c.header('Content-Disposition', 'attachment; filename="export.zip"')
  c.header('Content-Length', String(file.size))
  c.header('Cache-Control', 'private, no-store')
  return c.body(file.content)
}
