import type { ReactNode } from 'react'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { PlanOver, PlanWords, type PlanWordsView } from '#components/plans/plan-words.tsx'
import { dialogHref, type QrPlace, selectHref } from '#domain/dashboard.ts'
import type { QrDialog } from '#domain/dialogs.ts'
import type { Right } from '#domain/people/roles.ts'
import type { CreationWays } from '#domain/plans/plan.ts'

/** `makesChildCodes`: whether any child codes may still be made. */
export type MakingProps = { place: QrPlace; ways: CreationWays; makesChildCodes: boolean }

type QrLeadProps = MakingProps & {
  plan: PlanWordsView
  /** whether there is a list to import into and to select from, and not only one code */
  isList: boolean
  /** those that the account has on any code of the list */
  rights: ReadonlySet<Right>
  children: ReactNode
}

/** Title, plan, and the ways to make codes: one main act, and the others behind a menu. */
export function QrLead({ plan, isList, rights, children, ...making }: QrLeadProps) {
  const { place, ways } = making
  const { ended } = plan
  return (
    <>
      <div className="lead-top">
        <div>
          <h1 tabIndex={-1}>{children}</h1>
          {!ended && <PlanWords view={plan} />}
        </div>
        <div className="lead-acts">
          {ways.create && <CreateLink place={place} className={ended ? 'btn' : 'btn btn-main'} />}
          {isList && <MakeLinks {...making} className="btn wide" />}
          <MoreWays {...making} isList={isList} rights={rights} />
        </div>
      </div>
      {ended && <PlanOver ended={ended} />}
    </>
  )
}

/** The main act of My QR Codes. */
export function CreateLink({ place, className }: { place: QrPlace; className: string }) {
  return (
    <DialogLink
      dialog="create"
      place={place}
      icon="plus"
      label="Create QR Code"
      className={className}
    />
  )
}

const ITEM = 'btn btn-quiet btn-sm'

type MoreWaysProps = MakingProps & Partial<Pick<QrLeadProps, 'isList' | 'rights'>>

/** The menu of rarer acts. Child QRs and Bulk Create stand beside it where there is a list and room. */
export function MoreWays({ isList = false, rights, ...making }: MoreWaysProps) {
  const { place, ways } = making
  if (!isList && !ways.child && !ways.bulk) return null
  return (
    <details className="menu">
      <summary className="btn btn-icon" aria-label="More">
        <Icon name="more" />
      </summary>
      <div className="menu-list">
        <MakeLinks {...making} className={isList ? `${ITEM} narrow` : ITEM} />
        {isList && ways.bulk && (
          <DialogLink dialog="import" place={place} icon="table" label="Import" className={ITEM} />
        )}
        {isList && rights?.has('edit') && (
          <a className={ITEM} href={selectHref(place, 'labels')}>
            <Icon name="print" />
            Print labels
          </a>
        )}
        {isList && rights?.has('download') && (
          <a className={ITEM} href={selectHref(place)}>
            <Icon name="select" />
            Select
          </a>
        )}
      </div>
    </details>
  )
}

function MakeLinks(props: MakingProps & { className: string }) {
  const { place, ways, makesChildCodes, className } = props
  const look = { place, className }
  return (
    <>
      {ways.child && makesChildCodes && (
        <DialogLink dialog="child" icon="users" label="Child QRs" {...look} />
      )}
      {ways.child && !makesChildCodes && (
        <button className={className} type="button" disabled>
          <Icon name="users" />
          Child QRs
        </button>
      )}
      {ways.bulk && <DialogLink dialog="bulk" icon="grid-medium" label="Bulk Create" {...look} />}
    </>
  )
}

type DialogLinkProps = {
  dialog: QrDialog
  place: QrPlace
  icon: IconName
  label: string
  className: string
}

function DialogLink({ dialog, place, icon, label, className }: DialogLinkProps) {
  return (
    <a className={className} href={dialogHref(dialog, place)} data-dialog={dialog}>
      <Icon name={icon} />
      {label}
    </a>
  )
}
