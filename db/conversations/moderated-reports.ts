import type { DbOrTrx } from '#db/client.ts'
import type { PageSnapshot } from '#db/conversations/page-reports.ts'
import type { ConversationSnapshot } from '#db/conversations/reports.ts'
import { type Page, pageOf } from '#db/pages.ts'
import type { Instant, Tables } from '#db/schema.ts'
import type { Role } from '#domain/accounts/roles.ts'
import type { ReportedCode, ReportStatus } from '#domain/conversations/moderation.ts'
import type { ReportAction, ReportReason } from '#domain/conversations/report.ts'
import { DomainError } from '#domain/error.ts'

type Reported = {
  id: string
  reason: ReportReason
  text: string | null
  qr_id: string
  /** owns the page, or wrote the report about a conversation */
  account_id: string
  account_name: string
  account_email: string | null
  account_mobile: string | null
  /** the user and the owner of the page; of a conversation, the reporting account */
  holders: { id: string; role: Role }[]
  conversation_id: string | null
  /** whether it is still known who wrote the conversation */
  is_sender_known: boolean
  /** whether the account that reported a conversation has a verified address */
  has_address: boolean
  status: ReportStatus
  action: ReportAction | null
  created_at: Instant
  decided_at: Instant | null
  /** null for the command line too */
  decider_name: string | null
  answer: string | null
  answered_at: Instant | null
  code: ReportedCode
  /** whether a claimer without an account wrote the page */
  is_claimers: boolean
  /** whether finders see the code; false for a deleted one */
  is_code_active: boolean
  /** ids of the images of the snapshot that are still there */
  images_left: string[]
}

/** The page or conversation as it was when it was reported. */
export type Snapshot =
  | { kind: 'page'; snapshot: PageSnapshot }
  | { kind: 'conversation'; snapshot: ConversationSnapshot }

/** A report with its snapshot, and the present state of its subject. */
export type ListedReport = Reported & Snapshot

/** `kept`: ids of decided reports that keep their places among the open ones. */
export type ReportPage = Page & { status?: ReportStatus | undefined; kept?: string[] | undefined }

/** Returns a page of the reports, newest first, and how many there are in all. */
export async function listReports(
  db: DbOrTrx,
  { status, kept = [], ...page }: ReportPage = {},
): Promise<{ reports: ListedReport[]; total_count: number }> {
  let found = selectReports(db)
  if (status === 'open' && kept.length > 0) {
    found = found.where((eb) =>
      eb.or([eb('reports.status', '=', status), eb('reports.id', 'in', kept)]),
    )
  } else if (status) found = found.where('reports.status', '=', status)
  const inOrder = found.orderBy('reports.created_at', 'desc').orderBy('reports.id', 'desc')
  const { rows, total } = await pageOf(inOrder, page)
  return { reports: await toListed(db, rows), total_count: total }
}

/** Throws not_found. */
export async function getReport(db: DbOrTrx, id: string): Promise<ListedReport> {
  const rows = await selectReports(db).where('reports.id', '=', id).execute()
  const [report] = await toListed(db, rows)
  if (!report) throw new DomainError('not_found.report')
  return report
}

/** Returns how many reports wait for a moderator. */
export async function countOpenReports(db: DbOrTrx): Promise<number> {
  return (await openReports(db).executeTakeFirstOrThrow()).count
}

/** Returns the query of `countOpenReports`, for a statement that counts more. */
export function openReports(db: DbOrTrx) {
  return db
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('status', '=', 'open')
}

/** Returns how many reports wait for a moderator, and since when the first does. */
export async function findOpenReports(
  db: DbOrTrx,
): Promise<{ count: number; oldest: Instant | null }> {
  return openReports(db)
    .select(({ fn }) => fn.min<Instant | null>('created_at').as('oldest'))
    .executeTakeFirstOrThrow()
}

