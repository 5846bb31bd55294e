import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExpressionBuilder, type NotNull, sql } from 'kysely'
import { fromFlag } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { isBehind, isFound, type QrFilter } from '#db/codes/qr-search.ts'
import { readReplacedIds, selectReplacedIds } from '#db/codes/replaced-ids.ts'
import { type Part, partsOf, seenBy, seenCodes, type Viewer } from '#db/codes/seen-by.ts'
import { countRows, inPages, PAGE_ROWS, type Page, pageOf } from '#db/pages.ts'
import { canOpen } from '#db/papers/document-access.ts'
import { codesDue, nearestEnds } from '#db/papers/due.ts'
import { assertShared } from '#db/people/held-shares.ts'
import type { Day, QrCode, Tables } from '#db/schema.ts'
import { isHeldByClaimer, undoEndsAt } from '#domain/codes/claim.ts'
import { lostOf } from '#domain/codes/lost.ts'
import { QR_COLUMNS, type QrColumn } from '#domain/codes/qr.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import { hiddenFields } from '#domain/codes/visibility.ts'
import { type Access, accessWith, has, type Right } from '#domain/people/roles.ts'
import { accessTo, type Holder, shareOf } from '#domain/people/share.ts'
import { isPublicField } from '#domain/scans/scan.ts'

type Counts = { scan_count: number; document_count: number }

type CountedCode = QrCode & { [count in keyof Counts]: number | null } & {
  child_name?: string | null
  replaced_ids?: string | null
  activated_id?: string | null
}

/** A code as its owner sees it, without the PIN. */
export type OwnQrCode = ReturnType<typeof toOwnQrCode>

/**
 * Which of an account's codes, and in which order: the newest first, what ends next, the most scans, or by
 * their titles.
 */
export type QrWanted = QrFilter & {
  /** only codes with something that ends until this day */
  dueUntil?: Day | undefined
  isLost?: boolean | undefined
  sort?: 'due' | 'scans' | 'title' | undefined
}

export type QrPage = Page & QrWanted

/** Returns a page of the account's codes, and the total number. */
export async function listOwnQrCodes(
  db: DbOrTrx,
  viewer: Viewer,
  { limit, offset, ...wanted }: QrPage = {},
): Promise<{ qr_codes: OwnQrCode[]; total: number }> {
  const page = { ...(limit !== undefined && { limit }), ...(offset !== undefined && { offset }) }
  const { rows, total } = await pageOf(
    inOrder(db, viewer, wanted),
    page,
    wantedCodes(db, viewer, wanted),
  )
  return { qr_codes: rows.map((row) => toOwnQrCode(row, viewer)), total }
}

/** Returns all matching codes of the account in pages. */
export async function* eachOwnQrCode(
  db: DbOrTrx,
  viewer: Viewer,
  wanted: QrWanted = {},
): AsyncGenerator<OwnQrCode[]> {
  const pages = wanted.sort
    ? pagesInOrderOfNow(db, viewer, wanted)
    : inPages<CountedCode>((last) => {
        const query = inOrder(db, viewer, wanted).limit(PAGE_ROWS)
        return (last ? query.where(isBehind(last)) : query).execute()
      })
  for await (const rows of pages) yield rows.map((row) => toOwnQrCode(row, viewer))
}

/** For an order by ends or scans, which changes while the pages are read. */
async function* pagesInOrderOfNow(
  db: DbOrTrx,
  viewer: Viewer,
  wanted: QrWanted,
): AsyncGenerator<CountedCode[]> {
  const found = await inOrder(db, viewer, wanted).clearSelect().select('qr_codes.id').execute()
  for (let start = 0; start < found.length; start += PAGE_ROWS) {
    const ids = found.slice(start, start + PAGE_ROWS).map(({ id }) => id)
    const rows = await selectCounted(db, viewer)
      .where(seenBy(viewer))
      .where('id', 'in', ids)
      .execute()
    yield rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    await nextTurn()
  }
}

/** Returns the query for the wanted codes of an account, in order. */
export function inOrder(db: DbOrTrx, viewer: Viewer, wanted: QrWanted) {
  const { sort, shared } = wanted
  const counted = sort
    ? selectCounted(db, viewer).where(seenBy(viewer, shared))
    : selectCounted(db, viewer, seenCodes(db, viewer, shared))
  return counted
    .where(isWanted(db, viewer, wanted))
    .$if(sort === 'due', (query) =>
      query
        .leftJoin(nearestEnds(db, viewer), 'due_qr_id', 'qr_codes.qr_id')
        .orderBy(sql`due_on is null`)
        .orderBy('due_on'),
    )
    .$if(sort === 'scans', (query) => query.orderBy(shownScans, 'desc'))
    .$if(sort === 'title', (query) => query.orderBy(SHOWN_TITLE))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}

