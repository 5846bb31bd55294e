import { Icon, type IconName } from '#components/icon.tsx'
import { dialogHref } from '#components/qr-actions.ts'

export type QrLayout = 'grid-small' | 'grid-medium' | 'grid-large' | 'list'

const LAYOUTS: { layout: QrLayout; label: string; icon: IconName }[] = [
  { layout: 'grid-small', label: 'Small grid', icon: 'grid-small' },
  { layout: 'grid-medium', label: 'Medium grid', icon: 'grid-medium' },
  { layout: 'grid-large', label: 'Large grid', icon: 'grid-large' },
  { layout: 'list', label: 'List', icon: 'list' },
]

type ToolbarProps = { search: string; layout: QrLayout; childQuota: number }

/** Search, layouts and the three ways to make codes. */
export function QrToolbar({ search, layout, childQuota }: ToolbarProps) {
  return (
    <div className="toolbar">
      <SearchForm search={search} label="Search QR codes" fields={{ tab: 'my-qrs', layout }} />
      <LayoutLinks search={search} current={layout} />
      {childQuota > 0 ? (
        <a className="btn" href={dialogHref('child')} data-action="child">
          <Icon name="users" />
          Child QRs
        </a>
      ) : (
        <button className="btn" type="button" disabled>
          <Icon name="users" />
          Child QRs
        </button>
      )}
      <a className="btn" href={dialogHref('bulk')} data-action="bulk">
        <Icon name="grid-medium" />
        Bulk Create
      </a>
      <a className="btn btn-main" href={dialogHref('create')} data-action="create">
        <Icon name="plus" />
        Create QR Code
      </a>
    </div>
  )
}

/** A search that is a page of its own; `fields` are what else its address keeps. */
export function SearchForm({
  search,
  label,
  fields,
}: {
  search: string
  label: string
  fields: Record<string, string>
}) {
  return (
    <search className="search">
      <form method="get">
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Icon name="search" />
        <input
          className="input"
          type="search"
          name="search"
          aria-label={label}
          placeholder="Search"
          defaultValue={search}
          enterKeyHint="search"
        />
      </form>
    </search>
  )
}

function LayoutLinks({ search, current }: { search: string; current: QrLayout }) {
  return (
    <nav className="segments" aria-label="Layout">
      {LAYOUTS.map(({ layout, label, icon }) => (
        <a
          key={layout}
          href={`/dashboard?${new URLSearchParams({ tab: 'my-qrs', layout, search })}`}
          title={label}
          data-layout-link={layout}
          aria-current={layout === current ? 'true' : undefined}
        >
          <span className="vh">{label}</span>
          <Icon name={icon} />
        </a>
      ))}
    </nav>
  )
}
