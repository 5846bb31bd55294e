import { shownIn, toReportView } from '#actions/conversations/reports.ts'
import type { ActionDeps } from '#actions/deps.ts'
import type { ReportCardView } from '#components/conversations/report-card.tsx'
import type { ShotView } from '#components/conversations/report-shot.tsx'
import type { ListedReport } from '#db/conversations/moderated-reports.ts'
import { deciderOf, toReported } from '#db/conversations/report-decisions.ts'
import type { Account } from '#db/schema.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
import { isAdmin } from '#domain/accounts/roles.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import type { MessageReason } from '#domain/conversations/conversation.ts'
import {
  CODE_STATES,
  DECISION_TEXTS,
  possibleActions,
  whyOthersDecide,
} from '#domain/conversations/moderation.ts'
import { ownersReasonText } from '#domain/conversations/reason-text.ts'
import { formatDateTime } from '#domain/time.ts'
import { en } from '#locales/catalogue.ts'

/** Describes a report for its card, as this account may see it. */
export function toReportCard(
  report: ListedReport,
  account: Account,
  { config: { timezone }, outbox }: Pick<ActionDeps, 'config' | 'outbox'>,
): ReportCardView {
  const { id, kind, reason, text, created_at } = report
  const now = toReported(report)
  const decider = deciderOf(account)
  const { owner_name: name, vehicle_registration } = shownIn(report)
  const actions = possibleActions(now, decider).filter((act) => act !== 'answer' || outbox.isOpen)
  return {
    id,
    kind,
    reason,
    text,
    qr_id: formatQrId(report.qr_id),
    vehicle_registration,
    name,
    created_at,
    created: formatDateTime(created_at, timezone),
    shot: toShot(report, timezone),
    state: toState(report, account),
    actions,
    others: whyOthersDecide(now, decider),
    decision: toDecision(report, timezone),
    answer: toAnswer(report, timezone),
  }
}

/** Describes the present state of the code. Admins see its account too, to block it on another tab. */
function toState(report: ListedReport, { role }: Account): string | null {
  const { kind, code, is_code_active, account_name, account_email, account_mobile } = report
  const state = CODE_STATES[code === 'there' && !is_code_active ? 'inactive' : code]
  if (kind !== 'page' || code !== 'deleted' || !isAdmin(role)) return state
  return `${state} Its account: ${account_name}, ${account_email ?? account_mobile}.`
}

function toDecision(report: ListedReport, timezone: string): string | null {
  const { action, decided_at, decider_name } = report
  if (!action) return null
  const by = decider_name ? ` by ${decider_name}` : ''
  return `${DECISION_TEXTS[action]}${by}, ${formatDateTime(decided_at, timezone)}`
}

function toAnswer({ answer, answered_at }: ListedReport, timezone: string) {
  return answer === null ? null : { text: answer, sent: formatDateTime(answered_at, timezone) }
}

function toShot(report: ListedReport, timezone: string): ShotView {
  const view = toReportView(report)
  if (view.kind === 'page') return shotOfPage(view.snapshot)
  const { reason, thing = 'keys', name, place, had_photo, messages } = view.snapshot
  const words = messages.flatMap(({ from, text, sent_at }) => {
    const who = from === 'owner' ? 'Owner' : (name ?? 'Finder')
    return text ? [{ text, by: `${who}, ${formatDateTime(sent_at, timezone)}` }] : []
  })
  const notes = [
    ownersReasonText(reason as MessageReason, thing),
    place && `Place: ${place}`,
    had_photo && 'A photo was sent with it.',
    messages.some(({ kind }) => kind === 'number') && 'The owner shared a number.',
  ]
  return {
    title: 'What was written',
    images: [],
    words,
    notes: notes.filter((note) => typeof note === 'string'),
  }
}

type Page = Extract<ReturnType<typeof toReportView>, { kind: 'page' }>['snapshot']
/** The texts of a lost code, and of one whose tag was replaced. */
type Said = { lost?: { note: string | null; reward: string | null } | null; is_replaced?: boolean }

function shotOfPage({ fields, images, messages }: Page): ShotView {
  const { lost, is_replaced }: Said = fields as Said
  const words = [fields.public_message, lost?.note, lost?.reward]
  const { vehicle_registration: plate, contact_phone, emergency_contact_phone } = fields
  const shown = [
    fields.owner_name,
    contact_phone && displayPhone(contact_phone),
    fields.email,
    fields.city_area,
    plate && formatPlate(plate),
    fields.vehicle_make_model,
    fields.company_fleet_name,
    fields.emergency_contact_name,
    emergency_contact_phone && displayPhone(emergency_contact_phone),
    fields.blood_group,
  ]
  return {
    title: 'On the page at that time',
    images,
    words: words.flatMap((text) => (text ? [{ text }] : [])),
    notes: [
      is_replaced ? en.scan.replaced : shown.filter(Boolean).join(' · '),
      ...messages.map(({ title }) => `Message of the service: ${title}`),
    ].filter((note) => note !== ''),
  }
}