/** Returns the query for the wanted codes of an account in no order, which counts them. */
export function wantedCodes(db: DbOrTrx, viewer: Viewer, wanted: QrWanted) {
  const seen = seenCodes(db, viewer, wanted.shared)
  return db.selectFrom(seen).where(isWanted(db, viewer, wanted))
}

function isWanted(db: DbOrTrx, viewer: Viewer, { dueUntil, isLost, ...filter }: QrWanted) {
  return (eb: Builder) =>
    eb.and([
      isFound(viewer, filter)(eb),
      ...(dueUntil ? [eb('qr_id', 'in', codesDue(db, viewer, dueUntil))] : []),
      ...(isLost ? [eb('lost_since', 'is not', null)] : []),
    ])
}

/**
 * The title of a code as its owner sees it, as `titleOf` does; a code without one comes last. It has no
 * index, which the counts of each page would then read in place of a smaller one.
 */
const SHOWN_TITLE = sql`lower(coalesce(
  case when claimed_at is null or show_vehicle = 1
    then coalesce(vehicle_make_model, vehicle_registration) end,
  owner_name, '\u{10ffff}'))`

/** The scans that the account sees of a code: of one that a claimer holds, none. */
function shownScans(eb: Builder) {
  const counted = eb
    .selectFrom('scans')
    .select(eb.fn.countAll<number>().as('count'))
    .whereRef('scans.qr_id', '=', 'qr_codes.qr_id')
  return eb
    .case()
    .when('claimed_at', 'is', null)
    .then(eb(counted, '+', eb.ref('earlier_scans')))
    .else(0)
    .end()
}

/** Returns how many codes the account sees, or how many of them are lost. */
export function countSeenCodes(
  db: DbOrTrx,
  viewer: Viewer,
  { isLost = false } = {},
): Promise<number> {
  return countRows(
    db
      .selectFrom(seenCodes(db, viewer))
      .$if(isLost, (query) => query.where('lost_since', 'is not', null)),
  )
}

const MOST_COMPANIES = 200

/**
 * Returns the companies of the account's codes with the number of codes of each, by name; at most 200, the
 * largest.
 */
export async function listCompanies(
  db: DbOrTrx,
  viewer: Viewer,
): Promise<{ company_fleet_name: string; count: number }[]> {
  const [first, ...others] = partsOf(viewer).map(({ isIn }) => countCompanies(db, isIn))
  const counted = others.reduce((all, next) => all.unionAll(next), first as (typeof others)[number])
  const rows = await db
    .selectFrom(counted.as('counted'))
    .select(({ fn }) => ['company_fleet_name', fn.sum<number>('codes').as('count')])
    .groupBy('company_fleet_name')
    .orderBy('count', 'desc')
    .orderBy('company_fleet_name')
    .limit(MOST_COMPANIES)
    .execute()
  return rows.sort((a, b) => (a.company_fleet_name < b.company_fleet_name ? -1 : 1))
}

/** Counts the codes of each company of one owner, in the order of an index. */
function countCompanies(db: DbOrTrx, isIn: Part['isIn']) {
  return db
    .selectFrom('qr_codes')
    .select(({ fn }) => ['company_fleet_name', fn.countAll<number>().as('codes')])
    .where(isIn)
    .where('company_fleet_name', 'is not', null)
    .where('claimed_at', 'is', null)
    .groupBy('company_fleet_name')
    .$narrowType<{ company_fleet_name: NotNull }>()
}

export type Builder = ExpressionBuilder<Tables, 'qr_codes'>

/** Returns the documents of a code that the account may open. */
export function selectOpenDocuments(eb: Builder, viewer: Viewer) {
  return eb
    .selectFrom('documents')
    .whereRef('documents.qr_id', '=', 'qr_codes.qr_id')
    .where(canOpen(viewer))
}

/** Returns one code of the account by its well-formed id. */
export async function findOwnQrCode(
  db: DbOrTrx,
  viewer: Viewer,
  qrId: string,
): Promise<OwnQrCode | undefined> {
  const row = await selectCounted(db, viewer)
    .where('qr_id', '=', qrId)
    .where(seenBy(viewer))
    .executeTakeFirst()
  return row && toOwnQrCode(row, viewer)
}

