import { toFieldTime } from '#domain/time.ts'

export type CsvCell = string | number | boolean | null

/** Spreadsheets read a file as UTF-8 only when it begins with this mark. */
export const CSV_BOM = '\uFEFF'

/** The file name of an export: `qr_codes_export_20261231_183005.csv`, in local time. */
export function exportName(timezone: string, now: Date): string {
  const minute = toFieldTime(now.toISOString(), timezone).replace('T', '_').replace(/[-:]/g, '')
  return `qr_codes_export_${minute}${String(now.getUTCSeconds()).padStart(2, '0')}.csv`
}

/**
 * Rows as RFC 4180 text, each ending in CRLF. A cell that a spreadsheet would run as a formula gets
 * a leading `'`, because names and messages are untrusted input.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  let text = ''
  for (const cells of rows) {
    let before = ''
    for (const cell of cells) {
      text += before + toCell(cell)
      before = ','
    }
    text += '\r\n'
  }
  return text
}

const FORMULA_STARTS = [...'=+-@\t\r'].map((character) => character.charCodeAt(0))

/** A cell of an export as it was before its `'`, which kept a spreadsheet from running it. */
export function withoutGuard(text: string): string {
  return text.startsWith("'") && isDangerous(text.charCodeAt(1)) ? text.slice(1) : text
}

function isDangerous(characterCode: number): boolean {
  return FORMULA_STARTS.includes(characterCode)
}

function toCell(value: CsvCell): string {
  if (value === null) return ''
  const text = typeof value === 'string' ? value : String(value)
  const disarmed = isDangerous(text.charCodeAt(0)) ? `'${text}` : text
  return /[",\r\n]/.test(disarmed) ? `"${disarmed.replaceAll('"', '""')}"` : disarmed
}
