import { DeleteLink } from '#components/forms/delete-dialog.tsx'
import { SwitchForm } from '#components/forms/switch-form.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Badge, LockedBadge, VisibilityBadge } from '#components/ui/badge.tsx'
import { Note } from '#components/ui/note.tsx'
import { type QrPlace, tabAction, tabHref } from '#domain/dashboard.ts'
import { PDF_PROBLEMS, type PdfProblem, SEEN_BY } from '#domain/papers/document.ts'
import type { DueState } from '#domain/papers/due.ts'

export type DocumentCardView = {
  id: string
  /** type and side, as a screen reader reads them */
  name: string
  /** the same with its code, where a control is heard by itself */
  about: string
  label: string
  /** side and file name */
  detail: string
  is_public: boolean
  is_own: boolean
  /** closed until a reset of the account's password is confirmed */
  is_locked: boolean
  /** not while a claimer holds the code */
  may_change: boolean
  /** when it ends, as it is shown; undefined for a type without an end */
  end: EndView | undefined
  pdf_problem: PdfProblem | null
  /** the date as it is shown */
  uploaded: string
  href: string
}

/** `state` is undefined where another date counts, or none. */
export type EndView = { text: string; state: DueState | undefined }

const END_TONES = { valid: 'go', due: 'warn', expired: 'stop' } as const

/** One document of a code. A document of another account can be viewed, not changed. */
export function DocumentCard({ view, place }: { view: DocumentCardView; place: QrPlace }) {
  const { id, name, about, label, detail, is_public, is_own, is_locked, may_change } = view
  const { end, pdf_problem, uploaded, href } = view
  return (
    <article className="card" aria-label={name}>
      <div className="row nowrap top">
        <span className="avatar">
          <Icon name="doc" />
        </span>
        <div className="stack gap-1">
          <h3 className="text-md" id={`document-${id}`} tabIndex={-1}>
            {label}
          </h3>
          <span className="small soft any-break">{detail}</span>
        </div>
      </div>
      {pdf_problem && <Note tone="warn">{PDF_PROBLEMS[pdf_problem]}</Note>}
      {end && <EndRow end={end} view={view} place={place} />}
      <div className="row">
        <VisibilityBadge isPublic={is_public} />
        <span className="small soft">{uploaded}</span>
        {is_locked ? (
          <LockedBadge />
        ) : (
          <a className="btn btn-sm push" href={href} target="_blank" rel="noopener">
            <Icon name="eye" />
            View
            <span className="vh">{` ${about}`}</span>
          </a>
        )}
      </div>
      {is_own && <p className="small soft">{SEEN_BY[is_public ? 'public' : 'private']}</p>}
      {may_change && <DocumentTools view={view} place={place} />}
      {!is_own && (
        <p className="small soft">Uploaded by the other person who holds this QR code.</p>
      )}
    </article>
  )
}

type EndRowProps = { end: EndView; view: DocumentCardView; place: QrPlace }

/** When it ends, and the way to another date. */
function EndRow({ end: { text, state }, view, place }: EndRowProps) {
  const { id, about, is_locked, may_change } = view
  return (
    <div className="row gap-2">
      {state ? (
        <Badge tone={END_TONES[state]} dot="full">
          {text}
        </Badge>
      ) : (
        <Badge>{text}</Badge>
      )}
      {may_change && !is_locked && (
        <a
          className="btn btn-sm push"
          href={tabHref('documents', place, { ends: id })}
          data-dialog="ends"
          data-gone="Document not found"
        >
          <Icon name="calendar" />
          {state === 'due' || state === 'expired' ? 'Renew' : 'Change date'}
          <span className="vh">{`: ${about}`}</span>
        </a>
      )}
    </div>
  )
}

function DocumentTools({ view, place }: { view: DocumentCardView; place: QrPlace }) {
  const { id, about, is_public, is_locked } = view
  return (
    <div className="row">
      {!is_locked && (
        <SwitchForm
          id={`public-${id}`}
          on={is_public}
          label="Public"
          about={about}
          field="is_public"
          action={tabAction('documents', `/${id}/visibility`, place)}
          data-failed="Failed to update document"
        />
      )}
      <DeleteLink
        href={tabHref('documents', place, { delete: id })}
        name={about}
        gone="Document not found"
      />
    </div>
  )
}
