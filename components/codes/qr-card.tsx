import { Plate } from '#components/codes/plate.tsx'
import { QrCardTools } from '#components/codes/qr-card-tools.tsx'
import type { QrCardView } from '#components/codes/qr-card-view.ts'
import { QrFrameLink } from '#components/codes/qr-frame.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { accessibleName, titleOf } from '#domain/codes/code-title.ts'
import { dialogHref, FIRST_PLACE, formAction, type QrPlace, tabHref } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'

type QrCardProps = { view: QrCardView; place: QrPlace; choice?: Choice | undefined }

/**
 * One code of the owner. The list around it says the layout: data-layout on .codes-grid. With a choice it
 * has a tick in place of its tools.
 */
export function QrCard({ view, place, choice }: QrCardProps) {
  const about = accessibleName(view)
  return (
    <article className={view.is_active ? 'card code' : 'card code code-off'} aria-label={about}>
      {choice && <CardTick view={view} about={about} {...choice} />}
      <QrFrameLink
        src={view.image}
        caption={view.qr_id_text}
        href={dialogHref('show', place, view.qr_id)}
      />
      <CardTop view={view} place={choice ? undefined : place} about={about} />
      <CardLines view={view} about={about} />
      {view.is_claimed_away && <ClaimedAway view={view} place={place} about={about} />}
      {view.transfer && !choice && (
        <UnderWay {...view.transfer} qr_id={view.qr_id} place={place} about={about} />
      )}
      {!choice && <QrCardTools view={view} place={place} about={about} />}
    </article>
  )
}

/** Whether the card is ticked; with all that the list finds, one by one cannot be. */
type Choice = { isTicked: boolean; isAll: boolean; right: 'download' | 'print' }
type OfCard = { view: QrCardView; about: string }

