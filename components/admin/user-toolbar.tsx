import {
  type Filter,
  FilterSelect,
  HiddenFields,
  SearchField,
  ShowButton,
} from '#components/forms/search-form.tsx'

type UserToolbarProps = {
  /** the page, and the part of its query that stays */
  action: '/admin' | '/admin-dashboard'
  fields: Record<string, string>
  search: string
  label?: string
  filter: Filter | undefined
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
        <HiddenFields fields={fields} />
        <SearchField search={search} label={label} />
        {filter && (
          <div className="field">
            <FilterSelect {...filter} />
          </div>
        )}
        <ShowButton />
      </form>
    </search>
  )
}
