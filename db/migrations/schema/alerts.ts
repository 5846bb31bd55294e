const EVENT = `in ('message', 'scan', 'lost_scan', 'police_view', 'reset_request', 'plan', 'due',
      'security')`
const KIND = `in ('email', 'push', 'telegram', 'ntfy', 'webhook')`

/** Alerts, their channels, and the outbox. */
export const alerts: readonly string[] = [
  `create table alert_channels (
    id text not null primary key,
    account_id text not null references accounts (id) on delete cascade,
    kind text not null check (kind ${KIND}),
    address_hash text not null,
    target text,
    created_at text not null,
    delivered_at text,
    due_at text,
    rests_until text,
    claim text,
    failures whole not null default 0 check (failures >= 0),
    failing_since text,
    unreachable_since text,
    unique (account_id, kind, address_hash),
    check ((kind = 'email') = (target is null)),
    check ((failures = 0) = (failing_since is null))
  ) strict`,
  'create index alert_channels_by_due on alert_channels (due_at) where due_at is not null',
  'create index alert_channels_by_address on alert_channels (kind, address_hash)',
  `create table alert_choices (
    account_id text not null references accounts (id) on delete cascade,
    event text not null check (event ${EVENT}),
    kind text not null check (kind ${KIND}),
    is_on flag not null check (is_on in (0, 1)),
    primary key (account_id, event, kind),
    check (not (event = 'security' and kind = 'email'))
  ) strict, without rowid`,
  `create index accounts_alerted_of_scans on alert_choices (account_id)
    where event = 'scan' and is_on = 1`,
  `create table quiet_hours (
    account_id text not null primary key references accounts (id) on delete cascade,
    starts text not null check (starts like '__:__'),
    ends text not null check (ends like '__:__'),
    check (starts <> ends)
  ) strict`,
  `create table scan_alerts (
    qr_id text not null references qr_codes (qr_id) on delete cascade,
    event text not null check (event in ('scan', 'lost_scan')),
    since text not null,
    due_at text not null,
    scans whole not null check (scans >= 0),
    primary key (qr_id, event)
  ) strict, without rowid`,
  'create index waiting_scan_alerts on scan_alerts (due_at) where scans > 0',
  `create table telegram_codes (
    code_hash text not null primary key,
    account_id text not null unique references accounts (id) on delete cascade,
    expires_at text not null
  ) strict`,
  `create table webhook_deliveries (
    id text not null primary key,
    channel_id text not null references alert_channels (id) on delete cascade,
    qr_id text references qr_codes (qr_id) on delete cascade,
    event text not null check (event ${EVENT}),
    created_at text not null,
    attempts whole not null check (attempts >= 0),
    status text not null check (status in ('waiting', 'delivered', 'failed')),
    answer text,
    content text not null
  ) strict`,
  `create index webhook_deliveries_by_channel on webhook_deliveries (channel_id, created_at, id)`,
  `create index webhook_deliveries_by_code on webhook_deliveries (qr_id) where qr_id is not null`,
  `create table outbox (
    id text not null primary key,
    cause_id text not null,
    kind text not null check (kind ${KIND}),
    event text check (event ${EVENT}),
    account_id text references accounts (id) on delete cascade,
    channel_id text references alert_channels (id) on delete cascade,
    qr_id text references qr_codes (qr_id) on delete cascade,
    recipient text,
    subject text,
    text text not null,
    html text,
    attempts whole not null check (attempts >= 0),
    created_at text not null,
    next_attempt_at text not null,
    expires_at text not null,
    sender_name text,
    check ((event is null) = (account_id is null)),
    check (kind <> 'email' or (channel_id is null and recipient is not null and subject is not null
      and html is not null)),
    check (kind = 'email' or (channel_id is not null and account_id is not null
      and recipient is null and subject is null and html is null))
  ) strict`,
  "create index outbox_mails on outbox (next_attempt_at) where kind = 'email'",
  `create index outbox_by_channel on outbox (channel_id, next_attempt_at) where channel_id is not null`,
  'create index outbox_by_cause on outbox (cause_id)',
  'create index outbox_by_account on outbox (account_id) where account_id is not null',
  'create index outbox_by_code on outbox (qr_id) where qr_id is not null',
]
