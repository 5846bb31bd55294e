import { Icon } from '#components/icons/icon.tsx'

type UserToolbarProps = {
  /** the page, and what of its address stays */
  action: '/admin' | '/admin-dashboard'
  fields: Record<string, string>
  search: string
  label?: string
  filter: {
    name: string
    label: string
    value: string
    options: readonly { id: string; label: string }[]
  }
}

/** Search and a filter, which are a page of their own. */
export function UserToolbar({
  action,
  fields,
  search,
  label = 'Search by name or email',
  filter,
}: UserToolbarProps) {
  return (
    <search>
      <form className="toolbar" method="get" action={action}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="search">
          <Icon name="search" />
          <input
            className="input"
            type="search"
            name="q"
            aria-label={label}
            placeholder="Search"
            defaultValue={search}
            enterKeyHint="search"
          />
        </div>
        <div className="field">
          <select
            className="select"
            name={filter.name}
            aria-label={filter.label}
            defaultValue={filter.value}
            data-action="submit-on-change"
          >
            {filter.options.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <button className="btn without-script" type="submit">
          Show
        </button>
      </form>
    </search>
  )
}
