import type { ReactNode } from 'react'
import { LAYOUT_LABELS } from '#components/dashboard/qr-finds.tsx'
import { type Company, CompanySelect } from '#components/fleets/company-select.tsx'
import { HiddenFields, SearchField, ShowButton } from '#components/forms/search-form.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { isTooLongForAddress } from '#domain/codes/qr-choice.ts'
import {
  FIRST_PLACE,
  pageSize,
  placeHref,
  QR_LAYOUTS,
  type QrLayout,
  type QrPlace,
  type SelectFor,
  selectHref,
} from '#domain/dashboard.ts'
import type { BulkAction } from '#domain/fleets/bulk.ts'
import { formatCount } from '#domain/number.ts'
import type { Right } from '#domain/people/roles.ts'

/** The acts on the selected codes. */
export type ChosenAct = BulkAction | 'labels' | 'zip'

const ACTS: Record<ChosenAct, { label: string; icon: IconName; right: Right }> = {
  activate: { label: 'Activate', icon: 'power', right: 'edit' },
  deactivate: { label: 'Deactivate', icon: 'block', right: 'edit' },
  labels: { label: 'Print labels', icon: 'print', right: 'edit' },
  zip: { label: 'ZIP', icon: 'download', right: 'download' },
  set_company_fleet_name: { label: 'Set fleet', icon: 'car', right: 'edit' },
  set_contact_mode: { label: 'Contact mode', icon: 'chat', right: 'edit' },
  delete: { label: 'Delete', icon: 'trash', right: 'own' },
}
const CHOSEN_ACTS = Object.keys(ACTS) as ChosenAct[]

type QrSelectProps = {
  purpose: SelectFor
  place: QrPlace
  layout: QrLayout
  companies: Company[]
  /** how many codes the list finds, on all its pages */
  total: number
  /** the codes that are ticked on other pages and in other searches */
  elsewhere: string[]
  /** how many are ticked on this page */
  here: number
  isAll: boolean
  /** those that the account has on any code of the list */
  rights: ReadonlySet<Right>
  setsFleet: boolean
  children: ReactNode
}

/**
 * The list of codes as a form: ticks stay over its pages, searches and layouts. They are in the
 * address, or in the body where they might be too many.
 */
export function QrSelect(props: QrSelectProps) {
  const { purpose, place, layout, companies, elsewhere, isAll, children } = props
  const isLong = isTooLongForAddress(elsewhere.length + pageSize(layout))
  return (
    <form
      className="selecting"
      method={isLong ? 'post' : 'get'}
      action={isLong ? selectHref(FIRST_PLACE, purpose) : '/dashboard'}
      data-script="selection"
    >
      <HiddenFields
        fields={{
          ...{ tab: 'my-qrs', select: purpose },
          ...(isAll && { all: '1' }),
          ...(place.shared && { shared: place.shared }),
        }}
      />
      {elsewhere.map((qrId) => (
        <input key={qrId} type="hidden" name="ids" value={qrId} />
      ))}
      <div className="toolbar">
        <SearchField search={place.q} label="Search QR codes" />
        <ShowButton />
        {companies.length > 0 && <CompanySelect place={place} companies={companies} />}
        <LayoutButtons current={layout} />
        <a className="btn" href={placeHref(place)}>
          <Icon name="close" />
          Cancel
        </a>
      </div>
      {children}
      <SelectionBar {...props} />
    </form>
  )
}

function LayoutButtons({ current }: { current: QrLayout }) {
  return (
    <fieldset className="segments">
      <legend className="vh">Layout</legend>
      {QR_LAYOUTS.map((id) => (
        <button
          key={id}
          type="submit"
          name="layout"
          value={id}
          title={LAYOUT_LABELS[id]}
          aria-pressed={id === current}
        >
          <span className="vh">{LAYOUT_LABELS[id]}</span>
          <Icon name={id} />
        </button>
      ))}
    </fieldset>
  )
}

function SelectionBar(props: QrSelectProps) {
  const { purpose, place, total, elsewhere, here, isAll, rights, setsFleet } = props
  const acts = CHOSEN_ACTS.filter(
    (act) => rights.has(ACTS[act].right) && (act !== 'set_company_fleet_name' || setsFleet),
  )
  const count = isAll ? total : elsewhere.length + here
  return (
    <section className="selbar" aria-label="Selected codes">
      <div className="wrap">
        <div className="row gap-2 nowrap">
          <b role="status" data-selected={isAll ? undefined : elsewhere.length}>
            {`${formatCount(count)} selected`}
          </b>
          {isAll ? (
            <a className="btn btn-quiet btn-sm" href={selectHref(place, purpose)}>
              Select one by one
            </a>
          ) : (
            <button className="btn btn-quiet btn-sm" type="submit" name="all" value="1">
              {`Select all ${formatCount(total)} found`}
            </button>
          )}
        </div>
        {purpose === 'labels' ? (
          <ActButton act="labels" className="btn btn-brand" />
        ) : (
          <div className="tools">
            {acts.map((act) => (
              <ActButton
                key={act}
                act={act}
                className={act === 'delete' ? 'tool tool-stop' : 'tool'}
              />
            ))}
          </div>
        )}
      </div>
    </section>
  )
}

function ActButton({ act, className }: { act: ChosenAct; className: string }) {
  const { label, icon } = ACTS[act]
  return (
    <button className={className} type="submit" name="chosen" value={act}>
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  )
}

/** The pages of the list, as buttons of its form. */
export function SelectPager({ page, pages }: { page: number; pages: number }) {
  if (pages === 1) return null
  return (
    <nav className="pager" aria-label="Pages">
      <PageButton label="Previous" to={page - 1} isOn={page > 1} />
      <span className="small soft">{`Page ${page} of ${pages}`}</span>
      <PageButton label="Next" to={page + 1} isOn={page < pages} />
    </nav>
  )
}

function PageButton({ label, to, isOn }: { label: string; to: number; isOn: boolean }) {
  return (
    <button className="btn btn-sm" type="submit" name="page" value={to} disabled={!isOn}>
      {label}
    </button>
  )
}
