import { DomainError } from '#domain/error.ts'
import {
  IMPORT_COLUMNS,
  IMPORT_TEXTS,
  type ImportColumn,
  type OnDuplicate,
} from '#domain/fleets/import.ts'
import type { CellProblem, ImportRow } from '#domain/fleets/import-rows.ts'
import { counted } from '#domain/number.ts'

/** The effect of an import, and its problems. */
export type ImportCheck = {
  /** rows with something in them */
  rows: number
  /** rows without an error; none while the columns have one, because no row is read by them */
  valid: number
  created: number
  updated: number
  skipped: number
  /** the first errors of all rows, at most 1,000 */
  errors: CellProblem[]
  /** the first rows with something to say, at most 100 */
  notable: NotableRow[]
}

export type NotableRow = Pick<ImportRow, 'row' | 'cells' | 'problems'> & {
  fate: Fate
}

/** The outcome of a row. */
export type Fate = 'create' | 'update' | 'skip' | 'wrong'

const MOST_ERRORS = 1000
const MOST_SHOWN = 100

/**
 * Decides the outcome of each row of a table. `isThere` says whether the account has codes of the
 * row's vehicle, and `isHeld` whether one of them cannot be changed.
 */
export function beginCheck(onDuplicate: OnDuplicate, ofHeader: readonly CellProblem[] = []) {
  const check: ImportCheck = {
    rows: 0,
    valid: 0,
    created: 0,
    updated: 0,
    skipped: 0,
    errors: [...ofHeader],
    notable: [],
  }
  const rowsByPlate = new Map<string, number>()

  function problemsOf(row: ImportRow, { isThere, isHeld }: Standing): CellProblem[] {
    const plate = row.fields.vehicle_registration
    if (!plate) return row.problems
    const earlier = rowsByPlate.get(plate)
    if (earlier === undefined) rowsByPlate.set(plate, row.row)
    const detail =
      earlier !== undefined
        ? `This vehicle stands in row ${earlier} too`
        : (isThere && refusals[onDuplicate]?.(isHeld)) || undefined
    if (!detail) return row.problems
    return [...row.problems, { row: row.row, column: 'vehicle_registration', detail }]
  }

  function decide(row: ImportRow, standing: Standing): Fate {
    const problems = problemsOf(row, standing)
    const fate = problems.length > 0 ? 'wrong' : fateOf(onDuplicate, standing)
    check.rows++
    if (fate === 'wrong') check.errors.push(...problems.slice(0, MOST_ERRORS - check.errors.length))
    else if (ofHeader.length === 0) {
      check.valid++
      check[COUNTED[fate]]++
    }
    if (fate !== 'create' && check.notable.length < MOST_SHOWN) {
      check.notable.push({ row: row.row, cells: row.cells, problems, fate })
    }
    return fate
  }

  return { check, decide }
}

type Standing = { isThere: boolean; isHeld: boolean }

const COUNTED = { create: 'created', update: 'updated', skip: 'skipped' } as const

const refusals: Record<OnDuplicate, (isHeld: boolean) => string | undefined> = {
  error: () => IMPORT_TEXTS.there,
  skip: () => undefined,
  update: (isHeld) => (isHeld ? IMPORT_TEXTS.held : undefined),
}

function fateOf(onDuplicate: OnDuplicate, { isThere }: Standing): Exclude<Fate, 'wrong'> {
  return isThere && onDuplicate !== 'error' ? onDuplicate : 'create'
}

/** Returns the number of rows with an error, which is all of them if the columns have one. */
export function countWrong({ rows, valid }: ImportCheck): number {
  return rows - valid
}

/** The columns that identify a vehicle. */
const ALWAYS_SHOWN: readonly ImportColumn[] = [
  'vehicle_registration',
  'owner_name',
  'contact_phone',
  'email',
  'company_fleet_name',
]

/** Returns the columns that the shown rows have, those that say which vehicle it is first. */
export function shownColumns({ notable }: ImportCheck): ImportColumn[] {
  const wrong = new Set(notable.flatMap(({ problems }) => problems.map(({ column }) => column)))
  const isThere = (column: ImportColumn) => notable.some(({ cells }) => column in cells)
  const first = ALWAYS_SHOWN.filter((column) => isThere(column) || wrong.has(column))
  return [...first, ...IMPORT_COLUMNS.filter((each) => wrong.has(each) && !first.includes(each))]
}

/** Returns the refusal `3 rows cannot be imported`. */
export function refusedRows(check: ImportCheck): DomainError {
  return new DomainError({
    code: 'invalid.rows',
    values: { rows: counted(countWrong(check), 'row') },
  })
}
