import { pipeline, Readable } from 'node:stream'
import type { CsvError } from 'csv-parse'
import { DomainError } from '#domain/error.ts'

/** Longer than all fields of a code together, in bytes. */
const LONGEST_ROW = 64 * 1024
/** The parser does not count empty cells, and reading a row searches all of them for each column. */
const MOST_CELLS = 256
/**
 * The piece size for a reader: the parser blocks the thread for a piece, and takes 25 µs for a row with
 * fewer cells than the first.
 */
export const CSV_PIECE_BYTES = 1024

const REFUSALS = {
  CSV_QUOTE_NOT_CLOSED: 'invalid.csv_quote_open',
  CSV_MAX_RECORD_SIZE: 'invalid.csv_row_long',
  CSV_INVALID_CLOSING_QUOTE: 'invalid.csv_quote',
  INVALID_OPENING_QUOTE: 'invalid.csv_quote',
} as const

/**
 * Yields the cells of each row of a CSV: UTF-8 with or without BOM, with commas, semicolons or tabs. Throws
 * invalid with a sentence that names the row. Calls `onBytes` with the length of each piece.
 */
export async function* readCsv(
  content: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<string[], void> {
  // Most processes read no table.
  const { parse } = await import('csv-parse')
  const pieces = readText(content, onBytes)
  const { value: first = Buffer.alloc(0) } = await pieces.next()
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(first),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: LONGEST_ROW,
    on_record: assertFewCells,
  })
  // The parser's iterator throws the errors.
  pipeline(Readable.from(join(first, pieces)), parser, () => {})
  try {
    for await (const cells of parser) yield cells
  } catch (error) {
    throw asRefusal(error)
  }
}

function assertFewCells(cells: string[], { records }: { records: number }): string[] {
  if (cells.length <= MOST_CELLS) return cells
  throw new DomainError({ code: 'invalid.csv_cells', values: { row: records, most: MOST_CELLS } })
}

/** Yields the pieces. Throws invalid unless they are text in UTF-8. */
async function* readText(
  content: AsyncIterable<Buffer>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const piece of content) {
    if (!isText(decoder, piece)) throw new DomainError('invalid.csv_encoding')
    yield piece
    onBytes(piece.length)
  }
  if (!isText(decoder)) throw new DomainError('invalid.csv_encoding')
}

/** Checks the next piece or, without one, that the text ends with a whole character. */
function isText(decoder: TextDecoder, piece?: Buffer): boolean {
  try {
    decoder.decode(piece, { stream: piece !== undefined })
    return !piece?.includes(0)
  } catch {
    return false
  }
}

async function* join(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield first
  yield* rest
}

/** The signs with which spreadsheets separate cells. The first wins if two are as frequent. */
const DELIMITERS = [',', ';', '\t']
/** Where a spreadsheet says the delimiter itself. */
const SAID = /^sep=(.)$/i

/** Returns the delimiter that the first line says, or the most frequent one of the row of names. */
function delimiterOf(first: Buffer): string {
  const lines = first
    .toString('utf8')
    .replace('\ufeff', '')
    .split(/\r\n|\n|\r/)
  const names = lines.find((line) => line.trim()) ?? ''
  const [, said] = SAID.exec(names.trim()) ?? []
  if (said) return said
  const count = (delimiter: string) => names.split(delimiter).length
  return DELIMITERS.reduce((most, each) => (count(each) > count(most) ? each : most))
}

/** Returns whether a row is the line `sep=;` of spreadsheets, which names the delimiter and has no data. */
export function isDelimiterRow(cells: readonly string[]): boolean {
  return /^sep=.?$/i.test(cells[0]?.trim() ?? '') && !cells.slice(1).some((cell) => cell.trim())
}

function asRefusal(error: unknown): unknown {
  const { code = '', records } = error as Partial<CsvError>
  if (!Object.hasOwn(REFUSALS, code)) return error
  const values = { row: Number(records) + 1 }
  return new DomainError({ code: REFUSALS[code as keyof typeof REFUSALS], values })
}
