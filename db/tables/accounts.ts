import { KNOWN_SECONDS } from '#db/accounts/known-programs.ts'
import { deleted, forgetInAudit, ROWS_AT_ONCE } from '#db/deletions/steps.ts'
import { forgetOldActs, forgetOldGuesses, forgetOldKeys } from '#db/retention.ts'
import { deleteAfter } from '#db/sweep.ts'
import {
  ABOUT_NO_ACCOUNT,
  AS_LONG_AS_PARENT,
  ownRows,
  ownTable,
  provenEmail,
  REPLACED,
  SECRET,
  type Table,
  TECHNICAL,
  WITH_PARENT,
} from '#db/tables/table.ts'

const HASHED = 'has keyed fingerprints alone, for half a year at most'

export const ACCOUNT_TABLES = {
  meta: ABOUT_NO_ACCOUNT,
  accounts: {
    exported: [
      {
        file: 'profile',
        rows: (db, { id }) =>
          db
            .selectFrom('accounts')
            .select(['id', 'name', 'email', 'email_verified_at', 'mobile', 'role', 'created_at'])
            .select(['login_id', 'email_lost_at'])
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
    removed: async (trx, { account }) => {
      const losers = trx.updateTable('accounts').set({ lost_email: null })
      await losers.where('lost_email', '=', provenEmail(account)).execute()
      return deleted(trx.deleteFrom('accounts').where('id', '=', account.id))
    },
    kept: 'until it is deleted',
  },
  temporary_permissions: ownTable(
    'temporary_permissions',
    'permissions',
    [
      'expires_at',
      'role',
      'subscription_plan',
      'qr_limit',
      'child_qr_quota',
      'is_active',
      'lent_quota',
    ],
    'expires_at',
  ),
  sessions: {
    ...ownTable(
      'sessions',
      'sessions',
      ['device', 'browser', 'created_at', 'last_used_at', 'expires_at', 'proven_at'],
      'id',
    ),
    kept: deleteAfter('sessions', 'expires_at'),
  },
  invitations: {
    ...ownTable(
      'invitations',
      'invitations',
      ['email', 'was_mailed', 'created_at', 'expires_at'],
      'created_at',
      'email',
    ),
    kept: deleteAfter('invitations', 'expires_at'),
  },
  active_days: {
    exported: { file: 'active-days', rows: ownRows('active_days', ['day'], 'day') },
    removed: (trx, { account: { id } }) =>
      deleted(trx.deleteFrom('active_days').where('account_id', '=', id)),
    kept: AS_LONG_AS_PARENT,
  },
  one_time_codes: {
    exported: TECHNICAL,
    removed: (trx, { account }) =>
      deleted(
        trx
          .deleteFrom('one_time_codes')
          .where(({ eb, or }) =>
            or([
              eb('contact', 'in', [provenEmail(account), account.mobile ?? '']),
              eb('contact', 'like', `% ${account.id}`),
            ]),
          ),
      ),
    kept: REPLACED,
  },
  wrong_guesses: { exported: TECHNICAL, removed: HASHED, kept: forgetOldGuesses },
  google_identities: ownTable(
    'google_identities',
    'google',
    ['issuer', 'subject', 'created_at'],
    'created_at',
    'subject',
  ),
  sign_in_codes: { exported: SECRET, removed: WITH_PARENT, kept: REPLACED },
  sign_in_tickets: { exported: SECRET, removed: WITH_PARENT, kept: REPLACED },
  authenticators: ownTable(
    'authenticators',
    'authenticator-app',
    ['created_at', 'confirmed_at'],
    'created_at',
  ),
  recovery_codes: { exported: SECRET, removed: WITH_PARENT, kept: AS_LONG_AS_PARENT },
  trusted_devices: {
    ...ownTable(
      'trusted_devices',
      'trusted-devices',
      ['trusted_until'],
      'trusted_until',
      'device_id',
    ),
    kept: REPLACED,
  },
  passkeys: ownTable(
    'passkeys',
    'passkeys',
    ['name', 'created_at', 'last_used_at'],
    'created_at',
    'id',
  ),
  spent_challenges: {
    exported: SECRET,
    removed: HASHED,
    kept: deleteAfter('spent_challenges', 'ends_at'),
  },
  new_emails: ownTable('new_emails', 'new-email', ['email', 'asked_at'], 'asked_at'),
  email_ways_back: {
    ...ownTable(
      'email_ways_back',
      'earlier-emails',
      ['email', 'changed_at', 'expires_at'],
      'changed_at',
      'token_hash',
    ),
    kept: REPLACED,
  },
  ended_access: {
    ...ownTable(
      'ended_access',
      'ended-access',
      ['ended_at', 'keys', 'links', 'channels', 'calendar', 'domain'],
      'id',
    ),
    kept: 'until the account has read it',
  },
  known_programs: {
    ...ownTable('known_programs', 'known-programs', ['seen_at'], 'program_hash'),
    kept: deleteAfter('known_programs', 'seen_at', KNOWN_SECONDS),
  },
  api_keys: ownTable(
    'api_keys',
    'api-keys',
    ['name', 'created_at', 'last_used_at', 'scopes'],
    'id',
  ),
  idempotency_keys: {
    exported: TECHNICAL,
    removed: (trx, { account: { id } }) =>
      deleted(
        trx
          .deleteFrom('idempotency_keys')
          .where('id', 'in', ({ selectFrom }) =>
            selectFrom('idempotency_keys')
              .select('id')
              .where('account_id', '=', id)
              .limit(ROWS_AT_ONCE),
          ),
      ),
    kept: forgetOldKeys,
  },
  consents: ownTable('consents', 'consents', ['version', 'given_at'], 'version'),
  exports: {
    exported: 'is the export itself',
    removed: WITH_PARENT,
    kept: 'for 24 hours, with its file',
  },
  account_deletions: {
    exported: 'nobody can request an export during a deletion',
    removed: WITH_PARENT,
    kept: 'until the account is removed or kept',
  },
  audit_events: {
    exported: [
      {
        file: 'acts-of-administrators',
        rows: (db, { id }) =>
          db
            .selectFrom('audit_events')
            .select(['happened_at', 'action', 'subject_type', 'subject_id', 'before', 'after'])
            .where('owner_id', 'is', null)
            .where(({ eb, or, selectFrom }) =>
              or([
                eb('subject_id', '=', id),
                ...(['upgrade_requests', 'promo_redemptions'] as const).map((table) =>
                  eb(
                    'subject_id',
                    'in',
                    selectFrom(table).select('id').where('account_id', '=', id),
                  ),
                ),
              ]),
            )
            .orderBy('happened_at')
            .orderBy('id'),
      },
      {
        file: 'acts-of-people',
        rows: (db, { id }) =>
          db
            .selectFrom('audit_events')
            .select(['happened_at', 'actor', 'action', 'subject_type', 'subject_id'])
            .where('owner_id', '=', id)
            .orderBy('happened_at')
            .orderBy('id'),
      },
    ],
    removed: forgetInAudit,
    kept: forgetOldActs,
  },
  admin_messages: ABOUT_NO_ACCOUNT,
  admin_message_texts: ABOUT_NO_ACCOUNT,
} satisfies Record<string, Table>
