import { type Company, CompanySelect } from '#components/fleets/company-select.tsx'
import {
  FilterSelect,
  HiddenFields,
  SearchForm,
  ShowButton,
} from '#components/forms/search-form.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { LayoutLinks } from '#components/ui/layout-links.tsx'
import {
  dialogHref,
  placeFields,
  placeHref,
  QR_FILTERS,
  QR_LAYOUTS,
  QR_SORTS,
  type QrFilter,
  type QrLayout,
  type QrPlace,
  selectHref,
} from '#domain/dashboard.ts'
import type { QrDialog } from '#domain/dialogs.ts'
import type { CreationWays } from '#domain/plans/plan.ts'

export const LAYOUT_LABELS: Record<QrLayout, string> = {
  'grid-small': 'Small grid',
  'grid-medium': 'Medium grid',
  'grid-large': 'Large grid',
  list: 'List',
}

type ToolbarProps = {
  place: QrPlace
  layout: QrLayout
  childQuota: number
  ways: CreationWays
  hasCodes: boolean
}

/** Search, layouts and the three ways to make codes. */
export function QrToolbar(props: ToolbarProps) {
  const { place, layout, childQuota, ways, hasCodes } = props
  const layouts = QR_LAYOUTS.map((id) => ({
    id,
    label: LAYOUT_LABELS[id],
    icon: id,
    href: placeHref({ ...place, page: 1 }, { layout: id }),
  }))
  const { q: _, ...kept } = placeFields({ ...place, page: 1 })
  return (
    <div className="toolbar">
      <SearchForm search={place.q} label="Search QR codes" fields={{ tab: 'my-qrs', ...kept }} />
      <LayoutLinks label="Layout" layouts={layouts} current={layout} />
      {hasCodes && (
        <a className="btn btn-select" href={selectHref(place)}>
          <Icon name="select" />
          Select
        </a>
      )}
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

/** The number of codes for each filter, in words; none in a search or a company. */
export type ShownCounts = { [filter in QrFilter | '']?: string }

type FiltersProps = { place: QrPlace; companies: Company[]; counts: ShownCounts }

/** Which codes the list shows, and in which order. */
export function QrFilters({ place, companies, counts }: FiltersProps) {
  const { q, company_fleet_name = '', filter = '', sort = '' } = place
  const shown = {
    '': withCount('All', counts['']),
    due: withCount(QR_FILTERS.due, counts.due),
    lost: withCount(QR_FILTERS.lost, counts.lost),
  }
  return (
    <form className="filters" method="get" action="/dashboard">
      <HiddenFields fields={{ tab: 'my-qrs', ...(q && { q }) }} />
      {(companies.length > 0 || company_fleet_name) && (
        <div className="field">
          <span className="legend" aria-hidden="true">
            Company
          </span>
          <CompanySelect place={place} companies={companies} />
        </div>
      )}
      <Choice name="filter" label="Show" value={filter} options={shown} />
      <Choice name="sort" label="Sort" value={sort} options={{ '': 'Newest', ...QR_SORTS }} />
      <ShowButton />
    </form>
  )
}

function withCount(label: string, count?: string): string {
  return count === undefined ? label : `${label} (${count})`
}

type ChoiceProps = { name: string; label: string; value: string; options: Record<string, string> }

function Choice({ label, options, ...choice }: ChoiceProps) {
  const listed = Object.entries(options).map(([id, text]) => ({ id, label: text }))
  return (
    <div className="field">
      <span className="legend" aria-hidden="true">
        {label}
      </span>
      <FilterSelect {...choice} label={label} options={listed} />
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
