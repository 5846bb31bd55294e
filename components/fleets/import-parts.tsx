import { Plate } from '#components/codes/plate.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import { withoutGuard } from '#domain/csv.ts'
import type { ImportColumn } from '#domain/fleets/import.ts'
import {
  countWrong,
  type Fate,
  type ImportCheck,
  type NotableRow,
  refusedRows,
  shownColumns,
} from '#domain/fleets/import-check.ts'
import { type CellProblem, cellProblemText } from '#domain/fleets/import-rows.ts'
import { formatCount } from '#domain/number.ts'

type CheckProps = { check: ImportCheck; allowed: number | null }

/** The number of rows of a table, by outcome. */
export function ImportTally({ check, allowed }: CheckProps) {
  const { rows, created, updated, skipped } = check
  const figures: [string, number][] = [
    ['Rows', rows],
    ['Would be made', created],
    ['Already there', updated + skipped],
    ['With errors', countWrong(check)],
  ]
  return (
    <dl className="tally">
      {figures.map(([label, count]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
      <div>
        <dt>Your plan allows</dt>
        <dd>
          {allowed === null ? (
            <span role="img" aria-label="unlimited">
              ∞
            </span>
          ) : (
            formatCount(allowed)
          )}
        </dd>
      </div>
    </dl>
  )
}

/** The problems of an import as a whole. */
export function ImportRefusals({ check, allowed }: CheckProps) {
  const ofColumns = check.errors.filter(({ row }) => row === 1)
  return (
    <>
      {check.errors.length > 0 && (
        <Note tone="stop" title={refusedRows(check).message}>
          Nothing is made yet. Correct them in your table and choose the file again.
        </Note>
      )}
      {ofColumns.length > 0 && (
        <ul className="problems">
          {ofColumns.map((problem) => (
            <li key={problem.column + problem.detail}>{cellProblemText(problem)}</li>
          ))}
        </ul>
      )}
      {allowed !== null && check.created > allowed && (
        <Note tone="stop" title="Your plan does not allow so many">
          {`The table has ${formatCount(check.created)} new QR codes, and your plan allows ${formatCount(allowed)} more.`}
        </Note>
      )}
    </>
  )
}

/** The rows with problems, with the problem of each cell. */
export function ImportRows({ check }: { check: ImportCheck }) {
  const { notable, rows, created, errors } = check
  if (notable.length === 0) return null
  const columns = shownColumns(check)
  // While a column is wrong no row counts as one that would be made.
  const left = errors[0]?.row === 1 ? 0 : rows - created - notable.length
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, by keyboard too */}
      <section className="table-scroll" tabIndex={0} aria-label="Rows to look at">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Row</th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {notable.map((row) => (
              <tr key={row.row} className={row.fate === 'wrong' ? undefined : 'same'}>
                <td data-label="Row" className="num">
                  <span>
                    {row.row}
                    {row.problems
                      .filter(({ column }) => !columns.some((each) => each === column))
                      .map((problem) => (
                        <WrongCell key={problem.column} problem={problem} />
                      ))}
                  </span>
                </td>
                {columns.map((column) => (
                  <Cell key={column} column={column} row={row} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="small soft">
        {left > 0 && `${formatCount(left)} more ${left === 1 ? 'row' : 'rows'} to look at. `}
        {`Only rows to look at are shown.${restText(created)}`}
      </p>
    </>
  )
}

function restText(count: number): string {
  if (count === 0) return ''
  return count === 1
    ? ' The other one is in order.'
    : ` The other ${formatCount(count)} are in order.`
}

const FATES: Partial<Record<Fate, string>> = {
  skip: 'Already there, will be skipped',
  update: 'Already there, will be updated',
}

function Cell({ column, row }: { column: ImportColumn; row: NotableRow }) {
  const problem = row.problems.find((each) => each.column === column)
  const text = withoutGuard(row.cells[column] ?? '').trim()
  const isPlate = column === 'vehicle_registration'
  return (
    <td data-label={column} className={problem ? 'bad' : undefined}>
      <span>
        {isPlate && text ? <Plate registration={text} /> : text}
        {isPlate && FATES[row.fate] && <small>{FATES[row.fate]}</small>}
        {problem && <WrongCell problem={problem} />}
      </span>
    </td>
  )
}

function WrongCell({ problem }: { problem: CellProblem }) {
  return (
    <small className="wrong">
      <Icon name="alert" />
      {cellProblemText(problem)}
    </small>
  )
}
