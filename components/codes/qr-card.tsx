import { Plate } from '#components/codes/plate.tsx'
import { QrCardTools } from '#components/codes/qr-card-tools.tsx'
import type { QrCardView } from '#components/codes/qr-card-view.ts'
import { QrFrameLink } from '#components/codes/qr-frame.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { ActiveBadge, Badge } from '#components/ui/badge.tsx'
import { type Fact, Facts } from '#components/ui/facts.tsx'
import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { dialogHref, formAction, type QrPlace } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'

type QrCardProps = { view: QrCardView; place: QrPlace; choice?: Choice | undefined }

/**
 * One code of the owner. The list around it says the layout: data-layout on .qr-grid. With a choice it
 * has a tick in place of its tools.
 */
export function QrCard({ view, place, choice }: QrCardProps) {
  const name = nameOf(view)
  const about = accessibleName(view)
  return (
    <article className="card qr-card" aria-label={`${name}, ${view.qr_id_text}`}>
      {choice && <CardTick view={view} about={about} {...choice} />}
      <QrFrameLink
        src={view.image}
        caption={view.qr_id_text}
        href={dialogHref('show', place, view.qr_id)}
      />
      <div className="qr-info">
        <h2 id={`qr-${view.qr_id}`} tabIndex={-1}>
          {name}
        </h2>
        <code className="qr-id">{view.qr_id_text}</code>
        <span className="badges">
          <ActiveBadge active={view.is_active} />
          {view.qr_type === 'child' && <Badge>Child</Badge>}
          {view.lost_since && (
            <Badge tone="lost" long>
              <Icon name="lost" />
              {`Lost since ${view.lost_since}`}
            </Badge>
          )}
          {view.due && (
            <Badge tone={view.due.isOver ? 'stop' : 'warn'} dot="full" long>
              {view.due.text}
            </Badge>
          )}
          {view.transfer && (
            <Badge tone="warn" long>
              <Icon name="swap" />
              Transfer under way
            </Badge>
          )}
          {waiting(view) && <Badge tone="warn">{waiting(view)}</Badge>}
          {view.needs_activation && <Badge long>Activation code</Badge>}
          {view.replaces.length > 0 && <Badge long>{replacesText(view.replaces)}</Badge>}
        </span>
        {view.vehicle_registration && <Plate registration={view.vehicle_registration} />}
      </div>
      <Facts facts={factsOf(view)} />
      {view.is_claimed_away && <ClaimedAway view={view} place={place} about={about} />}
      {view.transfer && !choice && (
        <UnderWay {...view.transfer} qr_id={view.qr_id} place={place} about={about} />
      )}
      <p className="qr-counts">
        <span>
          <Icon name="doc" />
          <b>{formatCount(view.document_count)}</b>{' '}
          {view.document_count === 1 ? 'document' : 'documents'}
        </span>
        <span>
          <Icon name="eye" />
          <b>{formatCount(view.scan_count)}</b> {view.scan_count === 1 ? 'scan' : 'scans'}
        </span>
      </p>
      {!choice && <QrCardTools view={view} place={place} about={about} />}
    </article>
  )
}

/** Whether the card is ticked; with all that the list finds, one by one cannot be. */
type Choice = { isTicked: boolean; isAll: boolean }

/** Only the claimer of a code that was claimed away can change it. */
function CardTick({ view, about, isTicked, isAll }: { view: QrCardView; about: string } & Choice) {
  const { qr_id, may } = view
  if (!may.switch) return null
  return (
    <label className="choose">
      <span className="vh">{`Select ${about}`}</span>
      <input
        type="checkbox"
        id={`choose-${qr_id}`}
        name="ids"
        value={qr_id}
        defaultChecked={isTicked || isAll}
        disabled={isAll}
        data-draft
      />
    </label>
  )
}

type ClaimedAwayProps = { view: QrCardView; place: QrPlace; about: string }

/** Why there is no Edit, who can change it, and the way back. */
function ClaimedAway({ view, place, about }: ClaimedAwayProps) {
  const { qr_id, undo_until } = view
  return (
    <>
      <p className="small soft">
        Claimed by somebody who has no account yet. Only they can change it, once they have one.
        {undo_until && ` You can undo the claim until ${undo_until}.`}
      </p>
      {undo_until && (
        <a
          className="btn btn-sm"
          href={dialogHref('undo-claim', place, qr_id)}
          data-dialog="undo-claim"
        >
          Undo claim<span className="vh">{`: ${about}`}</span>
        </a>
      )}
    </>
  )
}

type UnderWayProps = NonNullable<QrCardView['transfer']> & {
  qr_id: string
  place: QrPlace
  about: string
}

/** The recipient of a transfer, and the way to cancel it. */
function UnderWay({ email, until, qr_id, place, about }: UnderWayProps) {
  return (
    <>
      <p className="small soft">{`${email} can accept it until ${until}. Until then it stays as it is.`}</p>
      <form
        method="post"
        action={formAction(`/${qr_id}/transfer/cancel`, place)}
        data-enhance
        data-failed="Failed to cancel the transfer"
      >
        <button className="btn btn-sm" type="submit">
          Cancel transfer<span className="vh">{`: ${about}`}</span>
        </button>
      </form>
    </>
  )
}

/** Returns the name of a code: its owner's, or its kind while it is unclaimed. */
export function nameOf(view: Pick<QrCardView, 'owner_name' | 'qr_type'>): string {
  if (view.owner_name) return view.owner_name
  return view.qr_type === 'child' ? 'Child QR code' : 'QR code'
}

function waiting(view: QrCardView): string | undefined {
  if (view.qr_type === 'child') return view.is_child_registered ? undefined : 'Unregistered'
  return view.is_claimed ? undefined : 'Unclaimed'
}

/** The last id before this one; Analytics has them all. */
function replacesText([last, ...earlier]: string[]): string {
  return `Replaces ${last}${earlier.length > 0 ? ` and ${earlier.length} more` : ''}`
}

function factsOf(view: QrCardView): Fact[] {
  const facts = [
    { label: 'Mobile', name: 'mobile', value: view.contact_phone, ltr: true },
    { label: 'Email', name: 'email', value: view.email },
    { label: 'Emergency', name: 'emergency', value: view.emergency_contact_name },
    { label: 'Registered by', name: 'child', value: view.child_name },
    { label: 'Created', name: 'created', value: view.created },
  ]
  return facts.filter(({ value }) => value)
}

type Told = Pick<QrCardView, 'qr_id' | 'owner_name' | 'qr_type' | 'vehicle_registration'>

/** Returns a name that tells a code from the others for screen readers. */
export function accessibleName(view: Told): string {
  const { qr_id, vehicle_registration } = view
  const sign = vehicle_registration ? formatPlate(vehicle_registration) : formatQrId(qr_id)
  return `${nameOf(view)}, ${sign}`
}
