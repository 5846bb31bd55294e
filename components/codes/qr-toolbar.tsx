import { Icon, type IconName } from '#components/icons/icon.tsx'
import {
  dialogHref,
  placeHref,
  QR_LAYOUTS,
  type QrDialog,
  type QrLayout,
  type QrPlace,
} from '#domain/dashboard.ts'
import type { CreationWays } from '#domain/plans/plan.ts'

const LAYOUT_LABELS: Record<QrLayout, string> = {
  'grid-small': 'Small grid',
  'grid-medium': 'Medium grid',
  'grid-large': 'Large grid',
  list: 'List',
}

type ToolbarProps = { place: QrPlace; layout: QrLayout; childQuota: number; ways: CreationWays }

/** Search, layouts and the three ways to make codes. */
export function QrToolbar({ place, layout, childQuota, ways }: ToolbarProps) {
  return (
    <div className="toolbar">
      <SearchForm search={place.q} label="Search QR codes" fields={{ tab: 'my-qrs' }} />
      <LayoutLinks q={place.q} current={layout} />
      {ways.child && <ChildQrs place={place} quota={childQuota} />}
      {ways.bulk && (
        <DialogLink dialog="bulk" place={place} icon="grid-medium" label="Bulk Create" />
      )}
      {ways.create && (
        <DialogLink dialog="create" place={place} icon="plus" label="Create QR Code" main />
      )}
    </div>
  )
}

function ChildQrs({ place, quota }: { place: QrPlace; quota: number }) {
  if (quota > 0) return <DialogLink dialog="child" place={place} icon="users" label="Child QRs" />
  return (
    <button className="btn" type="button" disabled>
      <Icon name="users" />
      Child QRs
    </button>
  )
}

function DialogLink(props: {
  dialog: QrDialog
  place: QrPlace
  icon: IconName
  label: string
  main?: boolean
}) {
  const { dialog, place, icon, label, main } = props
  return (
    <a
      className={main ? 'btn btn-main' : 'btn'}
      href={dialogHref(dialog, place)}
      data-dialog={dialog}
    >
      <Icon name={icon} />
      {label}
    </a>
  )
}

/** A search that is a page of its own; `fields` are what else its address keeps. */
export function SearchForm({
  search,
  label,
  fields,
  action = '/dashboard',
}: {
  search: string
  label: string
  fields: Record<string, string>
  action?: '/dashboard' | '/admin'
}) {
  return (
    <search className="search">
      <form method="get" action={action}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
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
        <button className="btn without-script" type="submit">
          Show
        </button>
      </form>
    </search>
  )
}

function LayoutLinks({ q, current }: { q: string; current: QrLayout }) {
  return (
    <nav className="segments" aria-label="Layout">
      {QR_LAYOUTS.map((layout) => (
        <a
          key={layout}
          href={placeHref({ q, page: 1 }, { layout })}
          title={LAYOUT_LABELS[layout]}
          aria-current={layout === current ? 'true' : undefined}
        >
          <span className="vh">{LAYOUT_LABELS[layout]}</span>
          <Icon name={layout} />
        </a>
      ))}
    </nav>
  )
}
