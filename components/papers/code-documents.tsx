import type { ReactNode } from 'react'
import { Icon } from '#components/icons/icon.tsx'
import { CodeHeading, type CodeHeadingView } from '#components/papers/code-heading.tsx'
import {
  DocumentEntry,
  type DocumentEntryView,
  DueText,
  type EndView,
} from '#components/papers/document-entry.tsx'
import { FIRST_PLACE, type QrPlace, tabAction, tabHref } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'

export type CodeDocumentsView = {
  qr_id: string
  qr_id_text: string
  heading: CodeHeadingView
  /** the code's name, where a control is heard by itself */
  about: string
  may_upload: boolean
  /** how many documents the account may show here, and how many of them are public */
  own: { total: number; open: number }
  dues: EndView[]
  documents: DocumentEntryView[]
  /** how many more there are that a search leaves out */
  others: number
  views: AuthorityViewsView
}

/** A change of several documents of a code at once. */
export type ChangedCode = { qr_id: string; is_public: boolean; ids: string[] }

export type AuthorityViewsView = {
  total: number
  last: string
  recent: { at: string; text: string; what: string }[]
}

type Props = { view: CodeDocumentsView; place: QrPlace }

/** A code with its papers, their readers and their views. */
export function CodeDocuments({ view, place }: Props) {
  const { qr_id, about, documents, others, own } = view
  return (
    <section className="sheet papers" aria-label={about}>
      <div className="papers-head">
        <CodeName view={view} />
        {own.total > 0 && <Visibility view={view} place={place} />}
        <CodeActs view={view} place={place} />
      </div>
      {documents.map((document) => (
        <DocumentEntry key={document.id} view={document} place={place} />
      ))}
      {documents.length + others === 0 && <p className="paper soft">No documents yet.</p>}
      {others > 0 && (
        <p className="paper">
          <a href={tabHref('documents', { ...FIRST_PLACE, q: qr_id })}>
            {`Show ${formatCount(others)} more`}
            <span className="vh">{` of ${about}`}</span>
          </a>
        </p>
      )}
      <AuthorityViews views={view.views} />
    </section>
  )
}

function CodeName({ view }: Omit<Props, 'place'>) {
  const { qr_id, qr_id_text, heading, dues } = view
  return (
    <div className="who-is">
      <CodeHeading view={heading} id={`code-${qr_id}`} />
      {!heading.vehicle_registration && <code className="small">{qr_id_text}</code>}
      {dues.length > 0 && (
        <p className="facts-line">
          {dues.map((due, i) => (
            <span key={due.text}>
              {i > 0 && ' · '}
              <DueText {...due} />
            </span>
          ))}
        </p>
      )}
    </div>
  )
}

function CodeActs({ view: { qr_id, about, may_upload }, place }: Props) {
  return (
    <div className="row gap-2">
      <a className="btn btn-sm" href={`/police/${qr_id}`} target="_blank" rel="noopener">
        <Icon name="shield" />
        Police View
        <span className="vh">{` of ${about}`}</span>
      </a>
      {may_upload && (
        <a
          className="btn btn-sm"
          href={tabHref('documents', place, { upload: qr_id })}
          data-dialog="upload"
        >
          <Icon name="upload" />
          Upload
          <span className="vh">{` to ${about}`}</span>
        </a>
      )}
    </div>
  )
}

/** Shows how many documents are public, and the way to change all at once. */
function Visibility({ view, place }: Props) {
  const { qr_id, own } = view
  const about = <span className="vh">{`: ${view.about}`}</span>
  return (
    <div className="row">
      {own.open < own.total ? (
        <a
          className="toggle sees"
          id={`all-${qr_id}`}
          href={tabHref('documents', place, { publish: qr_id })}
          data-dialog="publish"
        >
          <i aria-hidden="true" />
          <span>
            <b>Show all</b>
            <small>{ownText(own)}</small>
            {about}
          </span>
        </a>
      ) : (
        <>
          <span className="small">{ownText(own)}</span>
          <VisibilityForm change={{ qr_id, is_public: false }} place={place}>
            <button className="btn btn-sm" id={`all-${qr_id}`} type="submit">
              <Icon name="lock" />
              Make {own.total === 1 ? 'it' : 'all'} private{about}
            </button>
          </VisibilityForm>
        </>
      )}
    </div>
  )
}

function ownText({ total, open }: CodeDocumentsView['own']): string {
  if (total === 1) return open ? 'It is public' : 'It is private'
  return open < total ? `Now ${open} of ${total} are public` : `All ${total} are public`
}

type UndoProps = { change: ChangedCode; place: QrPlace }

/** Takes a change of several documents back: each is again as it was. */
export function UndoVisibility({ change: { is_public, ...rest }, place }: UndoProps) {
  return (
    <VisibilityForm change={{ ...rest, is_public: !is_public }} place={place}>
      <input type="hidden" name="undo" value="on" />
      <button className="btn btn-sm" id={`undo-${rest.qr_id}`} type="submit">
        Undo
      </button>
    </VisibilityForm>
  )
}

type VisibilityFormProps = {
  change: Omit<ChangedCode, 'ids'> & { ids?: string[] }
  place: QrPlace
  children: ReactNode
}

function VisibilityForm({ change, place, children }: VisibilityFormProps) {
  const { qr_id, is_public, ids } = change
  const action = tabAction('documents', `/codes/${qr_id}/visibility`, place)
  return (
    <form method="post" data-enhance data-failed="Failed to update document" action={action}>
      <input type="hidden" name="is_public" value={String(is_public)} />
      {ids && <input type="hidden" name="among" value={ids.join(' ')} />}
      {children}
    </form>
  )
}

/** The views by authorities, if there are any. */
function AuthorityViews({ views }: { views: AuthorityViewsView }) {
  const { total, last, recent } = views
  if (recent.length === 0) return null
  const times = total === 1 ? 'once' : `${formatCount(total)} times`
  return (
    <details className="fold small">
      <summary>{`Police view opened ${times}, last on ${last}`}</summary>
      <ol className="stack gap-1" aria-label="Latest views">
        {recent.map(({ at, text, what }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two looks may share a millisecond
          <li key={i}>
            <time dateTime={at}>{text}</time>
            {` · ${what}`}
          </li>
        ))}
      </ol>
    </details>
  )
}
