import { SwitchForm } from '#components/forms/switch-form.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { LockedBadge } from '#components/ui/badge.tsx'
import { type QrPlace, tabAction, tabHref, upgradeHref } from '#domain/dashboard.ts'
import {
  type DocumentType,
  PDF_PROBLEMS,
  type PdfProblem,
  SEEN_BY,
} from '#domain/papers/document.ts'
import type { DueState } from '#domain/papers/due.ts'

export type DocumentEntryView = {
  id: string
  /** type and side, as a screen reader reads them */
  name: string
  /** the same with its code, where a control is heard by itself */
  about: string
  label: string
  type: DocumentType
  /** side, file name and date of the upload */
  detail: string
  is_public: boolean
  readers: keyof typeof SEEN_BY
  is_own: boolean
  /** closed until a reset of the account's password is confirmed */
  is_locked: boolean
  /** not while a claimer holds the code */
  may_change: boolean
  may_share: boolean
  /** when it ends; undefined for a type without an end, and without a date */
  end: EndView | undefined
  hasEnd: boolean
  pdf_problem: PdfProblem | null
  href: string
}

/** `state` is undefined where another date counts. */
export type EndView = { text: string; state: DueState | undefined }

const TYPE_ICONS: Partial<Record<DocumentType, IconName>> = {
  insurance: 'shield',
  puc: 'drop',
  license: 'card',
  owner_photo: 'user',
  vehicle_photo: 'car',
  id_proof: 'user',
}

/** Returns the picture of a type of document. */
export function typeIcon(type: DocumentType): IconName {
  return TYPE_ICONS[type] ?? 'doc'
}

type Props = { view: DocumentEntryView; place: QrPlace }

/** One document of a code: its facts, its readers and its acts. One of another account can only be viewed. */
export function DocumentEntry({ view, place }: Props) {
  const { id, name, about, label, type, detail, is_own, is_locked, may_change } = view
  const { end, pdf_problem, href } = view
  return (
    <article className="paper" aria-label={name}>
      <span className="avatar">
        <Icon name={typeIcon(type)} />
      </span>
      <div>
        <h3 className="text-md" id={`document-${id}`} tabIndex={-1}>
          {label}
        </h3>
        <p className="facts-line">
          {detail}
          {end && ' · '}
          {end && <DueText {...end} />}
        </p>
        {pdf_problem && <p className="facts-line soon">{PDF_PROBLEMS[pdf_problem]}</p>}
        {!is_own && (
          <p className="facts-line">Uploaded by the other person who holds this QR code.</p>
        )}
      </div>
      <div className="paper-acts">
        <SeenBy view={view} place={place} />
        <div className="row gap-2 nowrap">
          {is_locked ? (
            <LockedBadge />
          ) : (
            <a className="btn btn-sm" href={href} target="_blank" rel="noopener">
              View
              <span className="vh">{` ${about}`}</span>
            </a>
          )}
          {may_change && <MoreActs view={view} place={place} />}
        </div>
      </div>
    </article>
  )
}

const DUE_TONES = { expired: 'late', due: 'soon', valid: undefined } as const

/** When something ends, in colour only where that is near or past. */
export function DueText({ text, state }: EndView) {
  return <span className={state && DUE_TONES[state]}>{text}</span>
}

/** Names the readers of a document, in a switch if the account may change them. */
function SeenBy({ view, place }: Props) {
  const { id, about, is_public, readers, is_locked, may_change } = view
  const isSwitch = may_change && !is_locked
  const said = (
    <>
      <b aria-hidden={isSwitch}>{is_public ? 'Public' : 'Private'}</b>
      <small>{SEEN_BY[readers]}</small>
    </>
  )
  if (!isSwitch) return <p className="sees">{said}</p>
  return (
    <SwitchForm
      id={`public-${id}`}
      on={is_public}
      label="Public"
      about={about}
      field="is_public"
      action={tabAction('documents', `/${id}/visibility`, place)}
      data-failed="Failed to update document"
    >
      {said}
    </SwitchForm>
  )
}

function MoreActs({ view, place }: Props) {
  const { id, about, hasEnd, is_locked, may_share } = view
  return (
    <details className="menu" name="document-menu">
      <summary className="btn btn-sm btn-icon btn-quiet" aria-label={`More for ${about}`}>
        <Icon name="more" />
      </summary>
      <div className="menu-list">
        {hasEnd && !is_locked && (
          <Act dialog="ends" icon="calendar" label="Change date" {...{ place, id }} />
        )}
        {!is_locked && (
          <Act dialog="replace" icon="upload" label="Replace file" {...{ place, id }} />
        )}
        {!is_locked && may_share && (
          <Act dialog="ways" icon="share" label="Share" {...{ place, id }} />
        )}
        {!is_locked && !may_share && (
          <a className="btn btn-quiet btn-sm" href={upgradeHref()} data-dialog="upgrade">
            <Icon name="crown" />
            Share with Premium
          </a>
        )}
        <Act dialog="delete" icon="trash" label="Delete" isLast {...{ place, id }} />
      </div>
    </details>
  )
}

type ActProps = {
  dialog: 'ends' | 'replace' | 'ways' | 'delete'
  icon: IconName
  label: string
  place: QrPlace
  id: string
  /** deletes for good */
  isLast?: boolean
}

function Act({ dialog, icon, label, place, id, isLast = false }: ActProps) {
  return (
    <a
      className={`btn btn-quiet btn-sm${isLast ? ' btn-red' : ''}`}
      href={tabHref('documents', place, { [dialog]: id })}
      data-dialog={dialog}
      data-gone="Document not found"
    >
      <Icon name={icon} />
      {label}
    </a>
  )
}
