import { Icon } from '#components/icons/icon.tsx'

type SearchProps = {
  search: string
  label: string
  /** names the lists that it searches, where the page around it does not */
  placeholder?: string
}

type SearchFormProps = SearchProps & {
  /** what else its address keeps */
  fields: Record<string, string>
  action?: string
}

/** A search that is a page of its own. */
export function SearchForm({ fields, action = '/dashboard', ...search }: SearchFormProps) {
  return (
    <search className="search">
      <form method="get" action={action}>
        <HiddenFields fields={fields} />
        <SearchInput {...search} />
        <ShowButton />
      </form>
    </search>
  )
}

/** For a form that has more than a search. */
export function SearchField(props: SearchProps) {
  return (
    <div className="search">
      <SearchInput {...props} />
    </div>
  )
}

function SearchInput({ search, label, placeholder = 'Search' }: SearchProps) {
  return (
    <>
      <Icon name="search" />
      <input
        className="input"
        type="search"
        name="q"
        aria-label={label}
        placeholder={placeholder}
        defaultValue={search}
        // Back from a search, browsers would put it above a list that does not answer it.
        autoComplete="off"
        enterKeyHint="search"
      />
    </>
  )
}

export type Filter = {
  name: string
  label: string
  value: string
  options: readonly { id: string; label: string }[]
}

/** A choice that narrows a list at once; without script a button does it. */
export function FilterSelect({ name, label, value, options }: Filter) {
  return (
    <select
      className="select"
      name={name}
      aria-label={label}
      defaultValue={value}
      data-action="submit-on-change"
    >
      {options.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  )
}

export function ShowButton() {
  return (
    <button className="btn without-script" type="submit">
      Show
    </button>
  )
}

export function HiddenFields({ fields }: { fields: Record<string, string> }) {
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ))
}
