import {
  offeredBy,
  PHONE_REFUSALS,
  type PhoneField,
  phoneFieldProblem,
} from '#domain/codes/phones.ts'
import {
  cleanQrFields,
  QR_FIELDS,
  type QrField,
  type QrInput,
  qrFieldProblem,
} from '#domain/codes/qr.ts'
import { CONTACT_MODES, THINGS } from '#domain/codes/visibility.ts'
import { withoutGuard } from '#domain/csv.ts'
import {
  FLAGS,
  IMPORT_COLUMNS,
  IMPORT_TEXTS,
  type ImportColumn,
  OF_EXPORT,
  REQUIRED_COLUMNS,
} from '#domain/fleets/import.ts'
import { readDay } from '#domain/time.ts'
import { codeOf, englishText, type Refusal } from '#locales/refusal.ts'

const FIELD_NAMES = Object.keys(QR_FIELDS) as QrField[]

/** The problem of a cell. Rows are counted as a spreadsheet does: the names of the columns are row 1. */
export type CellProblem = { row: number; column: string; detail: string }

/** Returns `Row 14, contact_phone: Please enter a valid mobile number`. */
export function cellProblemText({ row, column, detail }: CellProblem): string {
  return `Row ${row}, ${column}: ${detail}`
}

/** The fields of a table's columns: null for a column that is left out, undefined for one without a name. */
export type Header = (ImportColumn | null | undefined)[]

/** Reads the first row. Names may be in any letter case, with spaces for `_`. */
export function readHeader(cells: readonly string[]): { header: Header; problems: CellProblem[] } {
  const names = cells.map((cell) => cell.trim().toLowerCase().replace(/\s+/g, '_'))
  const header = names.map((name) => (name ? (columnOf(name) ?? null) : undefined))
  const unknown = names.filter((name) => name && !columnOf(name) && !OF_EXPORT.includes(name))
  const seen = new Set<string>()
  const doubled = names.filter((name) => name && seen.size === seen.add(name).size)
  const missing = REQUIRED_COLUMNS.filter((name) => !header.includes(name))
  const problems = (columns: readonly string[], detail: string) =>
    columns.map((column) => ({ row: 1, column, detail }))
  return {
    header,
    problems: [
      ...problems(unknown, IMPORT_TEXTS.unknown),
      ...problems([...new Set(doubled)], IMPORT_TEXTS.twice),
      ...problems(missing, IMPORT_TEXTS.missing),
    ],
  }
}

function columnOf(name: string): ImportColumn | undefined {
  return IMPORT_COLUMNS.find((column) => column === name)
}

/** A row as it would be stored, and its problems. `cells` are its texts by their columns. */
export type ImportRow = {
  row: number
  fields: Partial<QrInput>
  cells: Partial<Record<ImportColumn, string>>
  problems: CellProblem[]
}

/** A table as it was read: the problems of its columns, and its rows. */
export type ImportTable = { problems: CellProblem[]; rows: ImportRow[] }

/** Reads a row by the rules of the form. Returns undefined for an empty one. */
export function readImportRow(
  header: Header,
  texts: readonly string[],
  row: number,
): ImportRow | undefined {
  const cells: ImportRow['cells'] = {}
  const wrong = new Map<string, string>()
  let isBlank = true
  for (const [i, text] of texts.entries()) {
    if (!text.trim()) continue
    isBlank = false
    const column = header[i]
    if (column) cells[column] = text
    else if (column === undefined) wrong.set(`column ${i + 1}`, IMPORT_TEXTS.nameless)
    if (column && isFormula(text)) wrong.set(column, IMPORT_TEXTS.formula)
  }
  if (isBlank) return undefined
  const sent = Object.fromEntries(
    Object.entries(cells).map(([column, text]) => [column, asEntered(column, withoutGuard(text))]),
  )
  for (const [column, text] of Object.entries(sent)) {
    if (isShortened(text) && !wrong.has(column)) wrong.set(column, IMPORT_TEXTS.shortened)
  }
  const { visible, refused } = readVisible(sent)
  const fields = cleanQrFields({ ...sent, ...visible })
  for (const name of FIELD_NAMES) {
    // A missing column is wrong once, and not in each row.
    if (!header.includes(name) || wrong.has(name)) continue
    const problem =
      qrFieldProblem(name, fields[name]) ??
      (isPhoneField(name) ? phoneFieldProblem(name, fields) : undefined)
    if (problem) wrong.set(name, CHOICES[name] ?? detailOf(problem))
  }
  for (const [column, detail] of Object.entries(refused)) {
    if (!wrong.has(column)) wrong.set(column, detail)
  }
  const problems = [...wrong].map(([column, detail]) => ({ row, column, detail }))
  return { row, fields, cells, problems }
}

function detailOf(problem: Refusal): string {
  const field = offeredBy(codeOf(problem))
  return [englishText(problem), field && IMPORT_TEXTS.anyway(field)].filter(Boolean).join(' ')
}

/** The choices of a cell, where the sentence of the form does not name them. */
const CHOICES: Partial<Record<QrField, string>> = {
  blood_group: IMPORT_TEXTS.bloodGroup,
  insurance_expiry_date: IMPORT_TEXTS.day,
  next_service_due: IMPORT_TEXTS.day,
}
const DAYS = ['insurance_expiry_date', 'next_service_due']

/** Returns a cell as it was typed, before a spreadsheet made a number or a date of it. */
function asEntered(column: string, text: string): string {
  if (DAYS.includes(column)) return readDay(text)
  return isPhoneField(column) ? text.trim().replace(/^'|\.0+$/g, '') : text
}

function isPhoneField(name: string): name is PhoneField {
  return name in PHONE_REFUSALS
}

/** Returns whether a spreadsheet has written a number as `9.87654E+09`, and lost its other digits. */
function isShortened(text: string): boolean {
  return /^\s*\d(?:[.,]\d+)?E[+-]\d+\s*$/i.test(text)
}

/** Returns whether a spreadsheet would compute the text. A number such as `+91 98765 43210` is no formula. */
function isFormula(text: string): boolean {
  return /^\s*(?:=|[+@-]\s*[a-z][a-z0-9.]*\s*[(|!])/i.test(text)
}

const YES = ['true', 'yes', 'y', '1']
const NO = ['false', 'no', 'n', '0']

/** The owner's decisions, in the form in which a form sends them; those that cannot be read are left out. */
function readVisible(sent: Record<string, string>) {
  const visible: Record<string, string | undefined> = {}
  const refused: Record<string, string> = {}
  for (const name of FLAGS) {
    const text = sent[name]?.trim().toLowerCase()
    visible[name] = undefined
    if (text === undefined) continue
    if (YES.includes(text)) visible[name] = '1'
    else if (NO.includes(text)) visible[name] = '0'
    else refused[name] = englishText({ code: 'invalid.flag', values: { field: name } })
  }
  const thing = sent.thing?.trim().toLowerCase()
  visible.thing = THINGS.find((each) => each === thing)
  if (thing !== undefined && !visible.thing) refused.thing = englishText('invalid.thing')
  const mode = sent.contact_mode?.trim().toLowerCase()
  visible.contact_mode = CONTACT_MODES.find((each) => each === mode)
  if (mode !== undefined && !visible.contact_mode) {
    refused.contact_mode = englishText('invalid.contact_mode')
  }
  return { visible, refused }
}
