/**
 * Tickets of support, which are conversations of another kind, for both engines. As every migration it
 * stands by itself; from its release on this file is not edited.
 */

/** What came with a message of a ticket. */
const attachments = (text: string, whole: string, rows: string): string =>
  `create table conversation_attachments (
    message_id ${text} not null primary key references conversation_messages (id) on delete cascade,
    file_name ${text} not null,
    stored_name ${text} not null unique,
    thumbnail_name ${text} unique,
    file_size ${whole} not null check (file_size >= 0),
    content_type ${text} not null
  ) ${rows}`

/** A finder's conversation is about a code, and has a page of its own; a ticket has a subject and a number. */
const KIND = `check (kind in ('finder', 'support'))`
const OF_A_FINDER = `check ((kind = 'finder') = (qr_id is not null and token_hash is not null
      and reason is not null))`
const OF_SUPPORT = `check ((kind = 'support') = (subject is not null and ticket_number is not null))`
const STATUS = `check (status in ('open', 'waiting', 'closed', 'returned'))`
const STATUS_OF_KIND = `check ((kind = 'finder' and status <> 'waiting')
      or (kind = 'support' and status <> 'returned'))`
const CLOSED_AT = `check ((status in ('open', 'waiting')) = (closed_at is null))`
const SIDE = `in ('finder', 'owner', 'customer', 'support')`

const COLUMNS = `id, qr_id, account_id, token_hash, reason, status, is_muted, is_unread, is_deleted,
    first_line, name, place, latitude, longitude, accuracy, photo_name, photo_thumbnail_name, reply_to,
    show_contact, sender_hash, created_at, last_message_at, closed_at, ended_at,
    lang`

/** Those of an account's finders, and the tickets: all of the service, and those of an account. */
const INDEXES = [
  `create index conversations_by_account on conversations (account_id, last_message_at, id)
    where is_deleted = 0 and kind = 'finder'`,
  `create index open_conversations on conversations (account_id, last_message_at, id)
    where is_deleted = 0 and kind = 'finder' and status = 'open'`,
  `create index closed_conversations on conversations (account_id, last_message_at, id)
    where is_deleted = 0 and kind = 'finder' and status <> 'open'`,
  `create index unread_conversations on conversations (account_id)
    where is_unread = 1 and is_deleted = 0 and kind = 'finder'`,
]
const TICKET_INDEXES = [
  `create index tickets_by_account on conversations (account_id, last_message_at, id)
    where kind = 'support'`,
  `create index tickets_by_status on conversations (status, last_message_at, id)
    where kind = 'support'`,
]

/**
 * SQLite has no other way to loosen a rule than a new table. What refers to the old one is copied first: to
 * drop a table deletes its rows, and what goes with them.
 */
export const sqlite: readonly string[] = [
  `create table new_conversations (
    id text not null primary key,
    kind text not null ${KIND},
    qr_id text references qr_codes (qr_id) on delete cascade,
    account_id text not null references accounts (id) on delete cascade,
    token_hash text unique,
    reason text check (reason in ('found', 'parking', 'lights', 'damage', 'accident', 'other')),
    subject text,
    ticket_number integer unique,
    status text not null ${STATUS},
    is_muted integer not null check (is_muted in (0, 1)),
    is_unread integer not null check (is_unread in (0, 1)),
    is_deleted integer not null check (is_deleted in (0, 1)),
    first_line text not null,
    name text,
    place text,
    latitude real check (latitude between -90 and 90),
    longitude real check (longitude between -180 and 180),
    accuracy real check (accuracy >= 0),
    photo_name text unique,
    photo_thumbnail_name text unique,
    reply_to text,
    show_contact integer not null check (show_contact in (0, 1)),
    sender_hash text,
    created_at text not null,
    last_message_at text not null,
    closed_at text,
    ended_at text,
    lang text not null default 'en',
    check ((latitude is null) = (longitude is null)),
    ${OF_A_FINDER},
    ${OF_SUPPORT},
    ${STATUS_OF_KIND},
    ${CLOSED_AT}
  ) strict`,
  `insert into new_conversations (kind, ${COLUMNS}) select 'finder', ${COLUMNS} from conversations`,
  `create table new_messages (
    id text not null primary key,
    conversation_id text not null references new_conversations (id) on delete cascade,
    n integer not null,
    sender text not null check (sender ${SIDE}),
    author text,
    kind text not null check (kind in ('text', 'number')),
    text text not null,
    sent_at text not null,
    unique (conversation_id, n)
  ) strict`,
  `insert into new_messages (id, conversation_id, n, sender, kind, text, sent_at)
    select id, conversation_id, n, sender, kind, text, sent_at from conversation_messages`,
  `create table new_mails (
    conversation_id text not null references new_conversations (id) on delete cascade,
    side text not null check (side ${SIDE}),
    due_at text not null,
    outbox_id text not null,
    first_n integer not null,
    primary key (conversation_id, side)
  ) strict`,
  `insert into new_mails (conversation_id, side, due_at, outbox_id, first_n)
    select conversation_id, side, due_at, outbox_id, first_n from conversation_mails`,
  `create table reported as select id, conversation_id from reports where conversation_id is not null`,
  `drop table conversation_mails`,
  `drop table conversation_messages`,
  `drop table conversations`,
  `alter table new_conversations rename to conversations`,
  `alter table new_messages rename to conversation_messages`,
  `alter table new_mails rename to conversation_mails`,
  `update reports set conversation_id = reported.conversation_id from reported
    where reported.id = reports.id`,
  `drop table reported`,
  ...INDEXES,
  `create index conversations_by_code on conversations (qr_id, created_at)`,
  `create index conversations_by_sender on conversations (sender_hash, created_at)
    where sender_hash is not null`,
  `create index conversations_by_last_message on conversations (status, last_message_at)`,
  `create index conversations_by_end on conversations (closed_at) where closed_at is not null`,
  ...TICKET_INDEXES,
  attachments('text', 'integer', 'strict'),
]

export const postgres: readonly string[] = [
  `alter table conversations
    add column kind text collate "C" not null default 'finder' ${KIND},
    add column subject text collate "C",
    add column ticket_number bigint unique,
    alter column qr_id drop not null,
    alter column token_hash drop not null,
    alter column reason drop not null,
    drop constraint conversations_status_check,
    drop constraint conversations_check1`,
  `alter table conversations
    alter column kind drop default,
    add ${STATUS},
    add ${OF_A_FINDER},
    add ${OF_SUPPORT},
    add ${STATUS_OF_KIND},
    add ${CLOSED_AT}`,
  `alter table conversation_messages
    add column author text collate "C",
    drop constraint conversation_messages_sender_check`,
  `alter table conversation_messages add check (sender ${SIDE})`,
  `alter table conversation_mails drop constraint conversation_mails_side_check`,
  `alter table conversation_mails add check (side ${SIDE})`,
  `drop index conversations_by_account`,
  `drop index open_conversations`,
  `drop index closed_conversations`,
  `drop index unread_conversations`,
  ...INDEXES,
  ...TICKET_INDEXES,
  attachments('text collate "C"', 'bigint', ''),
]
