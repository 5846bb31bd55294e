import { SearchForm } from '#components/forms/search-form.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { LayoutLinks } from '#components/ui/layout-links.tsx'
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
  const layouts = QR_LAYOUTS.map((id) => ({
    id,
    label: LAYOUT_LABELS[id],
    icon: id,
    href: placeHref({ q: place.q, page: 1 }, { layout: id }),
  }))
  return (
    <div className="toolbar">
      <SearchForm search={place.q} label="Search QR codes" fields={{ tab: 'my-qrs' }} />
      <LayoutLinks label="Layout" layouts={layouts} current={layout} />
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
