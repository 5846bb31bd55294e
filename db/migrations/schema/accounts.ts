/** Accounts, their sessions and credentials, and the notes of the installation. */
export const accounts: readonly string[] = [
  `create table meta (
    key text not null primary key,
    value text not null
  ) strict`,
  `create table accounts (
    id text not null primary key,
    name text not null,
    email text unique check (email = lower(email)),
    mobile text unique,
    password_hash text,
    role text not null check (role in ('client', 'premium', 'moderator', 'admin', 'super_admin')),
    subscription_plan text not null check (subscription_plan in ('free', 'premium', 'enterprise')),
    qr_limit whole not null check (qr_limit >= -1),
    child_qr_quota whole not null check (child_qr_quota >= 0),
    is_active flag not null check (is_active in (0, 1)),
    parent_id text references accounts (id) on delete set null,
    created_at text not null,
    email_verified_at text,
    term_plan text check (term_plan in ('premium', 'enterprise')),
    term_ends_at text check ((term_ends_at is null) = (term_plan is null)),
    term_child_quota whole not null default 0 check (term_child_quota >= 0),
    term_reminded whole not null default 0 check (term_reminded between 0 and 3),
    check (email is not null or mobile is not null)
  ) strict`,
  'create index accounts_by_parent on accounts (parent_id)',
  'create index accounts_by_created on accounts (created_at, id)',
  'create index accounts_by_role on accounts (role, created_at, id)',
  'create index blocked_accounts on accounts (id) where is_active = 0',
  `create index terms_to_remind_of on accounts (term_ends_at)
    where term_ends_at is not null and term_reminded < 3`,
  `create table temporary_permissions (
    account_id text not null primary key references accounts (id) on delete cascade,
    expires_at text not null,
    role text not null,
    subscription_plan text not null,
    qr_limit whole not null,
    child_qr_quota whole not null,
    is_active flag not null check (is_active in (0, 1)),
    lent_quota whole not null default 0
  ) strict`,
  'create index temporary_permissions_by_end on temporary_permissions (expires_at)',
  `create table sessions (
    id text not null primary key,
    bearer_hash text not null unique,
    account_id text not null references accounts (id) on delete cascade,
    created_at text not null,
    last_used_at text not null,
    expires_at text not null,
    device text not null default 'other' check (device in ('phone', 'tablet', 'desktop', 'other')),
    browser text,
    proven_at text not null default ''
  ) strict`,
  'create index sessions_by_account on sessions (account_id)',
  'create index sessions_by_end on sessions (expires_at)',
  'create index sessions_by_use on sessions (last_used_at)',
  `create table active_days (
    day text not null,
    account_id text not null references accounts (id) on delete cascade,
    primary key (day, account_id)
  ) strict, without rowid`,
  `create table one_time_codes (
    purpose text not null check (purpose in ('register', 'login', 'reset', 'email')),
    contact text not null,
    browser_hash text not null,
    code_hash text not null,
    tries whole not null check (tries between 0 and 5),
    tries_elsewhere whole not null check (tries_elsewhere between 0 and 15),
    created_at text not null,
    expires_at text not null,
    primary key (purpose, contact, browser_hash)
  ) strict`,
  `create table wrong_guesses (
    n counter not null primary key,
    contact_hash text not null,
    source_hash text not null,
    kind text not null check (kind in ('password', 'code')),
    is_known_device flag not null check (is_known_device in (0, 1)),
    in_row flag not null check (in_row in (0, 1)),
    guessed_at text not null
  ) strict`,
  'create index wrong_guesses_by_contact on wrong_guesses (contact_hash, guessed_at)',
  'create index wrong_guesses_by_source on wrong_guesses (source_hash)',
  `create table google_identities (
    issuer text not null,
    subject text not null,
    account_id text not null references accounts (id) on delete cascade,
    created_at text not null,
    primary key (issuer, subject)
  ) strict`,
  'create index google_identities_by_account on google_identities (account_id)',
  `create table sign_in_codes (
    code_hash text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    browser_hash text not null,
    expires_at text not null
  ) strict`,
  `create table sign_in_tickets (
    token_hash text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    tries whole not null check (tries between 0 and 5),
    created_at text not null,
    expires_at text not null
  ) strict`,
  `create table authenticators (
    account_id text not null primary key references accounts (id) on delete cascade,
    secret text not null,
    created_at text not null,
    confirmed_at text,
    last_step whole not null
  ) strict`,
  `create table recovery_codes (
    account_id text not null references accounts (id) on delete cascade,
    code_hash text not null,
    made_at text not null default '',
    primary key (account_id, code_hash)
  ) strict`,
  `create table trusted_devices (
    account_id text not null references accounts (id) on delete cascade,
    device_id text not null,
    trusted_until text not null,
    primary key (account_id, device_id)
  ) strict`,
  `create table passkeys (
    id text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    name text not null,
    credential_id text not null unique,
    public_key text not null,
    counter whole not null,
    transports text not null,
    created_at text not null,
    last_used_at text
  ) strict`,
  'create index passkeys_by_account on passkeys (account_id)',
  `create table spent_challenges (
    challenge_hash text not null primary key,
    ends_at text not null
  ) strict`,
  `create table new_emails (
    account_id text not null primary key references accounts (id) on delete cascade,
    email text not null,
    asked_at text not null
  ) strict`,
  `create table email_ways_back (
    token_hash text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    email text not null,
    changed_at text not null,
    expires_at text not null
  ) strict`,
  'create index email_ways_back_by_account on email_ways_back (account_id)',
  `create table ended_access (
    id text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    ended_at text not null,
    keys text not null,
    links whole not null check (links >= 0),
    channels text not null,
    calendar flag not null default 0 check (calendar in (0, 1))
  ) strict`,
  'create index ended_access_by_account on ended_access (account_id)',
  `create table known_programs (
    account_id text not null references accounts (id) on delete cascade,
    program_hash text not null,
    seen_at text not null,
    primary key (account_id, program_hash)
  ) strict, without rowid`,
  'create index known_programs_by_time on known_programs (seen_at)',
  `create table api_keys (
    id text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    name text not null,
    key_hash text not null unique,
    created_at text not null,
    last_used_at text
  ) strict`,
  'create index api_keys_by_account on api_keys (account_id)',
  `create table consents (
    account_id text not null references accounts (id) on delete cascade,
    version text not null,
    given_at text not null,
    primary key (account_id, version)
  ) strict`,
  `create table account_deletions (
    account_id text not null primary key references accounts (id) on delete cascade,
    token_hash text unique,
    is_active flag not null check (is_active in (0, 1)),
    asked_at text not null,
    ends_at text not null
  ) strict`,
  `create table exports (
    id text not null primary key,
    account_id text not null unique references accounts (id) on delete cascade,
    status text not null check (status in ('running', 'done', 'failed')),
    progress whole not null check (progress between 0 and 100),
    bytes whole not null,
    created_at text not null,
    claimed_until text not null,
    done_at text
  ) strict`,
  `create table audit_events (
    id text not null primary key,
    happened_at text not null,
    actor_id text references accounts (id) on delete set null,
    actor text not null,
    action text not null,
    subject_type text not null,
    subject_id text,
    before text,
    after text
  ) strict`,
  'create index audit_events_by_time on audit_events (happened_at)',
  `create index audit_events_by_subject on audit_events (subject_id) where subject_id is not null`,
  'create index audit_events_by_actor on audit_events (actor_id) where actor_id is not null',
  `create table admin_messages (
    id text not null primary key,
    title text not null,
    content text not null,
    is_active flag not null check (is_active in (0, 1)),
    created_at text not null
  ) strict`,
  'create index active_admin_messages on admin_messages (created_at) where is_active = 1',
]
