import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { type Part, partsOf, seenBy, type Viewer } from '#db/codes/seen-by.ts'
import { canOpenAs } from '#db/papers/document-access.ts'
import type { Day, Tables } from '#db/schema.ts'
import type { DocumentType } from '#domain/papers/document.ts'
import type { DueKind } from '#domain/papers/due.ts'
import type { Right } from '#domain/people/roles.ts'
import { sharesFor } from '#domain/people/share.ts'

/** The date that counts for one thing of a code: an end of a document, or a field of the code. */
export type DueItem = {
  kind: DueKind
  qr_id: string
  qr_type: string
  vehicle_make_model: string | null
  vehicle_registration: string | null
  owner_name: string | null
  /** null for the fields of a code, as the type */
  document_id: string | null
  document_type: DocumentType | null
  ends_on: Day
}

/** `isAlone`: known to share no code with a child user or a parent, which makes reading cheaper. */
export type Reader = Viewer & { isAlone?: boolean }

/** Which ends: between two days, both included, on some days, and of some codes. */
export type DueRange = {
  from?: Day
  until?: Day
  days?: readonly Day[]
  qrIds?: readonly string[]
  limit?: number
}

/**
 * Lists the ends for an account, the nearest first: of the documents that it may open, and of the
 * fields of its codes. Of several dates for one thing the latest counts; an insurance document and
 * the insurance's date on the code are one thing. A code that a claimer holds without an account
 * has none.
 */
export async function listDue(
  db: DbOrTrx,
  viewer: Reader,
  range: DueRange = {},
): Promise<DueItem[]> {
  if (range.qrIds?.length === 0) return []
  return db
    .selectFrom(endsOf(viewer, range).as('ends'))
    .selectAll()
    .orderBy('ends_on')
    .orderBy('qr_id')
    .orderBy('kind')
    .orderBy('document_id')
    .$if(range.limit !== undefined, (query) => query.limit(range.limit as number))
    .execute()
}

/** Returns those of some codes on which the viewer has a right. */
export async function listCodesWith(
  db: DbOrTrx,
  viewer: Viewer,
  qrIds: string[],
  right: Right,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('qr_codes')
    .select('qr_id')
    .where('qr_id', 'in', qrIds)
    .where(seenBy({ ...viewer, shares: sharesFor(viewer, right) }))
    .execute()
  return new Set(rows.map(({ qr_id }) => qr_id))
}

/** Returns the codes of an account with something that ends until a day. */
export function codesDue(db: DbOrTrx, viewer: Viewer, until: Day) {
  return db.selectFrom(endsOf(viewer, { until }).as('ends')).select('ends.qr_id')
}

/** Returns the nearest end of each code of an account, to join with its codes. */
export function nearestEnds(db: DbOrTrx, viewer: Viewer) {
  return db
    .selectFrom(endsOf(viewer, {}).as('ends'))
    .select(({ fn }) => ['ends.qr_id as due_qr_id', fn.min('ends.ends_on').as('due_on')])
    .groupBy('ends.qr_id')
    .as('nearest')
}

/**
 * Each part finds its rows by an index, in the order of their ends, so that a limit spares reading all that a
 * large account has.
 */
function endsOf(viewer: Reader, range: DueRange): RawBuilder<DueItem> {
  const seen = partsOf(viewer)
  const shared = seen.filter(({ sharedBy }) => sharedBy.length > 0)
  const parts = [
    ofDocuments(viewer, range, sql`documents.account_id = ${viewer.id}`),
    ...(viewer.isAlone ? [] : [ofDocuments(viewer, range, isOfOther(viewer, shared))]),
    ...shared.map((part) => {
      const isOfOwner = sql`documents.account_id in (${sql.join(part.sharedBy)})`
      return ofDocuments(
        viewer,
        range,
        sql`${isOfOwner} and ${canOpenAs(viewer, 'documents')}`,
        part,
      )
    }),
    ...seen.flatMap((part) => [
      ofCodes(part, range, { kind: 'insurance', end: 'insurance_expiry_date' }, isLatest(viewer)),
      ofCodes(part, range, { kind: 'service', end: 'next_service_due' }, sql`true`),
    ]),
  ]
  const all = parts.map((part) => sql`select * from (${part}) as part`)
  return sql<DueItem>`(${sql.join(all, sql` union all `)})`
}

