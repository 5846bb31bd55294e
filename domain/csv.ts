import { toFieldTime } from '#domain/time.ts'

export type CsvCell = string | number | boolean | null

/** Spreadsheets read a file as UTF-8 only when it begins with this mark. */
export const CSV_BOM = '\uFEFF'

/** Returns the file name of an export: `qr_codes_export_20261231_183005.csv`, in local time. */
export function exportName(timezone: string, now: Date): string {
  const minute = toFieldTime(now.toISOString(), timezone).replace('T', '_').replace(/[-:]/g, '')
  return `qr_codes_export_${minute}${String(now.getUTCSeconds()).padStart(2, '0')}.csv`
}

/**
 * Writes rows as RFC 4180 text, each ending in CRLF. A cell that a spreadsheet would run as a formula, or read as a
 * number or a date, gets a `'` before it: names and messages are untrusted input, and an import reads them back.
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

/**
 * Where a formula begins: at the beginning of a cell, or behind what ends one for a program that reads the
 * file with other delimiters, which then takes the quotes of a cell for signs in it. Spreadsheets in East
 * Asian languages read the wide signs as the others.
 */
const FORMULAS = /(^|[;\t\r\n])(?=["']*[=+\-@＝＋－＠])/g
const GUARDED = /(^|[;\t\r\n])'(?=["']*[=+\-@＝＋－＠])/g
/** Some programs pass over these at the beginning of a cell. */
const BLANK_START = /^["']*[\t\r]/

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
/**
 * A spreadsheet reads such a cell as a number or a date, and writes it in another way. A day as YYYY-MM-DD stays. One
 * that begins with `'` itself gets another one, or an import would take that for the guard.
 */
const REWRITTEN = new RegExp(
  `^'*(?:0\\d+|\\d{12,}|\\d+(?:\\.\\d+)?e[+-]?\\d+|\\d{1,2}[-/. ]\\d{1,2}(?:[-/. ]\\d{2,4})?|\\d{1,2}:\\d\\d(?::\\d\\d)?|\\d{1,4}[-/. ]?${MONTH}(?:[-/. ]\\d{2,4})?|${MONTH}[-/. ]\\d{1,4})$`,
  'i',
)

/** Most cells need none of the other tests, and an export has millions of cells. */
const NOTABLE = /^['=+\-@＝＋－＠]|[",;\t\r\n]/

/** Returns a cell of an export without its `'`, which kept a spreadsheet from running it. */
export function withoutGuard(text: string): string {
  const isKept = text.startsWith("'") && (BLANK_START.test(text) || REWRITTEN.test(text.slice(1)))
  const started = isKept ? text.slice(1) : text
  return started.replace(GUARDED, '$1')
}

function toCell(value: CsvCell): string {
  if (value === null) return ''
  const plain = String(value)
  if (typeof value === 'string' && REWRITTEN.test(plain)) return `'${plain}`
  if (!NOTABLE.test(plain)) return plain
  const guarded = plain.replace(FORMULAS, "$1'")
  const text = BLANK_START.test(guarded) ? `'${guarded}` : guarded
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
