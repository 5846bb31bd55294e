import type { ReactNode } from 'react'

export type Column<T> = { label: string; cell: (row: T) => ReactNode }

type ListTableProps<T> = {
  label: string
  rows: T[]
  /** the first cell of each row, which gets the focus after a change */
  head: Column<T>
  columns: Column<T>[]
  idOf: (row: T) => string
  isOff?: (row: T) => boolean
  actions?: ((row: T) => ReactNode) | undefined
}

/** Things one below the other; a last column holds what can be done with each. */
export function ListTable<T>(props: ListTableProps<T>) {
  const { label, rows, head, columns, idOf, isOff, actions } = props
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {[head, ...columns].map(({ label: name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          {actions && (
            <th scope="col">
              <span className="vh">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)} className={isOff?.(row) ? 'is-off' : undefined}>
            <td id={idOf(row)} tabIndex={-1}>
              {head.cell(row)}
            </td>
            {columns.map(({ label: name, cell }) => (
              <td key={name} data-label={name} className="num">
                {cell(row)}
              </td>
            ))}
            {actions && (
              <td className="end">
                <div className="row gap-2 to-end">{actions(row)}</div>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