/** Only the claimer of a code that was claimed away can change it, and a role can do some acts alone. */
function CardTick({ view, about, isTicked, isAll, right }: OfCard & Choice) {
  const { qr_id, may, is_claimed_away } = view
  if (is_claimed_away || !may[right]) return null
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

/** `place` is missing during a selection, whose cards lead nowhere. */
type CardTopProps = { view: QrCardView; place: QrPlace | undefined; about: string }

/** The title of the code, and its states: in words, and in colour where they ask for an act. */
function CardTop({ view, place, about }: CardTopProps) {
  const { vehicle_make_model: model, vehicle_registration: plate } = view
  const second = secondLine(view)
  const photo = place && view.photo
  return (
    <div className="code-top">
      <h2 id={`qr-${view.qr_id}`} tabIndex={-1}>
        {plate && !model ? (
          <Plate registration={plate} />
        ) : (
          <bdi translate="no">{titleOf(view)}</bdi>
        )}
      </h2>
      {photo && (
        <img className="code-photo" src={photo} alt="" width={40} height={40} loading="lazy" />
      )}
      {second && <p className="small soft">{second}</p>}
      {plate && model && <Plate registration={plate} />}
      <States view={view} place={place} about={about} />
      <Badges view={view} place={place} about={about} />
    </div>
  )
}

/** The owner and the company under the vehicle, or that there is no vehicle. */
function secondLine(view: QrCardView) {
  const { owner_name, company_fleet_name, vehicle_make_model, vehicle_registration } = view
  const hasVehicle = vehicle_make_model || vehicle_registration
  const names = [hasVehicle && owner_name, company_fleet_name].filter(Boolean).join(' · ')
  if (names) return <bdi translate="no">{names}</bdi>
  return owner_name && !hasVehicle ? 'No vehicle' : undefined
}

/** The state of the number leads to the form where it is chosen. */
function States({ view, place, about }: CardTopProps) {
  const { is_active, number, may, qr_id } = view
  if (!is_active && !number) return null
  const face = (
    <>
      <Icon name={number === 'shown' ? 'phone' : 'hide'} />
      {`Number ${number}`}
    </>
  )
  return (
    <p className="states">
      {is_active && <span className="on">Active</span>}
      {number && place && may.edit && (
        <a
          href={dialogHref('edit', place, qr_id)}
          aria-label={`Number ${number}: ${about}`}
          data-dialog="edit"
        >
          {face}
        </a>
      )}
      {number && !(place && may.edit) && <span>{face}</span>}
    </p>
  )
}

function Badges({ view, place, about }: CardTopProps) {
  const { lost_since, due, transfer, replaces, shared_by } = view
  const state = waiting(view)
  const isPlain = view.is_active && view.qr_type !== 'child' && !state && !view.needs_activation
  if (isPlain && !lost_since && !due && !transfer && !shared_by && replaces.length === 0) {
    return null
  }
  return (
    <span className="badges">
      {shared_by && (
        <Badge tone="whose" long>
          <Icon name="users" />
          <bdi translate="no">{shared_by}</bdi>
        </Badge>
      )}
      {!view.is_active && <Badge dot="hollow">Inactive</Badge>}
      {view.qr_type === 'child' && <Badge>Child</Badge>}
      {lost_since && <LostBadge view={view} place={place} about={about} />}
      {due && (
        <Badge tone={due.isOver ? 'stop' : 'warn'} dot="full" long>
          {due.text}
        </Badge>
      )}
      {transfer && (
        <Badge tone="warn" long>
          <Icon name="swap" />
          Transfer under way
        </Badge>
      )}
      {state && <Badge>{state}</Badge>}
      {view.needs_activation && <Badge long>Activation code</Badge>}
      {replaces.length > 0 && <Badge long>{replacesText(replaces)}</Badge>}
    </span>
  )
}

/** Leads to the question whether it was found. */
function LostBadge({ view: { qr_id, lost_since, may }, place, about }: CardTopProps) {
  const badge = (
    <Badge tone="lost" long>
      <Icon name="lost" />
      {`Lost since ${lost_since}`}
    </Badge>
  )
  if (!place || may.lost !== 'end') return badge
  return (
    <a
      href={dialogHref('lost', place, qr_id)}
      aria-label={`Lost since ${lost_since}: ${about}`}
      data-dialog="lost"
    >
      {badge}
    </a>
  )
}

function waiting(view: QrCardView): string | undefined {
  if (view.qr_type === 'child') return view.is_child_registered ? undefined : 'Unregistered'
  return view.is_claimed ? undefined : 'Unclaimed'
}

/** The last id before this one; Analytics has them all. */
function replacesText([last, ...earlier]: string[]): string {
  return `Replaces ${last}${earlier.length > 0 ? ` and ${earlier.length} more` : ''}`
}

/** The contacts of the owner, and the doors to the documents and scans of the code. */
function CardLines({ view, about }: OfCard) {
  const { contact_phone, email, emergency_contact_name, child_name, created } = view
  const { number, shared_by } = view
  return (
    <div className="code-lines">
      {(contact_phone || email) && (
        <span>
          {contact_phone && (
            <b dir="ltr" className="num">
              {contact_phone}
            </b>
          )}
          {contact_phone && number === 'hidden' && !shared_by && ' · Only you see it'}
          {contact_phone && email && ' · '}
          {email && <Address email={email} />}
        </span>
      )}
      {emergency_contact_name && <Person label="Emergency" name={emergency_contact_name} />}
      {child_name && <Person label="Registered by" name={child_name} />}
      <span className="doors">
        <Doors view={view} about={about} />
        <span className="date">
          <span className="vh">Created </span>
          {created}
        </span>
      </span>
    </div>
  )
}

/** An address, which a narrow card breaks after its sign first. */
function Address({ email }: { email: string }) {
  const at = email.indexOf('@') + 1
  return (
    <bdi translate="no">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </bdi>
  )
}

function Person({ label, name }: { label: string; name: string }) {
  return (
    <span>
      {`${label}: `}
      <bdi translate="no">{name}</bdi>
    </span>
  )
}

function Doors({ view, about }: OfCard) {
  const { qr_id, document_count, scan_count, has_analytics } = view
  const place = { ...FIRST_PLACE, q: qr_id }
  return (
    <>
      <Door
        icon="doc"
        count={document_count}
        noun="document"
        about={about}
        href={tabHref('documents', place)}
      />
      <Door
        icon="eye"
        count={scan_count}
        noun="scan"
        about={about}
        href={has_analytics ? tabHref('analytics', place) : undefined}
      />
    </>
  )
}

type DoorProps = {
  icon: IconName
  count: number
  noun: string
  about: string
  href: string | undefined
}

function Door({ icon, count, noun, about, href }: DoorProps) {
  const [number, word] = [formatCount(count), count === 1 ? noun : `${noun}s`]
  const inside = (
    <>
      <Icon name={icon} />
      <span>
        {number}
        <span className="word">{` ${word}`}</span>
      </span>
    </>
  )
  if (!href) return <span className="door">{inside}</span>
  return (
    <a href={href} aria-label={`${number} ${word}: ${about}`}>
      {inside}
    </a>
  )
}

type ClaimedAwayProps = { view: QrCardView; place: QrPlace; about: string }

/** Why there is no Edit, who can change it, and the way back. */
function ClaimedAway({ view, place, about }: ClaimedAwayProps) {
  const { qr_id, undo_until } = view
  return (
    <>
      <p className="small soft">
        Claimed by somebody without an account. Only they can change it, once they have one.
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
      <p className="small soft">{`${email} can accept it until ${until}. Nothing changes before.`}</p>
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