function selectReports(db: DbOrTrx) {
  return db
    .selectFrom('reports')
    .innerJoin('accounts', 'accounts.id', 'reports.account_id')
    .leftJoin('accounts as decider', 'decider.id', 'decided_by')
    .leftJoin('qr_codes', 'qr_codes.qr_id', 'reports.qr_id')
    .leftJoin('accounts as owner', 'owner.id', 'qr_codes.owner_id')
    .leftJoin('conversations', 'conversations.id', 'reports.conversation_id')
    .selectAll('reports')
    .select(['conversations.sender_hash', 'conversations.browser_hash'])
    .select('accounts.email_verified_at')
    .select(['accounts.name as account_name', 'accounts.email as account_email'])
    .select(['accounts.mobile as account_mobile', 'accounts.role as account_role'])
    .select('owner.role as owner_role')
    .select(['decider.name as decider_name', 'qr_codes.is_active as is_code_active'])
    .select(['qr_codes.claimed_at', 'qr_codes.owner_id', 'qr_codes.child_account_id'])
}

type Row = Awaited<ReturnType<ReturnType<typeof selectReports>['execute']>>[number]

async function toListed(db: DbOrTrx, rows: Row[]): Promise<ListedReport[]> {
  const snapshots = rows.map((row) => readSnapshot(row))
  const left = await findImagesLeft(
    db,
    snapshots.flatMap((each) => imagesOf(each).map(({ id }) => id)),
  )
  return rows.map((row, i) => {
    const reported = snapshots[i] as Snapshot
    return {
      ...reported,
      id: row.id,
      reason: row.reason,
      text: row.text,
      qr_id: row.qr_id,
      account_id: row.account_id,
      account_name: row.account_name,
      account_email: row.account_email,
      account_mobile: row.account_mobile,
      holders: holdersOf(row),
      conversation_id: row.conversation_id,
      is_sender_known: row.sender_hash !== null || row.browser_hash !== null,
      has_address: row.account_email !== null && row.email_verified_at !== null,
      status: row.status,
      action: row.action,
      created_at: row.created_at,
      decided_at: row.decided_at,
      decider_name: row.decider_name,
      answer: row.answer,
      answered_at: row.answered_at,
      code: codeOf(row),
      is_claimers: isClaimers(row, reported),
      is_code_active: row.is_code_active === 1,
      images_left: imagesOf(reported)
        .map(({ id }) => id)
        .filter((id) => left.has(id)),
    }
  })
}

type Kept = Pick<Tables['reports'], 'kind' | 'snapshot'>

/** Reads the snapshot of the page or the conversation. */
export function readSnapshot({ kind, snapshot }: Kept): Snapshot {
  const { switched_off: _, ...shown } = JSON.parse(snapshot)
  return { kind, snapshot: shown } as Snapshot
}

/** Returns the ids of the code and the images that the decision switched off, and that their owner had on. */
export function readSwitchedOff({ snapshot }: Pick<Kept, 'snapshot'>): string[] {
  return JSON.parse(snapshot).switched_off ?? []
}

/** Returns the popup images that a page showed. */
export function imagesOf(reported: Snapshot): PageSnapshot['images'] {
  return reported.kind === 'page' ? reported.snapshot.images : []
}

async function findImagesLeft(db: DbOrTrx, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('popup_images').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Includes the present owner: of a child code, whose images are on its page, and of one that was handed over. */
function holdersOf(row: Row): Reported['holders'] {
  const { account_id, account_role, owner_id, owner_role } = row
  const user = { id: account_id, role: account_role }
  if (codeOf(row) === 'held' || owner_id === null || owner_role === null) return [user]
  return owner_id === account_id ? [user] : [user, { id: owner_id, role: owner_role }]
}

/** Reports of earlier versions do not say it: the present state of their codes decides. */
function isClaimers(row: Row, { kind, snapshot }: Snapshot): boolean {
  return kind === 'page' && (snapshot.is_claimers ?? codeOf(row) === 'held')
}

function codeOf({ account_id, owner_id, child_account_id, claimed_at }: Row): ReportedCode {
  if (owner_id === null) return 'deleted'
  if ((child_account_id ?? owner_id) !== account_id) return 'moved'
  return claimed_at === null ? 'there' : 'held'
}
