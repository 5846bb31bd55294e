import { ExpressionWrapper, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { inPages, PAGE_ROWS } from '#db/pages.ts'
import type { Account, Scan, Tables } from '#db/schema.ts'
import { QR_COLUMNS } from '#domain/codes/qr.ts'

/** Whose data it is; `closed` is until when conversations are closed to the account: `closedUntil`. */
export type Subject = Pick<Account, 'id' | 'email' | 'email_verified_at'> & { closed: string }
export type Row = Record<string, unknown>
type Query = SelectQueryBuilder<Tables, never, object>
/** One JSON file. The rows have an order in which no two are equal, so that they can be read in pages. */
export type Kind = {
  file: string
  rows: (db: DbOrTrx, who: Subject) => Query | AsyncIterable<Row[]>
  /** the folder of the files that rows name in `stored_name`, and the name that people gave them */
  folder?: string
}

/** The codes that the account sees as its own: not those that a claimer holds. */
const ownCodes = (db: DbOrTrx, { id }: Subject) =>
  db
    .selectFrom('qr_codes')
    .select('qr_codes.qr_id')
    .where(({ eb, or, and }) =>
      or([
        and([eb('owner_id', '=', id), eb('claimed_at', 'is', null)]),
        eb('child_account_id', '=', id),
      ]),
    )

const ownConversations = (db: DbOrTrx, { id, closed }: Subject) =>
  db
    .selectFrom('conversations')
    .where('conversations.account_id', '=', id)
    .where('conversations.created_at', '>', closed)
    .where(sql<SqlBool>`conversations.is_deleted = 0`)

const ownMessages = (db: DbOrTrx, who: Subject) =>
  db
    .selectFrom('conversation_messages')
    .where('conversation_id', 'in', ownConversations(db, who).select('conversations.id'))

/** They can be a million, so that each page begins where the one before ended. */
async function* pagesOfScans(db: DbOrTrx, who: Subject): AsyncGenerator<Row[]> {
  const codes = await ownCodes(db, who).orderBy('qr_codes.qr_id').execute()
  for (const { qr_id } of codes) {
    const pages = inPages<Scan>((last) =>
      db
        .selectFrom('scans')
        .selectAll()
        .where('qr_id', '=', qr_id)
        .$if(last !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('scanned_at', 'n'), '>', tuple(last?.scanned_at ?? '', last?.n ?? 0)),
          ),
        )
        .orderBy('scanned_at')
        .orderBy('n')
        .limit(PAGE_ROWS)
        .execute(),
    )
    for await (const scans of pages) yield scans.map(({ n: _, ...scan }) => scan)
  }
}

/** What is left out, and why. */
const TECHNICAL = 'only what the server needs for a short while'
const SECRET = 'only a secret, or a fingerprint of one'
const NOBODY = 'is about no account'

/**
 * What an export has of each table, column by column, so that a new one is not in it by chance; or why the
 * table is left out.
 */