/** Returns a code of the account. Throws not_found, also for codes of others. */
export async function getOwnQrCode(db: DbOrTrx, viewer: Viewer, qrId: string): Promise<OwnQrCode> {
  const code = await findOwnQrCode(db, viewer, qrId)
  if (!code) throw qrNotFound()
  return code
}

/**
 * Returns the row of a code, as a verb needs it to decide, and the access to it. Throws not_found for a code that the account does not
 * see, and forbidden where its role lacks the right.
 */
export async function getOwnRow(
  db: DbOrTrx,
  viewer: Viewer,
  qrId: string,
  right: Right,
): Promise<QrCode & { access: Access }> {
  const code = await db
    .selectFrom('qr_codes')
    .selectAll()
    .where('qr_id', '=', qrId)
    .where(seenBy(viewer))
    .executeTakeFirstOrThrow(qrNotFound)
  const access = accessWith(accessTo(viewer, code), right)
  const share = shareOf(viewer, code)
  if (share) await assertShared(db, share)
  return { ...code, access }
}

/**
 * Adds the counts, only for the rows of the answer: scans, and documents that this account may
 * open.
 */
export function selectCounted(db: DbOrTrx, viewer: Viewer, codes: 'qr_codes' = 'qr_codes') {
  return db
    .selectFrom(codes)
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('scans')
        .select(eb.fn.countAll<number>().as('count'))
        .whereRef('scans.qr_id', '=', 'qr_codes.qr_id')
        .as('scan_count'),
      selectOpenDocuments(eb, viewer)
        .select(eb.fn.countAll<number>().as('count'))
        .as('document_count'),
      eb
        .selectFrom('accounts')
        .select('name')
        .whereRef('accounts.id', '=', 'qr_codes.child_account_id')
        .as('child_name'),
      selectReplacedIds(eb),
      eb
        .selectFrom('activation_codes')
        .select('code_id')
        .whereRef('activation_codes.code_id', '=', 'qr_codes.id')
        .as('activated_id'),
    ])
}

/**
 * Returns a code as the account sees it: without the private fields where its role does not edit them. While a
 * claimer without an account holds it, its issuer sees only the fields of the scan page.
 */
export function toOwnQrCode(code: CountedCode, viewer: Holder) {
  const isHeld = isHeldByClaimer(code)
  const access = accessWith(accessTo(viewer, code), 'look')
  return {
    id: code.id,
    qr_id: code.qr_id,
    qr_type: code.qr_type,
    owner_id: code.owner_id,
    access,
    ...ownFields(code, isHeld),
    ...(!has(access, 'edit') && PRIVATE_FIELDS),
    contact_mode: code.contact_mode,
    thing: code.thing,
    show_vehicle: fromFlag(code.show_vehicle),
    show_city: fromFlag(code.show_city),
    lost: lostOf(code),
    has_pin: code.pin_hash !== null,
    is_active: fromFlag(code.is_active),
    is_claimed: fromFlag(code.is_claimed),
    is_child_registered: fromFlag(code.is_child_registered),
    is_claimed_away: isHeld,
    claim_undo_until: undoEndsAt(code)?.toISOString() ?? null,
    child_name: code.child_name ?? null,
    /** whether claiming it takes an activation code; false once it is claimed */
    needs_activation: code.is_claimed === 0 && Boolean(code.activated_id),
    /** the ids that it had before, the newest first */
    replaces: readReplacedIds(code.replaced_ids),
    scan_count: isHeld ? 0 : (code.scan_count ?? 0) + code.earlier_scans,
    document_count: code.document_count ?? 0,
    created_at: code.created_at,
    updated_at: code.updated_at,
  }
}

/** The fields that only those see who may change them. */
const PRIVATE_FIELDS = {
  driving_license_number: null,
  insurance_policy_number: null,
  notes_instructions: null,
} as const

function ownFields(code: QrCode, isHeld: boolean): Record<QrColumn, string | null> {
  // There is nobody with an account to write to while a claimer holds it, so it is shown as public.
  const shown = isHeld
    ? { ...code, ...hiddenFields(code, { ...code, contact_mode: 'public' }) }
    : code
  const fields = {} as Record<QrColumn, string | null>
  for (const name of QR_COLUMNS) fields[name] = isHeld && !isPublicField(name) ? null : shown[name]
  return fields
}
