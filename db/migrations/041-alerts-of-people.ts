/**
 * Adds alerts of shared codes: their choices, their digests, and the order in which people are told until
 * somebody opens a conversation. Scans are counted for each account that hears of them.
 */
const changes = (text: string, flag: string, whole: string, rows: string): string[] => [
  // A trigger names the table, so that SQLite can drop it and not rename another.
  `create table scans_before as select scan_alerts.*, coalesce(child_account_id, owner_id) as account_id
    from scan_alerts inner join qr_codes on qr_codes.qr_id = scan_alerts.qr_id`,
  'drop table scan_alerts',
  `create table scan_alerts (
    qr_id ${text} not null references qr_codes (qr_id) on delete cascade on update cascade,
    event ${text} not null check (event in ('scan', 'lost_scan')),
    account_id ${text} not null references accounts (id) on delete cascade,
    since ${text} not null,
    due_at ${text} not null,
    scans ${whole} not null check (scans >= 0),
    primary key (qr_id, event, account_id)
  ) ${rows}`,
  `insert into scan_alerts (qr_id, event, account_id, since, due_at, scans)
    select qr_id, event, account_id, since, due_at, scans from scans_before`,
  'drop table scans_before',
  'create index waiting_scan_alerts on scan_alerts (due_at) where scans > 0',
  'create index scan_alerts_by_account on scan_alerts (account_id)',
  ...['outbox', 'webhook_deliveries'].flatMap((table) => [
    `alter table ${table} add column share_id ${text} references shares (id) on delete cascade`,
    `create index ${table}_by_share on ${table} (share_id) where share_id is not null`,
  ]),
  'create table choices_before as select * from alert_choices',
  'drop table alert_choices',
  `create table alert_choices (
    account_id ${text} not null references accounts (id) on delete cascade,
    is_shared ${flag} not null default 0 check (is_shared in (0, 1)),
    event ${text} not null check (event in ('message', 'scan', 'lost_scan', 'police_view',
      'reset_request', 'plan', 'due', 'security')),
    kind ${text} not null check (kind in ('email', 'push', 'telegram', 'ntfy', 'webhook')),
    is_on ${flag} not null check (is_on in (0, 1)),
    primary key (account_id, is_shared, event, kind),
    check (not (event = 'security' and kind = 'email')),
    check (is_shared = 0 or event in ('message', 'scan', 'lost_scan', 'due'))
  ) ${rows}`,
  `insert into alert_choices (account_id, event, kind, is_on)
    select account_id, event, kind, is_on from choices_before`,
  'drop table choices_before',
  `create index accounts_alerted_of_scans on alert_choices (account_id, is_shared)
    where event = 'scan' and is_on = 1`,
  `create table shared_digests (
    share_id ${text} not null references shares (id) on delete cascade,
    day ${text} not null,
    primary key (share_id, day)
  ) ${rows}`,
  'create index shared_digests_by_day on shared_digests (day)',
  `create table escalations (
    account_id ${text} not null primary key references accounts (id) on delete cascade,
    minutes ${whole} not null check (minutes in (5, 15, 30, 60))
  ) ${rows}`,
  `create table escalation_places (
    share_id ${text} not null primary key references shares (id) on delete cascade,
    place ${whole} not null,
    is_at_once ${flag} not null check (is_at_once in (0, 1))
  ) ${rows}`,
  `create table escalation_steps (
    conversation_id ${text} not null references conversations (id) on delete cascade,
    account_id ${text} not null references accounts (id) on delete cascade,
    place ${whole} not null,
    state ${text} not null check (state in ('later', 'due', 'quiet', 'told')),
    due_at ${text},
    primary key (conversation_id, account_id),
    check ((state in ('due', 'quiet')) = (due_at is not null))
  ) ${rows}`,
  'create index escalation_steps_by_due on escalation_steps (due_at) where due_at is not null',
  'create index escalation_steps_by_account on escalation_steps (account_id)',
]

export const sqlite: readonly string[] = changes('text', 'integer', 'integer', 'strict')
export const postgres: readonly string[] = changes('text collate "C"', 'smallint', 'bigint', '')
