/** Conversations with finders, tickets of the support, and reports. */
export const conversations: readonly string[] = [
  // No check lists the languages, so that a new one needs no migration.
  `create table conversations (
    id text not null primary key,
    kind text not null check (kind in ('finder', 'support')),
    qr_id text references qr_codes (qr_id) on delete cascade,
    account_id text not null references accounts (id) on delete cascade,
    token_hash text unique,
    reason text check (reason in ('found', 'parking', 'lights', 'damage', 'accident', 'other')),
    subject text,
    ticket_number whole unique,
    status text not null check (status in ('open', 'waiting', 'closed', 'returned')),
    is_muted flag not null check (is_muted in (0, 1)),
    is_unread flag not null check (is_unread in (0, 1)),
    is_deleted flag not null check (is_deleted in (0, 1)),
    first_line text not null,
    name text,
    place text,
    latitude real check (latitude between -90 and 90),
    longitude real check (longitude between -180 and 180),
    accuracy real check (accuracy >= 0),
    photo_name text unique,
    photo_thumbnail_name text unique,
    reply_to text,
    show_contact flag not null check (show_contact in (0, 1)),
    sender_hash text,
    created_at text not null,
    last_message_at text not null,
    closed_at text,
    ended_at text,
    lang text not null default 'en',
    replaced_id text,
    check ((latitude is null) = (longitude is null)),
    check ((kind = 'finder') = (qr_id is not null and token_hash is not null
      and reason is not null)),
    check ((kind = 'support') = (subject is not null and ticket_number is not null)),
    check ((kind = 'finder' and status <> 'waiting')
      or (kind = 'support' and status <> 'returned')),
    check ((status in ('open', 'waiting')) = (closed_at is null))
  ) strict`,
  // The lists of an account: all, the open and the closed ones, each read and counted from its index alone.
  `create index conversations_by_account on conversations (account_id, last_message_at, id)
    where is_deleted = 0 and kind = 'finder'`,
  `create index open_conversations on conversations (account_id, last_message_at, id)
    where is_deleted = 0 and kind = 'finder' and status = 'open'`,
  `create index closed_conversations on conversations (account_id, last_message_at, id)
    where is_deleted = 0 and kind = 'finder' and status <> 'open'`,
  `create index unread_conversations on conversations (account_id)
    where is_unread = 1 and is_deleted = 0 and kind = 'finder'`,
  'create index conversations_by_code on conversations (qr_id, created_at)',
  `create index conversations_by_sender on conversations (sender_hash, created_at)
    where sender_hash is not null`,
  'create index conversations_by_end on conversations (closed_at) where closed_at is not null',
  `create index tickets_by_account on conversations (account_id, last_message_at, id)
    where kind = 'support'`,
  `create index tickets_by_status on conversations (status, last_message_at, id)
    where kind = 'support'`,
  `create index quiet_conversations on conversations (last_message_at)
    where status in ('open', 'waiting')`,
  // Because this one is as wide, SQLite prefers the partial index of unread ones where that is enough.
  'create index conversations_of_account on conversations (account_id, created_at, id)',
  `create table conversation_messages (
    id text not null primary key,
    conversation_id text not null references conversations (id) on delete cascade,
    n whole not null,
    sender text not null check (sender in ('finder', 'owner', 'customer', 'support')),
    author text,
    kind text not null check (kind in ('text', 'number')),
    text text not null,
    sent_at text not null,
    unique (conversation_id, n)
  ) strict`,
  `create table conversation_attachments (
    message_id text not null primary key references conversation_messages (id) on delete cascade,
    file_name text not null,
    stored_name text not null unique,
    thumbnail_name text unique,
    file_size whole not null check (file_size >= 0),
    content_type text not null
  ) strict`,
  `create table conversation_mails (
    conversation_id text not null references conversations (id) on delete cascade,
    side text not null check (side in ('finder', 'owner', 'customer', 'support')),
    due_at text not null,
    outbox_id text not null,
    first_n whole not null,
    primary key (conversation_id, side)
  ) strict`,
  `create table conversation_changes (
    n counter not null primary key,
    conversation_id text not null,
    account_id text not null,
    concerns_finder flag not null check (concerns_finder in (0, 1)),
    changed_at text not null
  ) strict`,
  `create table blocked_senders (
    account_id text not null references accounts (id) on delete cascade,
    sender_hash text not null,
    expires_at text not null,
    primary key (account_id, sender_hash)
  ) strict, without rowid`,
  `create table reports (
    id text not null primary key,
    kind text not null check (kind in ('page', 'conversation')),
    reason text not null check (reason in ('threat', 'spam', 'offensive', 'fraud', 'other')),
    text text,
    qr_id text not null,
    account_id text not null references accounts (id) on delete cascade,
    conversation_id text references conversations (id) on delete set null,
    snapshot text not null,
    status text not null check (status in ('open', 'decided')),
    action text check (action in ('dismiss', 'hide_popup_image', 'deactivate_code',
      'block_account')),
    created_at text not null,
    decided_by text references accounts (id) on delete set null,
    decided_at text,
    check ((status = 'open') = (action is null))
  ) strict`,
  'create index reports_by_status on reports (status, created_at, id)',
  `create index reports_by_conversation on reports (conversation_id)
    where conversation_id is not null`,
  'create index reports_by_account on reports (account_id)',
  'create index reports_by_decider on reports (decided_by) where decided_by is not null',
]