export const CONTENTS: Record<keyof Tables, Kind | readonly Kind[] | string> = {
  meta: NOBODY,
  accounts: [
    {
      file: 'profile',
      rows: (db, { id }) =>
        db
          .selectFrom('accounts')
          .select(['id', 'name', 'email', 'email_verified_at', 'mobile', 'role', 'created_at'])
          .select(['subscription_plan', 'qr_limit', 'child_qr_quota', 'is_active', 'parent_id'])
          .select(['term_plan', 'term_ends_at', 'term_child_quota', 'term_reminded'])
          .where('id', '=', id)
          .orderBy('id'),
    },
    {
      file: 'child-users',
      rows: (db, { id }) =>
        db
          .selectFrom('accounts')
          .select(['id', 'name', 'created_at'])
          .where('parent_id', '=', id)
          .orderBy('id'),
    },
  ],
  temporary_permissions: {
    file: 'permissions',
    rows: (db, { id }) =>
      db
        .selectFrom('temporary_permissions')
        .select(['expires_at', 'role', 'subscription_plan', 'qr_limit', 'child_qr_quota'])
        .select(['is_active', 'lent_quota'])
        .where('account_id', '=', id)
        .orderBy('expires_at'),
  },
  sessions: {
    file: 'sessions',
    rows: (db, { id }) =>
      db
        .selectFrom('sessions')
        .select(['device', 'browser', 'created_at', 'last_used_at', 'expires_at', 'proven_at'])
        .where('account_id', '=', id)
        .orderBy('sessions.id'),
  },
  active_days: {
    file: 'active-days',
    rows: (db, { id }) =>
      db.selectFrom('active_days').select('day').where('account_id', '=', id).orderBy('day'),
  },
  one_time_codes: TECHNICAL,
  wrong_guesses: TECHNICAL,
  google_identities: {
    file: 'google',
    rows: (db, { id }) =>
      db
        .selectFrom('google_identities')
        .select(['issuer', 'subject', 'created_at'])
        .where('account_id', '=', id)
        .orderBy('created_at')
        .orderBy('subject'),
  },
  sign_in_codes: SECRET,
  qr_codes: [
    {
      file: 'codes',
      rows: (db, who) =>
        db
          .selectFrom('qr_codes')
          .select(['qr_id', 'qr_type', 'is_active', 'is_claimed', 'is_child_registered'])
          .select(QR_COLUMNS)
          .select(['contact_mode', 'show_vehicle', 'show_city', 'lost_since', 'lost_note'])
          .select(['lost_reward', 'earlier_scans', 'created_at', 'updated_at'])
          .where('qr_id', 'in', ownCodes(db, who))
          .orderBy('qr_id'),
    },
    {
      file: 'codes-held-by-claimers',
      rows: (db, { id }) =>
        db
          .selectFrom('qr_codes')
          .select(['qr_id', 'created_at', 'claimed_at'])
          .where('owner_id', '=', id)
          .where('claimed_at', 'is not', null)
          .orderBy('qr_id'),
    },
  ],
  transfers: {
    file: 'transfers',
    rows: (db, { id, email, email_verified_at }) =>
      db
        .selectFrom('transfers')
        .innerJoin('qr_codes', 'qr_codes.id', 'transfers.code_id')
        .select(['qr_id', 'transfers.email', 'include_documents'])
        .select(['transfers.created_at', 'transfers.expires_at'])
        .where(({ eb, or }) =>
          or([
            eb('from_account_id', '=', id),
            eb('transfers.email', '=', (email_verified_at && email) ?? ''),
          ]),
        )
        .orderBy('transfers.id'),
  },
  scans: {
    file: 'scans',
    rows: (db, who) => pagesOfScans(db, who),
  },
  scan_quarters: NOBODY,
  owner_scans: 'has the sums of the scans, and of those of codes that claimers hold',
  documents: {
    file: 'documents',
    folder: 'documents',
    rows: (db, { id }) =>
      db
        .selectFrom('documents')
        .select(['id', 'qr_id', 'document_type', 'document_side', 'is_public', 'file_name'])
        .select(['file_size', 'content_type', 'uploaded_at', 'expires_on', 'stored_name'])
        .where('account_id', '=', id)
        .where('is_locked', '=', 0)
        .orderBy('id'),
  },
  document_views: {
    file: 'document-views',
    rows: (db, who) =>
      db
        .selectFrom('document_views')
        .select(['qr_id', 'document_type', 'document_side', 'viewed_at'])
        .where('qr_id', 'in', ownCodes(db, who))
        .orderBy('viewed_at')
        .orderBy('id'),
  },
  share_links: {
    file: 'shared-links',
    rows: (db, { id }) =>
      db
        .selectFrom('share_links')
        .select(['document_id', 'share_method', 'recipient', 'created_at', 'expires_at'])
        .where('account_id', '=', id)
        .orderBy('token_hash'),
  },
  popup_images: {
    file: 'popup-images',
    folder: 'popup-images',
    rows: (db, { id }) =>
      db
        .selectFrom('popup_images')
        .select(['id', 'file_name', 'file_size', 'width', 'height', 'is_active', 'uploaded_at'])
        .select('stored_name')
        .where('account_id', '=', id)
        .orderBy('id'),
  },
  admin_messages: NOBODY,
  password_reset_requests: {
    file: 'password-requests',
    rows: (db, who) =>
      db
        .selectFrom('password_reset_requests')
        .select(['qr_id', 'status', 'requested_at', 'processed_at', 'child_answer', 'lang'])
        .where(({ eb, or }) =>
          or([eb('child_account_id', '=', who.id), eb('qr_id', 'in', ownCodes(db, who))]),
        )
        .orderBy('id'),
  },
  reset_questions: {
    file: 'password-resets',
    rows: (db, { id }) =>
      db
        .selectFrom('reset_questions')
        .select(['approved_by', 'reset_at', 'denied_at'])
        .where('account_id', '=', id)
        .orderBy('reset_at'),
  },
  password_reset_tokens: SECRET,
  promo_codes: NOBODY,
  promo_redemptions: {
    file: 'promo-codes',
    rows: (db, { id }) =>
      db
        .selectFrom('promo_redemptions')
        .select(['id', 'code', 'subscription_plan', 'child_qr_quantity', 'discount_value'])
        .select(['status', 'redeemed_at', 'decided_at', 'plan_months'])
        .where('account_id', '=', id)
        .orderBy('id'),
  },
  upgrade_requests: {
    file: 'upgrade-requests',
    folder: 'payments',
    rows: (db, { id }) =>
      db
        .selectFrom('upgrade_requests')
        .select(['id', 'current_plan', 'requested_plan', 'amount', 'discount', 'months'])
        .select(['payment_method', 'payment_reference', 'notes', 'status', 'requested_at'])
        .select(['approved_at', 'decision_notes', 'screenshot_name as stored_name'])
        .where('account_id', '=', id)
        .orderBy('id'),
  },
  receipt_years: NOBODY,
  receipts: {
    file: 'receipts',
    rows: (db, { id }) =>
      db
        .selectFrom('receipts')
        .select(['number', 'account_name', 'account_contact', 'issued_at', 'plan', 'months'])
        .select(['starts_at', 'ends_at', 'amount', 'discount', 'promo_code', 'payment_method'])
        .select(['payment_reference', 'operator_name', 'operator_address', 'operator_contact'])
        .select(['gstin', 'gst_rate'])
        .where('account_id', '=', id)
        .orderBy('number'),
  },
  api_keys: {
    file: 'api-keys',
    rows: (db, { id }) =>
      db
        .selectFrom('api_keys')
        .select(['name', 'created_at', 'last_used_at'])
        .where('account_id', '=', id)
        .orderBy('id'),
  },
  audit_events: {
    file: 'acts-of-administrators',
    rows: (db, { id }) =>
      db
        .selectFrom('audit_events')
        .select(['happened_at', 'action', 'subject_type', 'subject_id', 'before', 'after'])
        .where(({ eb, or, selectFrom }) =>
          or([
            eb('subject_id', '=', id),
            eb(
              'subject_id',
              'in',
              selectFrom('upgrade_requests').select('id').where('account_id', '=', id),
            ),
            eb(
              'subject_id',
              'in',
              selectFrom('promo_redemptions').select('id').where('account_id', '=', id),
            ),
          ]),
        )
        .orderBy('happened_at')
        .orderBy('id'),
  },
  lost_periods: {
    file: 'lost-periods',
    rows: (db, who) =>
      db
        .selectFrom('lost_periods')
        .select(['qr_id', 'since', 'until', 'earlier_scans'])
        .where('qr_id', 'in', ownCodes(db, who))
        .orderBy('qr_id')
        .orderBy('since'),
  },
  conversations: {
    file: 'conversations',
    folder: 'conversation-photos',
    rows: (db, who) =>
      ownConversations(db, who)
        .select(['id', 'kind', 'reason', 'subject', 'ticket_number', 'status'])
        // As `knownIdOf`.
        .select(({ eb, ref, fn }) =>
          eb
            .case()
            .when('qr_id', 'in', ownCodes(db, who))
            .then(ref('qr_id'))
            .else(fn.coalesce('replaced_id', 'qr_id'))
            .end()
            .as('qr_id'),
        )
        .select(['is_muted', 'first_line', 'name', 'place', 'latitude', 'longitude', 'accuracy'])
        // As the owner sees it.
        .select(({ eb, ref }) =>
          eb.case().when('show_contact', '=', 1).then(ref('reply_to')).end().as('contact'),
        )
        .select(['created_at', 'last_message_at', 'closed_at', 'ended_at', 'lang'])
        .select('photo_name as stored_name')
        .orderBy('conversations.id'),
  },
  conversation_messages: {
    file: 'messages',
    rows: (db, who) =>
      ownMessages(db, who)
        .select(['conversation_id', 'n', 'sender', 'author', 'kind', 'text', 'sent_at'])
        .orderBy('conversation_id')
        .orderBy('n'),
  },
  conversation_attachments: {
    file: 'attachments',
    folder: 'attachments',
    rows: (db, who) =>
      db
        .selectFrom('conversation_attachments')
        .select(['message_id', 'file_name', 'file_size', 'content_type', 'stored_name'])
        .where('message_id', 'in', ownMessages(db, who).select('conversation_messages.id'))
        .orderBy('message_id')
        .orderBy('stored_name'),
  },
  conversation_mails: TECHNICAL,
  conversation_changes: TECHNICAL,
  blocked_senders: 'only a fingerprint of somebody else’s network',
  reports: {
    file: 'reports',
    rows: (db, { id }) =>
      db
        .selectFrom('reports')
        .select(['conversation_id', 'reason', 'text', 'status', 'action', 'created_at'])
        .where('account_id', '=', id)
        // A page is reported by somebody else.
        .where('kind', '=', 'conversation')
        .orderBy('id'),
  },
  alert_channels: {
    file: 'alert-channels',
    rows: (db, { id }) =>
      db
        .selectFrom('alert_channels')
        .select(['id', 'kind', 'created_at', 'delivered_at', 'failing_since'])
        .select('unreachable_since')
        .where('account_id', '=', id)
        .orderBy('id'),
  },
  alert_choices: {
    file: 'alert-choices',
    rows: (db, { id }) =>
      db
        .selectFrom('alert_choices')
        .select(['event', 'kind', 'is_on'])
        .where('account_id', '=', id)
        .orderBy('event')
        .orderBy('kind'),
  },
  quiet_hours: {
    file: 'quiet-hours',
    rows: (db, { id }) =>
      db
        .selectFrom('quiet_hours')
        .select(['starts', 'ends'])
        .where('account_id', '=', id)
        .orderBy('starts'),
  },
  scan_alerts: TECHNICAL,
  telegram_codes: SECRET,
  webhook_deliveries: {
    file: 'webhook-deliveries',
    rows: (db, who) =>
      db
        .selectFrom('webhook_deliveries')
        .innerJoin('alert_channels', 'alert_channels.id', 'webhook_deliveries.channel_id')
        .select(['channel_id', 'event', 'webhook_deliveries.created_at', 'attempts'])
        // A code that somebody else has may have another id since.
        .select(({ eb, ref }) =>
          eb.case().when('qr_id', 'in', ownCodes(db, who)).then(ref('qr_id')).end().as('qr_id'),
        )
        .select(['status', 'answer'])
        .where('account_id', '=', who.id)
        .orderBy('webhook_deliveries.id'),
  },
  outbox: TECHNICAL,
  ended_access: {
    file: 'ended-access',
    rows: (db, { id }) =>
      db
        .selectFrom('ended_access')
        .select(['ended_at', 'keys', 'links', 'channels', 'calendar'])
        .where('account_id', '=', id)
        .orderBy('id'),
  },
  known_programs: {
    file: 'known-programs',
    rows: (db, { id }) =>
      db
        .selectFrom('known_programs')
        .select('seen_at')
        .where('account_id', '=', id)
        .orderBy('program_hash'),
  },
  brands: {
    file: 'brand',
    folder: 'brand',
    rows: (db, { id }) =>
      db
        .selectFrom('brands')
        .select(['name', 'colour', 'footer', 'hides_product', 'updated_at'])
        .select('logo_file as stored_name')
        .where('account_id', '=', id)
        .orderBy('updated_at'),
  },
  brand_domains: {
    file: 'own-address',
    rows: (db, { id }) =>
      db
        .selectFrom('brand_domains')
        .select(['domain', 'created_at', 'asked_at', 'verified_at'])
        .where('account_id', '=', id)
        .orderBy('domain'),
  },
  domain_prints: {
    file: 'printed-with-own-address',
    rows: (db, who) =>
      db
        .selectFrom('domain_prints')
        .select('qr_id')
        .where('account_id', '=', who.id)
        .where('qr_id', 'in', ownCodes(db, who))
        .orderBy('qr_id'),
  },
  due_digests: {
    file: 'digests',
    rows: (db, { id }) =>
      db.selectFrom('due_digests').select('day').where('account_id', '=', id).orderBy('day'),
  },
  calendars: {
    file: 'calendar',
    rows: (db, { id }) =>
      db
        .selectFrom('calendars')
        .select('created_at')
        .where('account_id', '=', id)
        .orderBy('created_at'),
  },
  replaced_ids: {
    file: 'replaced-codes',
    rows: (db, who) =>
      db
        .selectFrom('replaced_ids')
        .innerJoin('qr_codes', 'qr_codes.id', 'replaced_ids.code_id')
        .select(['replaced_ids.qr_id as earlier', 'qr_codes.qr_id as now', 'replaced_at'])
        .where('qr_codes.qr_id', 'in', ownCodes(db, who))
        .orderBy('replaced_ids.qr_id'),
  },
  activation_codes: SECRET,
  new_emails: {
    file: 'new-email',
    rows: (db, { id }) =>
      db
        .selectFrom('new_emails')
        .select(['email', 'asked_at'])
        .where('account_id', '=', id)
        .orderBy('asked_at'),
  },
  email_ways_back: {
    file: 'earlier-emails',
    rows: (db, { id }) =>
      db
        .selectFrom('email_ways_back')
        .select(['email', 'changed_at', 'expires_at'])
        .where('account_id', '=', id)
        .orderBy('changed_at')
        .orderBy('token_hash'),
  },
  authenticators: {
    file: 'authenticator-app',
    rows: (db, { id }) =>
      db
        .selectFrom('authenticators')
        .select(['created_at', 'confirmed_at'])
        .where('account_id', '=', id)
        .orderBy('created_at'),
  },
  recovery_codes: SECRET,
  trusted_devices: {
    file: 'trusted-devices',
    rows: (db, { id }) =>
      db
        .selectFrom('trusted_devices')
        .select('trusted_until')
        .where('account_id', '=', id)
        .orderBy('trusted_until')
        .orderBy('device_id'),
  },
  sign_in_tickets: SECRET,
  passkeys: {
    file: 'passkeys',
    rows: (db, { id }) =>
      db
        .selectFrom('passkeys')
        .select(['name', 'created_at', 'last_used_at'])
        .where('account_id', '=', id)
        .orderBy('created_at')
        .orderBy('id'),
  },
  spent_challenges: SECRET,
  consents: {
    file: 'consents',
    rows: (db, { id }) =>
      db
        .selectFrom('consents')
        .select(['version', 'given_at'])
        .where('account_id', '=', id)
        .orderBy('version'),
  },
  guardian_waits: {
    file: 'guardian',
    rows: (db, { id }) =>
      db
        .selectFrom('guardian_waits')
        .select('asked_at')
        .where('account_id', '=', id)
        .orderBy('asked_at'),
  },
  exports: 'is the export itself',
  account_deletions: 'nobody makes an export meanwhile',
}

