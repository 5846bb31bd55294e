import { type ScanAddress, scanUrl } from '#actions/codes/view.ts'
import { todayOf } from '#actions/papers/due.ts'
import { fileUrl } from '#actions/papers/view.ts'
import type { QrCardView } from '#components/codes/qr-card-view.ts'
import type { CardCode } from '#db/codes/card-codes.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import type { DueItem } from '#db/papers/due.ts'
import type { Account } from '#db/schema.ts'
import type { PendingTransfer } from '#db/transfers/transfers.ts'
import { canMarkLost } from '#domain/codes/lost.ts'
import { shownNumber } from '#domain/codes/phones.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { dueState, dueText } from '#domain/papers/due.ts'
import { has, type Right } from '#domain/people/roles.ts'
import { actsFor, type Holder, planOf, shareBehind } from '#domain/people/share.ts'
import { whose } from '#domain/people/whose.ts'
import { canSeeAnalytics, canShare, type PlanId } from '#domain/plans/plan.ts'
import { registrationState } from '#domain/scans/scan.ts'
import { formatDate, formatDateTime, formatDayOfMonth, toDayIn } from '#domain/time.ts'
import { qrPng } from '#formats/qr-image.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { canTransfer } from '#routes/dashboard/transfers/_transfer-dialog.tsx'

/** Pixels per module: sharp on a card, and about a kilobyte. */
const THUMBNAIL_SIZE = 5

/** A claimer without an account cannot be written to, so that their page shows the number. */
function numberState({ contact_mode, is_claimed_away }: OwnQrCode): QrCardView['number'] {
  return contact_mode === 'relay' && !is_claimed_away ? 'hidden' : 'shown'
}

/** The day until which the claim can be undone, as it is shown. */
function undoUntil(c: AppContext, { claim_undo_until: until }: OwnQrCode): string | undefined {
  const { clock, config } = c.var.deps
  return until && clock() <= new Date(until) ? formatDate(until, config.timezone) : undefined
}

/** The day since when the code is lost, as it is shown. */
function lostSince(c: AppContext, { lost }: OwnQrCode): string | undefined {
  const { timezone } = c.var.deps.config
  return lost ? formatDayOfMonth(toDayIn(timezone, new Date(lost.since))) : undefined
}

/**
 * With the plan of its parent, which counts for the code that a child user registered, and the address of
 * each of its codes.
 */
export type CardViewer = Account &
  Holder & { addressOf: (code: OwnQrCode) => ScanAddress; parent_plan: PlanId | undefined }

function lostActOf(account: CardViewer, code: OwnQrCode): QrCardView['may']['lost'] {
  if (code.is_claimed_away || !has(code.access, 'answer')) return undefined
  if (code.lost) return 'end'
  if (registrationState(code) !== 'contact') return undefined
  const { parent_plan } = account
  const plans = [
    planOf(account, actsFor(account, code)),
    ...(code.access === 'child' && parent_plan ? [parent_plan] : []),
  ]
  if (canMarkLost(plans)) return 'mark'
  return shareBehind(account, code) ? undefined : 'upgrade'
}

/** A plan of the account opens nothing on the codes of others. */
function shareActOf(account: CardViewer, code: OwnQrCode): QrCardView['may']['share'] {
  if (canShare(planOf(account, actsFor(account, code))))
    return has(code.access, 'download') ? 'all' : undefined
  return shareBehind(account, code) ? undefined : 'upgrade'
}

/**
 * Describes a code for its card, with its next end, its pending transfer and the acts that its role allows.
 */
export function toQrCardView(
  c: AppContext,
  account: CardViewer,
  code: CardCode,
  { due, transfer }: { due?: DueItem | undefined; transfer?: PendingTransfer | undefined } = {},
): QrCardView {
  const url = scanUrl(account.addressOf(code), code.qr_id)
  const isInUse = registrationState(code) === 'contact'
  const may = (right: Right) => !code.is_claimed_away && has(code.access, right)
  const share = shareBehind(account, code)
  return {
    qr_id: code.qr_id,
    qr_id_text: formatQrId(code.qr_id),
    qr_type: code.qr_type,
    owner_name: code.owner_name,
    contact_phone: code.contact_phone && shownNumber(code.contact_phone, code.contact_number),
    email: code.email,
    vehicle_registration: code.vehicle_registration,
    vehicle_make_model: code.vehicle_make_model,
    company_fleet_name: code.company_fleet_name,
    emergency_contact_name: code.emergency_contact_name,
    number: isInUse && code.contact_phone ? numberState(code) : undefined,
    photo: code.photo_name ? fileUrl(code.photo_name) : undefined,
    is_active: code.is_active,
    is_claimed: code.is_claimed,
    is_child_registered: code.is_child_registered,
    is_claimed_away: code.is_claimed_away,
    undo_until: has(code.access, 'papers') ? undoUntil(c, code) : undefined,
    needs_activation: code.needs_activation,
    replaces: code.replaces.map(formatQrId),
    child_name: code.child_name === code.owner_name ? null : code.child_name,
    document_count: code.document_count,
    scan_count: code.scan_count,
    has_analytics: code.access !== 'child' && (!share || canSeeAnalytics(share.plan)),
    shared_by: share && whose(share.owner_name),
    created: formatDate(code.created_at, c.var.deps.config.timezone),
    image: `data:image/png;base64,${qrPng(url, THUMBNAIL_SIZE).toString('base64')}`,
    scan_url: url,
    lost_since: lostSince(c, code),
    due: due && {
      text: dueText(due, todayOf(c.var.deps)),
      isOver: dueState(due.ends_on, todayOf(c.var.deps)) === 'expired',
    },
    transfer: transfer && {
      email: transfer.email,
      until: formatDateTime(transfer.expires_at, c.var.deps.config.timezone),
    },
    may: {
      edit: may('edit'),
      switch: may('edit'),
      delete: may('own'),
      share: shareActOf(account, code),
      download: has(code.access, 'download'),
      upload: may('papers'),
      print: has(code.access, 'edit'),
      lost: lostActOf(account, code),
      replace: may('tend') && isInUse,
      activate: code.qr_type === 'normal' && !code.is_claimed && has(code.access, 'own'),
      transfer: !transfer && canTransfer(account, code),
      people: may('own') && isInUse && !code.is_child_registered,
    },
  }
}
