import { getAccount } from '#db/accounts/accounts.ts'
import { blockAccount } from '#db/accounts/permission-types.ts'
import { type Act, type Actor, recordAct } from '#db/admin/audit-events.ts'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { laterThan } from '#db/codes/qr-changes.ts'
import {
  getReport,
  imagesOf,
  type ListedReport,
  readSnapshot,
  readSwitchedOff,
} from '#db/conversations/moderated-reports.ts'
import { blockForAll, unblockForAll } from '#db/conversations/service-blocks.ts'
import type { Account, Flag } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { assertMayDecide, type Decider, type Reported } from '#domain/conversations/moderation.ts'
import type { ReportAction } from '#domain/conversations/report.ts'
import { DomainError } from '#domain/error.ts'

type Change = Pick<Act, 'before' | 'after'>

/** The account that decides, as it is now; undefined for the command line. */
type Moderator = Account | undefined

/**
 * Decides an open report and carries the decision out. Throws not_found, invalid for an act that its kind
 * does not have, forbidden for a caller who may not decide, and conflict when the report is
 * decided or its subject has gone.
 */
export async function decideReport(
  db: Db,
  actor: Actor,
  id: string,
  action: ReportAction,
  now: Date,
): Promise<ListedReport> {
  return inTransaction(db, async (trx) => {
    const moderator = await readModerator(trx, actor)
    const report = await getReport(trx, id)
    assertMayDecide(action, toReported(report), deciderOf(moderator))
    const { numUpdatedRows } = await trx
      .updateTable('reports')
      .set({ status: 'decided', action, decided_by: actor.actor_id, decided_at: toInstant(now) })
      .where('id', '=', id)
      .where('status', '=', 'open')
      .executeTakeFirst()
    if (!numUpdatedRows) throw new DomainError('conflict.report_decided')
    const { change, switched_off } = await CARRY_OUT[action](trx, report, moderator, now)
    const snapshot = JSON.stringify({ ...report.snapshot, switched_off })
    await trx.updateTable('reports').set({ snapshot }).where('id', '=', id).execute()
    await note(trx, actor, report, { verb: 'decided', from: null, to: action, change }, now)
    return getReport(trx, id)
  })
}

/**
 * Opens a decided report again, and switches on everything that it alone keeps off, unless its
 * owner had it off; a blocked sender can write again, and a blocked account stays blocked. Throws not_found, and
 * conflict for an open
 * report.
 */
export async function reopenReport(
  db: Db,
  actor: Actor,
  id: string,
  now: Date,
): Promise<ListedReport> {
  return inTransaction(db, async (trx) => {
    const report = await getReport(trx, id)
    const { action } = report
    const { numUpdatedRows } = await trx
      .updateTable('reports')
      .set({ status: 'open', action: null, decided_by: null, decided_at: null })
      .where('id', '=', id)
      .where('status', '=', 'decided')
      .executeTakeFirst()
    if (!numUpdatedRows) throw new DomainError('conflict.report_open')
    const change = await undo(trx, report, now)
    await note(trx, actor, report, { verb: 'reopened', from: action, to: null, change }, now)
    return getReport(trx, id)
  })
}

/** Returns the state of a report that the rules decide on. */
export function toReported({ images_left, answered_at, ...report }: ListedReport): Reported {
  return { ...report, images_left: images_left.length, is_answered: answered_at !== null }
}

/** Reads the moderator again, because the role may have ended since the request began. Throws forbidden. */
export async function readModerator(trx: Trx, { actor_id }: Actor): Promise<Moderator> {
  if (actor_id === null) return undefined
  const account = await getAccount(trx, actor_id)
  if (fromFlag(account.is_active)) return account
  throw new DomainError('forbidden.moderators_only')
}

/** Returns the decider for the rules. */
export function deciderOf(account: Moderator): Decider {
  return account ? { id: account.id, role: account.role } : { id: null, role: 'super_admin' }
}

type Done = {
  change: Change
  /** the ids of its owner's active codes and images, including those that an earlier decision switched off */
  switched_off: string[]
}

type CarryOut = (trx: Trx, report: ListedReport, moderator: Moderator, now: Date) => Promise<Done>

const NOTHING: Done = { change: {}, switched_off: [] }

const CARRY_OUT: Record<ReportAction, CarryOut> = {
  dismiss: async () => NOTHING,
  block_sender: async (trx, report, _moderator, now) => {
    await blockForAll(trx, report, now)
    return NOTHING
  },
  hide_popup_image: hideImages,
  deactivate_code: deactivateCode,
  block_account: async (trx, { account_id }, moderator, now) => {
    // `blockAccount` adds its own entry to the audit log.
    await blockAccount(trx, moderator, account_id, now)
    return NOTHING
  },
}

async function hideImages(trx: Trx, { id, images_left }: ListedReport): Promise<Done> {
  const images = await trx
    .selectFrom('popup_images')
    .select(['id', 'is_active', 'hidden_by_report as mark'])
    .where('id', 'in', images_left)
    .execute()
  const switched_off: string[] = []
  for (const image of images) if (await wasOn(trx, image)) switched_off.push(image.id)
  await trx
    .updateTable('popup_images')
    .set({ is_active: toFlag(false), hidden_by_report: id })
    .where('id', 'in', images_left)
    .execute()
  const change = { before: { hidden_images: 0 }, after: { hidden_images: images_left.length } }
  return { change, switched_off }
}

