export type CsvCell = string | number | boolean | null

/** Spreadsheets take a file for UTF-8 only when it begins with this mark. */
export const CSV_BOM = '\uFEFF'

/**
 * Rows as RFC 4180 text, each ending in CRLF. A cell that a spreadsheet would run as a formula is
 * disarmed by a leading `'`: names and messages come from strangers.
 */
export function toCsv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')
}

function toCell(value: CsvCell): string {
  if (value === null) return ''
  const text = String(value).replace(/^[=+\-@\t\r]/, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
