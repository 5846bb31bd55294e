import { type Company, CompanySelect } from '#components/fleets/company-select.tsx'
import {
  FilterSelect,
  HiddenFields,
  SearchForm,
  ShowButton,
} from '#components/forms/search-form.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { LayoutLinks } from '#components/ui/layout-links.tsx'
import {
  placeFields,
  placeHref,
  QR_FILTERS,
  QR_LAYOUTS,
  QR_SORTS,
  type QrFilter,
  type QrLayout,
  type QrPlace,
} from '#domain/dashboard.ts'
import { WHOSE } from '#domain/people/share.ts'

export const LAYOUT_LABELS: Record<QrLayout, string> = {
  'grid-small': 'Small grid',
  'grid-medium': 'Medium grid',
  'grid-large': 'Large grid',
  list: 'List',
}

/** The number of codes for each filter, in words; none in a search or a company. */
export type ShownCounts = { [filter in QrFilter | '']?: string }

type FindsProps = {
  place: QrPlace
  layout: QrLayout
  companies: Company[]
  counts: ShownCounts
  /** whether others share codes with the account */
  hasShared: boolean
}

/** Switches between all codes, own ones and shared ones. */
export function WhoseLinks({ place: { shared, page: _, ...place } }: { place: QrPlace }) {
  const hrefOf = (whose: object) => placeHref({ ...place, ...whose, page: 1 })
  const each = Object.entries(WHOSE).map(([id, label]) => ({
    id,
    label,
    href: hrefOf({ shared: id }),
  }))
  const layouts = [{ id: 'all', label: 'All', href: hrefOf({}) }, ...each]
  return <LayoutLinks label="Whose" layouts={layouts} current={shared ?? 'all'} />
}

/** The search of the list, and its view, which is behind a menu on a phone. */
export function QrFinds(props: FindsProps) {
  const { q, page: _, ...kept } = props.place
  return (
    <div className="finds">
      {props.hasShared && <WhoseLinks place={props.place} />}
      <SearchForm
        search={q}
        label="Search QR codes"
        fields={{ tab: 'my-qrs', ...placeFields({ ...kept, q: '', page: 1 }) }}
      />
      <div className="view wide">
        <View {...props} isNamed />
      </div>
      <details className="menu narrow">
        <summary className="btn">
          <Icon name="sliders" />
          {props.place.filter ? QR_FILTERS[props.place.filter] : 'View'}
        </summary>
        <div className="menu-list view">
          <View {...props} />
        </div>
      </details>
    </div>
  )
}

/** `isNamed`: each choice begins with its label, because none stands above it. */
function View({ place, layout, companies, counts, isNamed }: FindsProps & { isNamed?: boolean }) {
  const { q, company_fleet_name = '', filter = '', sort = '', shared } = place
  const shown = {
    '': withCount('All', counts['']),
    due: withCount(QR_FILTERS.due, counts.due),
    lost: withCount(QR_FILTERS.lost, counts.lost),
  }
  const layouts = QR_LAYOUTS.map((id) => ({
    id,
    label: LAYOUT_LABELS[id],
    icon: id,
    href: placeHref({ ...place, page: 1 }, { layout: id }),
  }))
  const named = { isNamed: isNamed ?? false }
  return (
    <>
      <form method="get" action="/dashboard">
        <HiddenFields fields={{ tab: 'my-qrs', ...(q && { q }), ...(shared && { shared }) }} />
        {(companies.length > 0 || company_fleet_name) && (
          <CompanySelect place={place} companies={companies} />
        )}
        <Choice name="filter" label="Show" value={filter} options={shown} {...named} />
        <Choice
          name="sort"
          label="Sort"
          value={sort}
          options={{ '': 'Newest', ...QR_SORTS }}
          {...named}
        />
        <ShowButton />
      </form>
      <LayoutLinks
        label={isNamed ? 'Layout' : 'Layout of the list'}
        layouts={layouts}
        current={layout}
      />
    </>
  )
}

function withCount(label: string, count?: string): string {
  return count === undefined ? label : `${label} (${count})`
}

type ChoiceProps = {
  name: string
  label: string
  value: string
  options: Record<string, string>
  isNamed: boolean
}

function Choice({ label, options, isNamed, ...choice }: ChoiceProps) {
  const listed = Object.entries(options).map(([id, text]) => ({
    id,
    label: isNamed ? `${label}: ${text}` : text,
  }))
  const select = <FilterSelect {...choice} label={label} options={listed} />
  if (isNamed) return select
  return (
    <div className="field">
      <span className="legend" aria-hidden="true">
        {label}
      </span>
      {select}
    </div>
  )
}