async function deactivateCode(
  trx: Trx,
  { id, qr_id }: ListedReport,
  _moderator: Moderator,
  now: Date,
): Promise<Done> {
  const code = await trx
    .selectFrom('qr_codes')
    .select(['qr_id as id', 'is_active', 'stopped_by_report as mark'])
    .where('qr_id', '=', qr_id)
    .executeTakeFirstOrThrow()
  const switched_off = (await wasOn(trx, code)) ? [qr_id] : []
  const change = await switchCode(trx, qr_id, { is_active: false, stopped_by_report: id }, now)
  return { change, switched_off }
}

/** Returns whether a code or an image was active before moderators switched it off. */
async function wasOn(
  trx: Trx,
  { id, is_active, mark }: { id: string; is_active: Flag; mark: string | null },
): Promise<boolean> {
  if (mark === null) return fromFlag(is_active)
  const decided = trx.selectFrom('reports').select('snapshot').where('id', '=', mark)
  return readSwitchedOff(await decided.executeTakeFirstOrThrow()).includes(id)
}

async function switchCode(
  trx: Trx,
  qrId: string,
  { is_active, stopped_by_report }: { is_active: boolean; stopped_by_report: string | null },
  now: Date,
): Promise<Change> {
  const code = await trx
    .selectFrom('qr_codes')
    .select(['id', 'is_active', 'is_ending', 'updated_at'])
    .where('qr_id', '=', qrId)
    .executeTakeFirstOrThrow()
  // A code whose account is being deleted stays off.
  const isOn = is_active && !fromFlag(code.is_ending)
  await trx
    .updateTable('qr_codes')
    .set({ is_active: toFlag(isOn), stopped_by_report })
    .set({ updated_at: laterThan(code.updated_at, now) })
    .where('id', '=', code.id)
    .execute()
  return { before: { is_active: fromFlag(code.is_active) }, after: { is_active } }
}

async function undo(trx: Trx, report: ListedReport, now: Date): Promise<Change> {
  if (report.action === 'hide_popup_image') return showImages(trx, report)
  if (report.action === 'deactivate_code') return activateCode(trx, report, now)
  if (report.action === 'block_sender') await unblockForAll(trx, report, now)
  return {}
}

/** Shows the images that the report hid, except those that another report or their owner hides too. */
async function showImages(trx: Trx, { id }: ListedReport): Promise<Change> {
  const hidden = await trx
    .selectFrom('popup_images')
    .select(['id', 'is_active', 'hidden_by_report as mark'])
    .where('hidden_by_report', '=', id)
    .execute()
  const others = await readDecided(trx, 'hide_popup_image')
  let shown = 0
  for (const image of hidden) {
    const other = others.find((each) => imagesOf(each).some((one) => one.id === image.id))
    const is_shown = !other && (await wasOn(trx, image))
    if (is_shown) shown++
    await trx
      .updateTable('popup_images')
      .set({ is_active: toFlag(is_shown), hidden_by_report: other?.id ?? null })
      .where('id', '=', image.id)
      .execute()
  }
  return {
    before: { hidden_images: hidden.length },
    after: { hidden_images: hidden.length - shown },
  }
}

async function activateCode(trx: Trx, { id, qr_id }: ListedReport, now: Date): Promise<Change> {
  const stopped = await trx
    .selectFrom('qr_codes')
    .select(['qr_id as id', 'is_active', 'stopped_by_report as mark'])
    .where('qr_id', '=', qr_id)
    .where('stopped_by_report', '=', id)
    .executeTakeFirst()
  if (!stopped) return {}
  const others = await readDecided(trx, 'deactivate_code')
  const other = others.find((each) => each.qr_id === qr_id)?.id ?? null
  const is_active = other === null && (await wasOn(trx, stopped))
  return switchCode(trx, qr_id, { is_active, stopped_by_report: other }, now)
}

/** Returns the decided reports with this action. */
async function readDecided(trx: Trx, action: ReportAction) {
  const rows = await trx
    .selectFrom('reports')
    .select(['id', 'qr_id', 'kind', 'snapshot'])
    .where('status', '=', 'decided')
    .where('action', '=', action)
    .execute()
  return rows.map((row) => ({ id: row.id, qr_id: row.qr_id, ...readSnapshot(row) }))
}

type Noted = {
  verb: 'decided' | 'reopened'
  from: ReportAction | null
  to: ReportAction | null
  change: Change
}

async function note(
  trx: Trx,
  actor: Actor,
  { id, qr_id: code }: ListedReport,
  { verb, from, to, change }: Noted,
  now: Date,
): Promise<void> {
  const act = {
    ...actor,
    action: `report.${verb}`,
    subject_type: 'report',
    subject_id: id,
    before: { code, decision: from, ...change.before },
    after: { code, decision: to, ...change.after },
  }
  await recordAct(trx, act, now)
}
