import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { makingOf } from '#actions/codes/making.ts'
import type { ActionDeps } from '#actions/deps.ts'
import type { OpenUpload } from '#actions/papers/uploads.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { type CheckedImport, checkImport, importQrCodes } from '#db/fleets/imports.ts'
import { DomainError } from '#domain/error.ts'
import {
  IMPORT_MAX_LINES,
  IMPORT_MAX_ROWS,
  type OnDuplicate,
  TABLE_FILES,
} from '#domain/fleets/import.ts'
import type { ImportCheck } from '#domain/fleets/import-check.ts'
import { type ImportTable, readHeader, readImportRow } from '#domain/fleets/import-rows.ts'
import type { Acting } from '#domain/people/acting.ts'
import { CSV_PIECE_BYTES, isDelimiterRow, readCsv } from '#formats/csv-reader.ts'
import { withForm } from '#storage/uploads.ts'

/** An uploaded table as a file on the disk, and the other fields of its form. */
export type SentTable = { path: string; fileName: string; fields: Record<string, string> }

/**
 * Receives a table as the file of a form, or as its field `table`, in which a page without script sends a checked
 * table again, and passes it to `work`. Throws invalid without a table, and the errors of `withForm`.
 */
export function withTable<T>(
  { files }: ActionDeps,
  open: OpenUpload,
  work: (table: SentTable) => Promise<T>,
): Promise<T> {
  const sent = { ...open(), longestField: 2 * TABLE_FILES.maxBytes }
  return withForm(files, TABLE_FILES, sent, async ({ path, file_name, fields }) => {
    if (file_name) return work({ path, fileName: file_name, fields })
    const { table, file_name: fileName = '', ...rest } = fields
    if (table === undefined) throw new DomainError('invalid.no_file')
    // A browser sends line ends in form fields as CRLF, which can make the text longer.
    const text = table.replaceAll('\r\n', '\n')
    if (Buffer.byteLength(text) > TABLE_FILES.maxBytes) {
      throw new DomainError(TABLE_FILES.tooLarge)
    }
    await writeFile(path, text, { mode: 0o600, flag: 'wx' })
    return work({ path, fileName, fields: rest })
  })
}

/** Returns the text of a sent table, for a form that sends it again. */
export async function readTableText({ path }: SentTable): Promise<string> {
  return (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
}

/** Checks an import without doing it. Throws invalid for a file that is no table or has more than 1,000 rows. */
export async function checkTable(
  { db, clock }: ActionDeps,
  acting: Acting,
  { path }: SentTable,
  onDuplicate: OnDuplicate,
): Promise<CheckedImport> {
  return checkImport(db, acting, await readTable(path), onDuplicate, clock())
}

/** Imports a table, or nothing when the check has errors. Throws the errors of `checkTable`, and plan_limit. */
export async function importTable(
  deps: ActionDeps,
  { ownerId, help }: Acting,
  { path, fields: { form_key } }: SentTable,
  onDuplicate: OnDuplicate,
): Promise<{ check: ImportCheck; made: OwnQrCode[] }> {
  const table = await readTable(path)
  const making = { secretKey: deps.secretKey, formKey: form_key, help, ...makingOf(deps) }
  return importQrCodes(deps.db, ownerId, table, onDuplicate, making)
}

async function readTable(path: string): Promise<ImportTable> {
  const table: ImportTable = { problems: [], rows: [] }
  let lines = 0
  for await (const { problems, row } of readImport(path)) {
    table.problems.push(...problems)
    if (row) table.rows.push(row)
    if (++lines > IMPORT_MAX_LINES) throw new DomainError('invalid.table_lines')
    if (table.rows.length > IMPORT_MAX_ROWS) {
      throw new DomainError('invalid.table_rows')
    }
  }
  return table
}

/** A line of a table. `row` is undefined for an empty line. */
type ReadRow = Pick<ImportTable, 'problems'> & { row: ImportTable['rows'][number] | undefined }

/**
 * Yields the problems of a table's columns, and then its rows. Throws invalid for a file that is no table or
 * has no rows. Calls `onBytes` with the length of each piece.
 */
export async function* readImport(
  path: string,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<ReadRow, void> {
  const lines = readCsv(createReadStream(path, { highWaterMark: CSV_PIECE_BYTES }), onBytes)
  let n = 0
  let names: string[] | undefined
  do {
    names = (await lines.next()).value || undefined
    n++
  } while (names && (isDelimiterRow(names) || !names.some((name) => name.trim())))
  if (!names) throw new DomainError('invalid.table_empty')
  const { header, problems } = readHeader(names)
  yield { problems, row: undefined }
  let hasRows = false
  for await (const cells of lines) {
    n++
    const row = readImportRow(header, cells, n)
    hasRows ||= row !== undefined
    yield { problems: [], row }
  }
  if (!hasRows) throw new DomainError('invalid.table_no_rows')
}
