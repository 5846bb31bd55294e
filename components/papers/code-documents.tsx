import type { ReactNode } from 'react'
import { Plate } from '#components/codes/plate.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { DocumentCard, type DocumentCardView } from '#components/papers/document-card.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { type QrPlace, tabAction, tabHref } from '#domain/dashboard.ts'
import { formatCount } from '#domain/number.ts'
import type { DueState } from '#domain/papers/due.ts'

export type CodeDocumentsView = {
  qr_id: string
  qr_id_text: string
  name: string
  vehicle_registration: string | null
  may_upload: boolean
  /** how many documents the account may show here, and how many of them are public */
  own: { total: number; open: number }
  /** the change of several at once that was just made */
  changed?: VisibilityChange | undefined
  dues: { text: string; state: DueState }[]
  documents: DocumentCardView[]
  views: AuthorityViewsView
}

export type VisibilityChange = { is_public: boolean; ids: string[] }

export type AuthorityViewsView = {
  total: number
  last: string
  recent: { at: string; text: string; what: string }[]
}

/** A code with its papers, their visibility and their views. */
export function CodeDocuments({ view, place }: { view: CodeDocumentsView; place: QrPlace }) {
  const { qr_id, documents } = view
  return (
    <section className="stack gap-3" aria-labelledby={`code-${qr_id} id-${qr_id}`}>
      <CodeHead view={view} />
      <CodeStanding view={view} place={place} />
      {documents.length > 0 ? (
        <div className="cards cards-20">
          {documents.map((document) => (
            <DocumentCard key={document.id} view={document} place={place} />
          ))}
        </div>
      ) : (
        <p className="sheet soft">No documents yet.</p>
      )}
      <AuthorityViews views={view.views} />
    </section>
  )
}

type Props = { view: CodeDocumentsView; place: QrPlace }

function CodeHead({ view }: Omit<Props, 'place'>) {
  const { qr_id, qr_id_text, name, vehicle_registration } = view
  return (
    <div className="head">
      <div className="stack gap-1 to-start">
        {vehicle_registration && <Plate registration={vehicle_registration} />}
        <h2 className="text-lg" id={`code-${qr_id}`} tabIndex={-1}>
          {name}
        </h2>
        <code id={`id-${qr_id}`}>{qr_id_text}</code>
      </div>
      <a className="btn btn-sm" href={`/police/${qr_id}`} target="_blank" rel="noopener">
        <Icon name="shield" />
        Police View
        <span className="vh">{` of ${name}, ${qr_id_text}`}</span>
      </a>
    </div>
  )
}

const DUE_TONES = { expired: 'stop', due: 'warn', valid: undefined } as const

function CodeStanding({ view, place }: Props) {
  const { qr_id, qr_id_text, name, own, dues, may_upload } = view
  return (
    <div className="row">
      {own.total > 0 && <Visibility view={view} place={place} />}
      {dues.map(({ text, state }) => (
        <Badge key={text} tone={DUE_TONES[state]}>
          {text}
        </Badge>
      ))}
      {may_upload && (
        <a
          className="btn btn-sm push"
          href={tabHref('documents', place, { upload: qr_id })}
          data-dialog="upload"
        >
          <Icon name="upload" />
          Upload
          <span className="vh">{` to ${name}, ${qr_id_text}`}</span>
        </a>
      )}
    </div>
  )
}

/** Shows how many documents are public, and the way to change all at once, or to take that back. */
function Visibility({ view, place }: Props) {
  const { qr_id, qr_id_text, name, own, changed } = view
  const about = <span className="vh">{`: ${name}, ${qr_id_text}`}</span>
  const action = tabAction('documents', `/codes/${qr_id}/visibility`, place)
  return (
    <>
      <span className="small">{ownText(own)}</span>
      {own.open < own.total ? (
        <a
          className="btn btn-sm"
          id={`all-${qr_id}`}
          href={tabHref('documents', place, { publish: qr_id })}
          data-dialog="publish"
        >
          <Icon name="eye" />
          Show all{about}
        </a>
      ) : (
        <VisibilityForm action={action} change={{ is_public: false }}>
          <button className="btn btn-sm" id={`all-${qr_id}`} type="submit">
            <Icon name="lock" />
            Make {own.total === 1 ? 'it' : 'all'} private{about}
          </button>
        </VisibilityForm>
      )}
      {changed && (
        <VisibilityForm action={action} change={{ ...changed, is_public: !changed.is_public }}>
          <input type="hidden" name="undo" value="on" />
          <button className="btn btn-sm" id={`undo-${qr_id}`} type="submit">
            <Icon name="reset" />
            Undo{about}
          </button>
        </VisibilityForm>
      )}
    </>
  )
}

function ownText({ total, open }: CodeDocumentsView['own']): string {
  if (total === 1) return open ? 'The one document is public' : 'The one document is private'
  return open < total ? `${open} of ${total} are public` : `All ${total} are public`
}

type VisibilityFormProps = {
  action: string
  change: { is_public: boolean; ids?: string[] }
  children: ReactNode
}

function VisibilityForm({ action, change: { is_public, ids }, children }: VisibilityFormProps) {
  return (
    <form method="post" data-enhance data-failed="Failed to update document" action={action}>
      <input type="hidden" name="is_public" value={String(is_public)} />
      {ids && <input type="hidden" name="among" value={ids.join(' ')} />}
      {children}
    </form>
  )
}

function AuthorityViews({ views }: { views: AuthorityViewsView }) {
  const { total, last, recent } = views
  if (recent.length === 0) {
    return <p className="small">Nobody has opened the police view of this code yet.</p>
  }
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
