/** Counts wrong PINs and activation codes for each network, so that no stranger locks a code for everybody. */

const tables = (text: string, whole: string, rows: string): string[] => [
  `create table wrong_tries (
    code_id ${text} not null references qr_codes (id) on delete cascade,
    kind ${text} not null check (kind in ('pin', 'activation')),
    network_hash ${text} not null,
    tries ${whole} not null check (tries > 0),
    locked_until ${text},
    ends_at ${text} not null,
    primary key (code_id, kind, network_hash)
  ) ${rows}`,
  'create index wrong_tries_by_end on wrong_tries (ends_at)',
  'alter table qr_codes drop column pin_tries',
  'alter table qr_codes drop column pin_locked_until',
  'alter table activation_codes drop column tries',
  'alter table activation_codes drop column locked_until',
]

export const sqlite: readonly string[] = tables('text', 'integer', 'strict')
export const postgres: readonly string[] = tables('text collate "C"', 'bigint', '')
