import type { ExpressionBuilder } from 'kysely'
import { wantsAlerts } from '#db/alerts/wanted.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { selectAwaitsGuardian, selectUserIsActive } from '#db/codes/code-user.ts'
import type { Notify } from '#db/outbox.ts'
import { isOpenDocument } from '#db/papers/document-access.ts'
import { type Document, toDocument } from '#db/papers/documents.ts'
import type { Instant, Tables } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { type ContactMode, hiddenFields } from '#domain/codes/visibility.ts'
import { DomainError } from '#domain/error.ts'
import type { DocumentSide, DocumentType } from '#domain/papers/document.ts'
import { canMessage, contactModeOf } from '#domain/scans/scan.ts'

export type PoliceView = {
  qr_id: string
  owner_name: string | null
  /** null where finders write first */
  contact_phone: string | null
  contact_number: string | null
  vehicle_registration: string | null
  contact_mode: ContactMode
  can_message: boolean
  owner_id: string
  child_account_id: string | null
  /** whether the code's user wants to know that somebody looks */
  isAlerted: boolean
  documents: Document[]
}

/**
 * Returns the view for authorities: the name, the number, the plate even if finders do not see it,
 * and the public documents, newest first. Throws not_found for an inactive code, and while its
 * child user waits for the guardian.
 */
export async function getPoliceView(db: DbOrTrx, qrId: string): Promise<PoliceView> {
  const code = await db
    .selectFrom('qr_codes')
    .select(['qr_id', 'owner_name', 'contact_phone', 'contact_number', 'vehicle_registration'])
    .select(['owner_id', 'child_account_id', 'contact_mode', 'claimed_at'])
    .select(['qr_type', 'is_claimed', 'is_child_registered'])
    .select([selectUserIsActive, selectAwaitsGuardian])
    .select((eb) => wantsAlerts(eb, 'police_view').as('is_alerted'))
    .where('qr_id', '=', qrId)
    .where('is_active', '=', 1)
    .where('is_claimed', '=', 1)
    .executeTakeFirst()
  if (!code || code.awaits_guardian) {
    throw new DomainError('not_found.documents')
  }
  const contact_mode = contactModeOf(code)
  const shown = {
    ...code,
    ...hiddenFields(code, { contact_mode, show_vehicle: true, show_city: true }),
  }
  return {
    qr_id: code.qr_id,
    owner_name: shown.owner_name,
    contact_phone: shown.contact_phone,
    contact_number: code.contact_number,
    vehicle_registration: code.vehicle_registration,
    contact_mode,
    can_message: canMessage(code),
    owner_id: code.owner_id,
    child_account_id: code.child_account_id,
    isAlerted: Boolean(code.is_alerted),
    documents: await listOpenDocuments(db, qrId),
  }
}

