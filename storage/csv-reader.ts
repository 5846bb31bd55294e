import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import type { CsvError } from 'csv-parse'
import { DomainError } from '#domain/error.ts'

/** Longer than all fields of a code together, in bytes. */
const LONGEST_ROW = 64 * 1024
/** The parser counts empty cells not at all, and what reads a row looks for each column among all. */
const MOST_CELLS = 256
/** A piece is parsed at once, and the parser takes 25 µs for a row with fewer cells than the first. */
const PIECE_BYTES = 1024

const NOT_UTF8 =
  'The table is not text in UTF-8. In your spreadsheet choose Save as, and then CSV UTF-8.'
const REFUSALS: Record<string, (row: number) => string> = {
  CSV_QUOTE_NOT_CLOSED: (row) => `Row ${row}: a quote is opened and never closed`,
  CSV_MAX_RECORD_SIZE: (row) => `Row ${row} is too long. Perhaps a quote is never closed.`,
  CSV_INVALID_CLOSING_QUOTE: misplaced,
  INVALID_OPENING_QUOTE: misplaced,
}

function misplaced(row: number): string {
  return `Row ${row}: a quote inside a cell must be written twice, and the cell between quotes`
}

/**
 * The rows of a CSV file as they are read, each with its cells: UTF-8 with or without BOM, with commas
 * or semicolons. Throws invalid with a sentence that names the row. `onBytes` hears how much was read.
 */
export async function* readCsv(
  path: string,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<string[], void> {
  // Loaded with the first table.
  const { parse } = await import('csv-parse')
  const pieces = readText(path, onBytes)
  const { value: first = Buffer.alloc(0) } = await pieces.next()
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(first),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: LONGEST_ROW,
    on_record: assertFewCells,
  })
  // What goes wrong is thrown by the parser's iterator.
  pipeline(Readable.from(join(first, pieces)), parser, () => {})
  try {
    for await (const cells of parser) yield cells
  } catch (error) {
    throw asRefusal(error)
  }
}

function assertFewCells(cells: string[], { records }: { records: number }): string[] {
  if (cells.length <= MOST_CELLS) return cells
  throw new DomainError('invalid', `Row ${records} has more than ${MOST_CELLS} cells`)
}

/** The bytes of a file. Throws invalid unless they are text in UTF-8. */
async function* readText(
  path: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    if (!isText(decoder, piece)) throw new DomainError('invalid', NOT_UTF8)
    yield piece
    onBytes(piece.length)
  }
  if (!isText(decoder)) throw new DomainError('invalid', NOT_UTF8)
}

/** Without a piece, whether the text ends with a whole character. */
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

/** The one that stands more often between the names of the columns. */
function delimiterOf(first: Buffer): ',' | ';' {
  const [names = ''] = first.toString('utf8').split(/[\r\n]/, 1)
  const count = (delimiter: string) => names.split(delimiter).length
  return count(';') > count(',') ? ';' : ','
}

function asRefusal(error: unknown): unknown {
  const { code = '', records } = error as Partial<CsvError>
  const refusal = Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined
  return refusal ? new DomainError('invalid', refusal(Number(records) + 1)) : error
}
