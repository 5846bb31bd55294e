import type { ReactNode } from 'react'

export type Column<T> = { label: string; cell: (row: T) => ReactNode }

type ListTableProps<T> = {
  label: string
  rows: T[]
  /** what stands first in each row, and gets the focus after a change */
  head: Column<T>
  columns: Column<T>[]
  idOf: (row: T) => string
  isOff?: (row: T) => boolean
  actions?: ((row: T) => ReactNode) | undefined
}

/** Things one below the other; a last column holds what can be done with each. */
export function ListTable<T>(props: ListTableProps<T>) {
  const { label, rows, head, columns, idOf, isOff, actions } = props
  // Explicit roles: stacked on a phone, rows and cells lose theirs.
  return (
    // biome-ignore lint/a11y/noRedundantRoles: `display: block` takes the implicit ones away
    <table className="table" role="table" aria-label={label}>
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <thead role="rowgroup">
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <tr role="row">
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
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <tbody role="rowgroup">
        {rows.map((row) => (
          // biome-ignore lint/a11y/noRedundantRoles: see above
          <tr key={idOf(row)} role="row" className={isOff?.(row) ? 'is-off' : undefined}>
            {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
            <td role="cell" id={idOf(row)} tabIndex={-1}>
              {head.cell(row)}
            </td>
            {columns.map(({ label: name, cell }) => (
              // biome-ignore lint/a11y/noRedundantRoles: see above
              <td key={name} role="cell" data-label={name} className="num">
                {cell(row)}
              </td>
            ))}
            {actions && (
              // biome-ignore lint/a11y/noRedundantRoles: see above
              <td role="cell" className="end">
                <span className="row gap-2 to-end">{actions(row)}</span>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