type Condition = RawBuilder<unknown>

/** Documents of a child user for the others, and of a parent for a child user. */
function isOfOther(viewer: Reader, shared: Part[]): Condition {
  const owners = shared.flatMap(({ sharedBy }) => sharedBy)
  const isListed = sql`documents.account_id in (${sql.join(owners)})
    and qr_codes.child_account_id <> ${viewer.id}`
  return sql`documents.account_id <> ${viewer.id} and qr_codes.child_account_id is not null
    ${owners.length > 0 ? sql`and not (${isListed})` : sql``}
    and ${canOpenAs(viewer, 'documents')}`
}

/** The insurance's date on the code, where no document of the insurance has a later one. */
function isLatest(viewer: Reader): Condition {
  return sql`not exists (select 1 from documents as later
    where later.qr_id = qr_codes.qr_id and later.document_type = 'insurance'
      and later.expires_on >= qr_codes.insurance_expiry_date and ${isVisible(viewer)})`
}

/** `part`: the codes, if not all that the viewer sees. */
function ofDocuments(viewer: Reader, range: DueRange, isOfPart: Condition, part?: Part) {
  return sql`select 'document' as kind, qr_codes.qr_id, qr_type, vehicle_make_model,
      vehicle_registration, owner_name, documents.id as document_id, document_type,
      expires_on as ends_on
    from documents inner join qr_codes on qr_codes.qr_id = documents.qr_id
    where ${isOfPart} and ${isWithin('documents.expires_on', range)}
      and ${isUnheld(part?.isIn ?? seenBy(viewer))}
      and (document_type <> 'insurance' or coalesce(insurance_expiry_date, '') <= expires_on)
      and not exists (select 1 from documents as later
        where later.qr_id = documents.qr_id and later.document_type = documents.document_type
          and later.expires_on >= documents.expires_on
          and (later.expires_on > documents.expires_on or later.id > documents.id)
          and ${isVisible(viewer)})
    ${nearest('documents.expires_on', range)}`
}

type CodeEnd = { kind: DueKind; end: 'insurance_expiry_date' | 'next_service_due' }

function ofCodes({ isIn }: Part, range: DueRange, { kind, end }: CodeEnd, counts: Condition) {
  const name = `qr_codes.${end}`
  return sql`select ${kind} as kind, qr_codes.qr_id, qr_type, vehicle_make_model,
      vehicle_registration, owner_name, null as document_id, null as document_type,
      ${sql.ref(name)} as ends_on
    from qr_codes
    where ${isWithin(name, range)} and ${isUnheld(isIn)} and ${counts}
    ${nearest(name, range)}`
}

/** Codes of a part that no claimer holds. */
function isUnheld(isIn: Part['isIn']): Condition {
  return sql`${isIn(expressionBuilder<Tables, 'qr_codes'>())} and qr_codes.claimed_at is null`
}

function isVisible(viewer: Reader): Condition {
  if (viewer.isAlone) return sql`later.account_id = ${viewer.id}`
  return sql`${canOpenAs(viewer, 'later')}`
}

function isWithin(end: string, { from, until, qrIds, days }: DueRange): Condition {
  const column = sql.ref(end)
  const conditions = [
    sql`${column} is not null`,
    ...(from ? [sql`${column} >= ${from}`] : []),
    ...(until ? [sql`${column} <= ${until}`] : []),
    ...(days ? [sql`${column} in (${sql.join(days)})`] : []),
    ...(qrIds ? [sql`qr_codes.qr_id in (${sql.join(qrIds)})`] : []),
  ]
  return sql.join(conditions, sql` and `)
}

function nearest(end: string, { limit }: DueRange): Condition {
  return limit === undefined ? sql`` : sql`order by ${sql.ref(end)} limit ${limit}`
}
