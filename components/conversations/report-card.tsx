import { Plate } from '#components/codes/plate.tsx'
import { DialogLink } from '#components/conversations/report-forms.tsx'
import { Shot, type ShotView } from '#components/conversations/report-shot.tsx'
import { Badge } from '#components/ui/badge.tsx'
import {
  isGrave,
  REPORT_REASON_WORDS,
  type whyOthersDecide,
} from '#domain/conversations/moderation.ts'
import type { ReportAct, ReportKind, ReportReason } from '#domain/conversations/report.ts'
import type { ReportsPlace } from '#domain/conversations/report-places.ts'
import { englishText } from '#locales/refusal.ts'

export type ReportCardView = {
  id: string
  kind: ReportKind
  reason: ReportReason
  /** in groups of four */
  qr_id: string
  vehicle_registration: string | null
  /** what the finder saw of the owner's name */
  name: string | null
  /** what the reporter wrote */
  text: string | null
  created_at: string
  /** the time as it is shown */
  created: string
  shot: ShotView
  /** what became of the code since */
  state: string | null
  /** the acts that the reader may do about it */
  actions: ReportAct[]
  /** the reason why the reader may not decide it */
  others: ReturnType<typeof whyOthersDecide>
  /** the decision, its author and time; null while the report is open */
  decision: string | null
  /** mailed to the reporter, with its time as it is shown; null before that */
  answer: { text: string; sent: string } | null
}

const REPORTERS: Record<ReportKind, string> = {
  page: 'A page, reported by a finder',
  conversation: 'A conversation, reported by the owner',
}

/** A report, with the possible decisions or the one that was made. */
export function ReportCard({ view, place }: { view: ReportCardView; place: ReportsPlace }) {
  const { id, kind, reason, qr_id, text, created_at, created, shot, state, decision, answer } = view
  const word = REPORT_REASON_WORDS[reason]
  const tone = isGrave(reason) ? 'stop' : 'warn'
  return (
    <article className="card" aria-label={`${word}, ${qr_id}`} id={`report-${id}`} tabIndex={-1}>
      <div className="row gap-2">
        <Badge tone={tone} dot="full">
          {word}
        </Badge>
        <time className="small soft push" dateTime={created_at}>
          {created}
        </time>
      </div>
      <p className="small soft">{REPORTERS[kind]}</p>
      <div className="row gap-2">
        <ReportedCode view={view} />
        <code>{qr_id}</code>
      </div>
      {text && <Stranger>{text}</Stranger>}
      <Shot view={shot} />
      {reason === 'threat' && !decision && (
        <p className="note note-stop">
          <span>
            Is somebody in danger? Call <a href="tel:112">112</a>. The police need the words, their
            time and the id of the code: keep the report until they have them.
          </span>
        </p>
      )}
      {state && <p className="small soft">{state}</p>}
      {answer && (
        <p className="small">
          {`Answered by mail, ${answer.sent}: `}
          <span className="soft">{answer.text}</span>
        </p>
      )}
      {decision ? <p className="small">{decision}</p> : <Acts view={view} place={place} />}
    </article>
  )
}

function ReportedCode({ view }: { view: ReportCardView }) {
  const { vehicle_registration, name } = view
  if (vehicle_registration) return <Plate registration={vehicle_registration} />
  return name && <b>{name}</b>
}

/** A stranger's text, unchanged. */
function Stranger({ children }: { children: string }) {
  return (
    <p className="reported" lang="" dir="auto">
      {children}
    </p>
  )
}

const IN_ORDER = [
  'hide_popup_image',
  'deactivate_code',
  'hold_code',
  'block_account',
  'block_sender',
  'answer',
  'dismiss',
] as const

function Acts({ view, place }: { view: ReportCardView; place: ReportsPlace }) {
  const { id, qr_id, actions, others } = view
  if (others) return <p className="small soft">{englishText(`forbidden.${others}`)}</p>
  return (
    <div className="row gap-2">
      {IN_ORDER.filter((action) => actions.includes(action)).map((action) => (
        <DialogLink key={action} {...{ id, qr_id, place, action }} />
      ))}
    </div>
  )
}
