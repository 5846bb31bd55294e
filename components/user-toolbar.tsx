import { Icon } from '#components/icon.tsx'
import { ROLE_FILTERS, type UserPlace } from '#domain/management.ts'

/** Search and the role, which are a page of their own. */
export function UserToolbar({ place }: { place: UserPlace }) {
  return (
    <search>
      <form className="toolbar" method="get" action="/admin-dashboard">
        <input type="hidden" name="tab" value="users" />
        <div className="search">
          <Icon name="search" />
          <input
            className="input"
            type="search"
            name="q"
            aria-label="Search by name or email"
            placeholder="Search"
            defaultValue={place.q}
            enterKeyHint="search"
          />
        </div>
        <div className="field">
          <select
            className="select"
            name="role"
            aria-label="Role"
            defaultValue={place.role}
            data-action="submit-on-change"
          >
            {ROLE_FILTERS.map(({ id, label }) => (
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
