import { type SqlBool, sql, type Transaction } from 'kysely'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { NO_CLAIM, NO_ENDING, NO_PIN } from '#db/codes/claims.ts'
import { laterThan, leaveCodes } from '#db/codes/qr-changes.ts'
import type { Making } from '#db/codes/qr-creation.ts'
import { photoFilesOf } from '#db/conversations/endings.ts'
import { withdrawNotices } from '#db/conversations/notices.ts'
import { type EndingCode, toEndingCode } from '#db/deletions/deletions.ts'
import { handOverReport } from '#db/deletions/reports.ts'
import type { Notify } from '#db/outbox.ts'
import { forgetScanTimes } from '#db/scans/earlier-scans.ts'
import type { Account, Flag, Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { NO_QR_FIELDS } from '#domain/codes/qr.ts'
import { VISIBLE } from '#domain/codes/visibility.ts'

type Trx = Transaction<Tables>
type Removing = Making & { account: Account; notify: Notify<EndingCode> }
/** How much a step has done, and the stored files that have no row any more. */
type Done = { count: number; stored_names?: string[] }
type Step = (trx: Trx, removing: Removing) => Promise<Done>

/** Rows that go in one transaction: more would keep finders waiting. */
const ROWS_AT_ONCE = 500
const FILES_AT_ONCE = 50

/** Goes with the row of the account, which is removed last, or with its code or conversation. */
const WITH_IT = 'goes with the account, its code or its conversation'
const NOBODY = 'is about no account'
const HASHED = 'has keyed fingerprints alone, for half a year at most'
const BY_LAW = 'stays, because the law asks for it; its account is then null'

/**
 * What becomes of each table when an account is removed, in the order in which the steps are made. Each step is
 * repeated, a transaction each time, until it has nothing left to do: a crash loses no more than the last one.
 */
export const REMOVALS: Record<keyof Tables, Step | string> = {
  // First, while the rows that it is about are there. They keep the id of the account alone.
  audit_events: forgetInAudit,
  outbox: async (trx, { account: { email } }) =>
    rowsOf(trx.deleteFrom('outbox').where('recipient', '=', email ?? '')),
  one_time_codes: async (trx, { account: { id, email, mobile } }) =>
    rowsOf(
      trx
        .deleteFrom('one_time_codes')
        .where(({ eb, or }) =>
          or([eb('contact', 'in', [email ?? '', mobile ?? '']), eb('contact', 'like', `% ${id}`)]),
        ),
    ),
  transfers: async (trx, { account: { email, email_verified_at } }) =>
    rowsOf(trx.deleteFrom('transfers').where('email', '=', (email_verified_at && email) || '')),
  qr_codes: async (trx, removing) =>
    firstOf(
      () => removeCode(trx, removing),
      () => leaveUsedCode(trx, removing),
      () => leaveCreated(trx, removing),
    ),
  documents: async (trx, { account: { id } }) => {
    const rows = await trx
      .selectFrom('documents')
      .select(['id', 'stored_name', 'thumbnail_name'])
      .where('account_id', '=', id)
      .limit(FILES_AT_ONCE)
      .execute()
    return remove(trx, 'documents', rows, (row) => [row.stored_name, row.thumbnail_name])
  },
  popup_images: async (trx, { account: { id } }) => {
    const rows = await trx
      .selectFrom('popup_images')
      .select(['id', 'stored_name'])
      .where('account_id', '=', id)
      .limit(FILES_AT_ONCE)
      .execute()
    return remove(trx, 'popup_images', rows, (row) => [row.stored_name])
  },
  upgrade_requests: async (trx, { account: { id } }) => {
    const rows = await trx
      .selectFrom('upgrade_requests')
      .select(['id', 'screenshot_name'])
      .where('account_id', '=', id)
      .limit(FILES_AT_ONCE)
      .execute()
    return remove(trx, 'upgrade_requests', rows, (row) => [row.screenshot_name])
  },
  reports: async (trx, { account: { id } }) => ({ count: await handOverReport(trx, id) }),
  conversations: removeConversations,
  conversation_messages: leaveAnswers,
  // Without a reference, because they outlive their conversations.
  conversation_changes: async (trx, { account: { id } }) =>
    rowsOf(
      trx
        .deleteFrom('conversation_changes')
        .where('n', 'in', ({ selectFrom }) =>
          selectFrom('conversation_changes')
            .select('n')
            .where('account_id', '=', id)
            .limit(ROWS_AT_ONCE),
        ),
    ),
  brands: async (trx, { account: { id } }) => {
    const rows = await trx
      .deleteFrom('brands')
      .where('account_id', '=', id)
      .returning('logo_file')
      .execute()
    return { count: rows.length, stored_names: present(rows.map((row) => row.logo_file)) }
  },
  owner_scans: async (trx, { account: { id } }) =>
    rowsOf(
      trx
        .deleteFrom('owner_scans')
        .where('owner_id', '=', id)
        .where('quarter', 'in', ({ selectFrom }) =>
          selectFrom('owner_scans')
            .select('quarter')
            .where('owner_id', '=', id)
            .limit(ROWS_AT_ONCE),
        ),
    ),
  active_days: async (trx, { account: { id } }) =>
    rowsOf(trx.deleteFrom('active_days').where('account_id', '=', id)),
  // Last, with what refers to it.
  accounts: async (trx, { account: { id } }) =>
    rowsOf(trx.deleteFrom('accounts').where('id', '=', id)),
  account_deletions: WITH_IT,
  temporary_permissions: WITH_IT,
  sessions: WITH_IT,
  google_identities: WITH_IT,
  sign_in_codes: WITH_IT,
  scans: WITH_IT,
  document_views: WITH_IT,
  share_links: WITH_IT,
  password_reset_requests: WITH_IT,
  reset_questions: WITH_IT,
  password_reset_tokens: WITH_IT,
  promo_redemptions: WITH_IT,
  api_keys: WITH_IT,
  lost_periods: WITH_IT,
  conversation_attachments: WITH_IT,
  conversation_mails: WITH_IT,
  blocked_senders: WITH_IT,
  alert_channels: WITH_IT,
  alert_choices: WITH_IT,
  quiet_hours: WITH_IT,
  scan_alerts: WITH_IT,
  telegram_codes: WITH_IT,
  webhook_deliveries: WITH_IT,
  ended_access: WITH_IT,
  known_programs: WITH_IT,
  brand_domains: WITH_IT,
  domain_prints: WITH_IT,
  due_digests: WITH_IT,
  calendars: WITH_IT,
  replaced_ids: WITH_IT,
  activation_codes: WITH_IT,
  new_emails: WITH_IT,
  email_ways_back: WITH_IT,
  authenticators: WITH_IT,
  recovery_codes: WITH_IT,
  trusted_devices: WITH_IT,
  sign_in_tickets: WITH_IT,
  passkeys: WITH_IT,
  consents: WITH_IT,
  guardian_waits: WITH_IT,
  exports: WITH_IT,
  receipts: BY_LAW,
  wrong_guesses: HASHED,
  spent_challenges: HASHED,
  meta: NOBODY,
  scan_quarters: NOBODY,
  admin_messages: NOBODY,
  promo_codes: NOBODY,
  receipt_years: NOBODY,
}

const STEPS = Object.values(REMOVALS).filter((each) => typeof each !== 'string')

/** The next account but for some whose days are over, which nobody takes back any more. */
export async function claimDueDeletion(
  db: Db,
  but: readonly string[],
  now: Date,
): Promise<Account | undefined> {
  const at = toInstant(now)
  const due = () =>
    db
      .selectFrom('account_deletions')
      .innerJoin('accounts', 'accounts.id', 'account_id')
      .selectAll('accounts')
      .where('ends_at', '<=', at)
      .where('account_id', 'not in', but)
      .orderBy('ends_at')
      .limit(1)
      .executeTakeFirst()
  const found = await due()
  if (!found) return undefined
  return inTransaction(db, async (trx) => {
    const claimed = await trx
      .updateTable('account_deletions')
      .set({ token_hash: null })
      .where('account_id', '=', found.id)
      .where('ends_at', '<=', at)
      .executeTakeFirst()
    return claimed.numUpdatedRows > 0n ? found : undefined
  })
}

/**
 * Removes everything of an account, a step in each turn, and names the stored files that have no row any more.
 * Ends early with whoever takes the steps; the next call goes on. `notify` is told of codes that others used.
 */
export async function* removeAccount(db: Db, removing: Removing): AsyncGenerator<string[]> {
  for (const step of STEPS) {
    for (;;) {
      const { count, stored_names = [] } = await inTransaction(db, (trx) => step(trx, removing))
      yield stored_names
      if (count === 0) break
    }
  }
}

type Deleting = { executeTakeFirst(): Promise<{ numDeletedRows: bigint }> }

async function rowsOf(deleting: Deleting): Promise<Done> {
  const { numDeletedRows } = await deleting.executeTakeFirst()
  return { count: Number(numDeletedRows) }
}

async function remove<Row extends { id: string }>(
  trx: Trx,
  table: 'documents' | 'popup_images' | 'upgrade_requests' | 'conversations',
  rows: Row[],
  namesIn: (row: Row) => (string | null)[],
): Promise<Done> {
  if (rows.length === 0) return { count: 0 }
  const ids = rows.map(({ id }) => id)
  await trx.deleteFrom(table).where('id', 'in', ids).execute()
  return { count: rows.length, stored_names: present(rows.flatMap(namesIn)) }
}

function present(names: (string | null)[]): string[] {
  return names.filter((name) => name !== null)
}

/** The first of some works that has something to do. */
async function firstOf(...works: (() => Promise<Done>)[]): Promise<Done> {
  for (const work of works) {
    const done = await work()
    if (done.count > 0) return done
  }
  return { count: 0 }
}

/** Names, addresses and numbers go from the audit log; the ids stay. */
async function forgetInAudit(trx: Trx, { account: { id, name } }: Removing): Promise<Done> {
  const own = await trx
    .updateTable('audit_events')
    .set({ actor: id })
    .where('actor_id', '=', id)
    .where('actor', '!=', id)
    .executeTakeFirst()
  const about = await trx
    .updateTable('audit_events')
    .set({ before: null, after: null })
    .where(({ eb, or, and, selectFrom }) =>
      or([
        eb('subject_id', '=', id),
        ...(['upgrade_requests', 'promo_redemptions'] as const).map((table) =>
          eb('subject_id', 'in', selectFrom(table).select('id').where('account_id', '=', id)),
        ),
        eb('subject_id', 'in', selectFrom('qr_codes').select('id').where('owner_id', '=', id)),
        // Those of others, which this account has given or got.
        and([
          eb('action', '=', 'qr_code.transferred'),
          or(
            (['before', 'after'] as const).map(
              (column) => sql<SqlBool>`${sql.ref(column)} like ${likeOwner(name)} escape '!'`,
            ),
          ),
        ]),
      ]),
    )
    .where(({ eb, or }) => or([eb('before', 'is not', null), eb('after', 'is not', null)]))
    .executeTakeFirst()
  return { count: Number(own.numUpdatedRows + about.numUpdatedRows) }
}

/** What has an owner of that name in it. */
function likeOwner(name: string): string {
  return `%"owner":${JSON.stringify(name).replace(/[!%_]/g, '!$&')}%`
}

/** One of the account's codes: first its scans, then it. */
async function removeCode(trx: Trx, { account, now, notify }: Removing): Promise<Done> {
  const code = await trx
    .selectFrom('qr_codes')
    .select(['id', 'qr_id', 'owner_id', 'child_account_id', 'claim_email', 'claim_lang'])
    .where('owner_id', '=', account.id)
    .limit(1)
    .executeTakeFirst()
  if (!code) return { count: 0 }
  const { id, qr_id } = code
  const scans = await trx
    .selectFrom('scans')
    .select('scanned_at')
    .where('qr_id', '=', qr_id)
    .orderBy('scanned_at')
    .limit(ROWS_AT_ONCE)
    .execute()
  if (scans.length === ROWS_AT_ONCE) {
    return { count: await forgetScanTimes(trx, code, scans.at(-1)?.scanned_at) }
  }
  const stored_names = await leaveCodes(trx, [qr_id], now)
  await trx.deleteFrom('qr_codes').where('id', '=', id).execute()
  for (const ended of toEndingCode(code)) await notify(trx, ended)
  return { count: 1, stored_names }
}

/** For a code that ends with its owner's account too: one that a moderator switched off stays off if that is kept. */
const STILL_ENDING = {
  is_ending: sql<Flag>`case when stopped_by_report is null then is_ending else 0 end`,
}

/** A code that the account used as a child user is its owner's again, with nothing on it. */
async function leaveUsedCode(trx: Trx, { account, now, contactMode }: Removing): Promise<Done> {
  const code = await trx
    .selectFrom('qr_codes')
    .leftJoin('account_deletions', 'account_deletions.account_id', 'owner_id')
    .select(['id', 'qr_id', 'updated_at'])
    .select('account_deletions.account_id as ending')
    .where('child_account_id', '=', account.id)
    .executeTakeFirst()
  if (!code) return { count: 0 }
  const { id, qr_id, updated_at, ending } = code
  const stored_names = await leaveCodes(trx, [qr_id], now)
  await trx.deleteFrom('documents').where('qr_id', '=', qr_id).execute()
  await trx.deleteFrom('conversations').where('qr_id', '=', qr_id).execute()
  for (const table of ['document_views', 'lost_periods', 'scan_alerts'] as const) {
    await trx.deleteFrom(table).where('qr_id', '=', qr_id).execute()
  }
  await trx
    .updateTable('qr_codes')
    .set({
      ...NO_QR_FIELDS,
      ...NO_PIN,
      ...NO_CLAIM,
      ...VISIBLE,
      contact_mode: contactMode,
      child_account_id: null,
      is_child_registered: toFlag(false),
      is_claimed: toFlag(false),
      ...(ending ? STILL_ENDING : NO_ENDING),
      updated_at: laterThan(updated_at, now),
    })
    .where('id', '=', id)
    .execute()
  return { count: 1, stored_names }
}

/** Codes that the account has made and others own count against those. */
async function leaveCreated(trx: Trx, { account: { id } }: Removing): Promise<Done> {
  const { numUpdatedRows } = await trx
    .updateTable('qr_codes')
    .set(({ ref }) => ({ created_by: ref('owner_id') }))
    .where('created_by', '=', id)
    .executeTakeFirst()
  return { count: Number(numUpdatedRows) }
}

/** What an admin answered in tickets of others loses their name. The audit log, which is swept, says whose it was. */
async function leaveAnswers(trx: Trx, { account: { id } }: Removing): Promise<Done> {
  const { numUpdatedRows } = await trx
    .updateTable('conversation_messages')
    .set({ author: null })
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('audit_events')
        .innerJoin('conversation_messages as answer', (join) =>
          join
            .onRef('answer.conversation_id', '=', 'subject_id')
            .onRef('answer.sent_at', '=', 'happened_at'),
        )
        .select('answer.id')
        .where('actor_id', '=', id)
        .where('action', '=', 'ticket.answered')
        .where('answer.author', 'is not', null)
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirst()
  return { count: Number(numUpdatedRows) }
}

/** Tickets, and what finders wrote on codes that are others' by now. */
async function removeConversations(trx: Trx, { account: { id } }: Removing): Promise<Done> {
  const rows = await trx
    .selectFrom('conversations')
    .select(['id', 'photo_name', 'photo_thumbnail_name'])
    .where('account_id', '=', id)
    .limit(FILES_AT_ONCE)
    .execute()
  if (rows.length === 0) return { count: 0 }
  const ids = rows.map((row) => row.id)
  const attached = await trx
    .selectFrom('conversation_attachments')
    .innerJoin('conversation_messages', 'conversation_messages.id', 'message_id')
    .select(['stored_name', 'thumbnail_name'])
    .where('conversation_id', 'in', ids)
    .execute()
  await withdrawNotices(trx, ids)
  const { count, stored_names = [] } = await remove(trx, 'conversations', rows, photoFilesOf)
  const more = attached.flatMap((each) => [each.stored_name, each.thumbnail_name])
  return { count, stored_names: [...stored_names, ...present(more)] }
}