/** The rows of a kind, a page in each turn. */
export async function* rowsOf(db: DbOrTrx, kind: Kind, who: Subject): AsyncGenerator<Row[]> {
  const rows = kind.rows(db, who)
  yield* Symbol.asyncIterator in rows ? rows : pagesOf(rows)
}

/** Each page begins after the last row by the order of the query, so rows that come and go shift no others. */
async function* pagesOf(query: Query): AsyncGenerator<Row[]> {
  const { orderBy } = query.toOperationNode()
  const order = (orderBy?.items ?? []).map((each) => new ExpressionWrapper(each.orderBy))
  const keyed = query.select(order.map((key, n) => key.as(`key_${n}`)))
  const pages = inPages<Row>((last) =>
    keyed
      .$if(last !== undefined, (rest) => {
        const keys = order.map((_, n) => last?.[`key_${n}`])
        return rest.where(sql<SqlBool>`(${sql.join(order)}) > (${sql.join(keys)})`)
      })
      .limit(PAGE_ROWS)
      .execute(),
  )
  for await (const rows of pages) yield rows.map(withoutKeys)
}

function withoutKeys(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !column.startsWith('key_')))
}

/** All files of an export. */
export const KINDS: readonly Kind[] = Object.values(CONTENTS).flatMap((each) =>
  typeof each === 'string' ? [] : each,
)