async function listOpenDocuments(db: DbOrTrx, qrId: string): Promise<Document[]> {
  const rows = await db
    .selectFrom('documents')
    .selectAll()
    .where('qr_id', '=', qrId)
    .where(isOpenDocument)
    .orderBy('uploaded_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toDocument)
}

/** A code's list of documents, or one `document` of it. */
export type ViewedDocuments = {
  qr_id: string
  document?: Pick<Document, 'id' | 'document_type' | 'document_side'>
}

/** In how many seconds a code alerts of views at most once. */
const ALERT_EVERY_SECONDS = 15 * 60

/**
 * Records that somebody viewed a code's list of documents, or one document. The first view in each quarter
 * of an hour notifies, so that nobody can flood an owner with alerts, nor keep off those of others for long.
 */
export async function recordDocumentView(
  db: Db,
  { qr_id, document }: ViewedDocuments,
  now: Date,
  notify?: Notify<ViewedDocuments>,
): Promise<void> {
  const row = {
    id: randomId(),
    qr_id,
    document_id: document?.id ?? null,
    document_type: document?.document_type ?? null,
    document_side: document?.document_side ?? null,
    viewed_at: toInstant(now),
  }
  await inTransaction(db, async (trx) => {
    const isFirst = notify && !(await hasViewsSince(trx, qr_id, startOfQuarter(now)))
    await trx.insertInto('document_views').values(row).execute()
    if (isFirst) await notify(trx, { qr_id, document })
  })
}

function startOfQuarter(now: Date): Date {
  const ms = ALERT_EVERY_SECONDS * 1000
  return new Date(Math.floor(now.getTime() / ms) * ms)
}

async function hasViewsSince(trx: DbOrTrx, qrId: string, since: Date): Promise<boolean> {
  const view = await trx
    .selectFrom('document_views')
    .select('id')
    .where('qr_id', '=', qrId)
    .where('viewed_at', '>=', toInstant(since))
    .where('document_type', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return view !== undefined
}

export type ViewCount = { total: number; last_viewed_at: Instant | null }

/** An issuer does not see the views of a held code. */
function isNotHeld({ exists, selectFrom }: ExpressionBuilder<Tables, 'document_views'>) {
  return exists(
    selectFrom('qr_codes')
      .select('id')
      .whereRef('qr_codes.qr_id', '=', 'document_views.qr_id')
      .where('claimed_at', 'is', null),
  )
}

/** Returns how often, and when last, the documents page of a code was viewed. */
export async function countPoliceViews(db: DbOrTrx, qrId: string): Promise<ViewCount> {
  return db
    .selectFrom('document_views')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.max<Instant | null>('viewed_at').as('last_viewed_at'),
    ])
    .where('qr_id', '=', qrId)
    .where('document_type', 'is', null)
    .where(isNotHeld)
    .executeTakeFirstOrThrow()
}

/** One view of a code's list of documents, or of one document, which may be deleted since. */
export type AuthorityView = {
  viewed_at: Instant
  /** null for the list itself */
  document: { type: DocumentType; side: DocumentSide | null } | null
}

export type AuthorityViews = ViewCount & { recent: AuthorityView[] }

/**
 * Returns how often authorities viewed the lists of these codes, and the latest views, at most
 * `each` per code, newest first. Codes without views are not in the map.
 */
export async function listAuthorityViews(
  db: DbOrTrx,
  qrIds: string[],
  each: number,
): Promise<Map<string, AuthorityViews>> {
  if (qrIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('document_views')
    .innerJoin(countViews(db, qrIds).as('sums'), 'sums.qr_id', 'document_views.qr_id')
    .select(['sums.qr_id', 'total', 'last_viewed_at'])
    .select(['viewed_at', 'document_type', 'document_side as side'])
    // Starts at the oldest wanted view, so that only the end of a long history is read.
    .where('viewed_at', '>=', ({ selectFrom, fn, val }) =>
      fn.coalesce(
        selectFrom('document_views as newer')
          .select('newer.viewed_at')
          .whereRef('newer.qr_id', '=', 'sums.qr_id')
          .orderBy('newer.viewed_at', 'desc')
          .limit(1)
          .offset(each - 1),
        val(''),
      ),
    )
    .orderBy('viewed_at', 'desc')
    .orderBy('id')
    .execute()
  const found = new Map<string, AuthorityViews>()
  for (const { qr_id, total, last_viewed_at, ...row } of rows) {
    const views: AuthorityViews = found.get(qr_id) ?? { total, last_viewed_at, recent: [] }
    // Views of the same millisecond are all found, so there may be too many.
    if (views.recent.length < each) views.recent.push(toView(row))
    found.set(qr_id, views)
  }
  return found
}

function countViews(db: DbOrTrx, qrIds: string[]) {
  return db
    .selectFrom('document_views')
    .select(({ fn }) => [
      'qr_id',
      fn.countAll<number>().filterWhere('document_type', 'is', null).as('total'),
      fn
        .max<Instant | null>('viewed_at')
        .filterWhere('document_type', 'is', null)
        .as('last_viewed_at'),
    ])
    .where('qr_id', 'in', qrIds)
    .where(isNotHeld)
    .groupBy('qr_id')
}

type ViewRow = { viewed_at: Instant; document_type: string | null; side: DocumentSide | null }

function toView({ viewed_at, document_type, side }: ViewRow): AuthorityView {
  const document = document_type === null ? null : { type: document_type as DocumentType, side }
  return { viewed_at, document }
}
