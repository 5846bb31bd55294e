import { type Company, CompanySelect } from '#components/fleets/company-select.tsx'
import { HiddenFields, SearchForm, ShowButton } from '#components/forms/search-form.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { LayoutLinks } from '#components/ui/layout-links.tsx'
import {
  dialogHref,
  placeFields,
  placeHref,
  QR_LAYOUTS,
  type QrDialog,
  type QrLayout,
  type QrPlace,
  selectHref,
} from '#domain/dashboard.ts'
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
  companies: Company[]
  hasCodes: boolean
}

/** Search, company, layouts and the three ways to make codes. */
export function QrToolbar(props: ToolbarProps) {
  const { place, layout, childQuota, ways, companies, hasCodes } = props
  const layouts = QR_LAYOUTS.map((id) => ({
    id,
    label: LAYOUT_LABELS[id],
    icon: id,
    href: placeHref({ ...place, page: 1 }, { layout: id }),
  }))
  return (
    <div className="toolbar">
      <SearchForm search={place.q} label="Search QR codes" fields={fieldsBeside('q', place)} />
      <CompanyForm place={place} companies={companies} />
      <LayoutLinks label="Layout" layouts={layouts} current={layout} />
      {hasCodes && (
        <a className="btn" href={selectHref(place)}>
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

/** What a form about a part of a place keeps of it. A search or a company begins at the first page. */
function fieldsBeside(name: 'q' | 'company_fleet_name', place: QrPlace): Record<string, string> {
  const { [name]: _, ...rest } = placeFields({ ...place, page: 1 })
  return { tab: 'my-qrs', ...rest }
}

function CompanyForm({ place, companies }: { place: QrPlace; companies: Company[] }) {
  if (companies.length === 0) return null
  return (
    <form className="row gap-2" method="get" action="/dashboard">
      <HiddenFields fields={fieldsBeside('company_fleet_name', place)} />
      <CompanySelect place={place} companies={companies} />
      <ShowButton />
    </form>
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
