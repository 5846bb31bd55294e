/**
 * Ids that were replaced, and activation codes, for both engines. As every migration it stands by itself;
 * from its release on this file is not edited.
 */

type Words = {
  text: string
  /** whole numbers that JavaScript holds exactly */
  whole: string
  /** ends a table */
  rows: string
  /** ends a table whose rows live in its primary key's order */
  clustered: string
}

const SQLITE: Words = {
  text: 'text',
  whole: 'integer',
  rows: 'strict',
  clustered: 'strict, without rowid',
}

const POSTGRES: Words = { text: 'text collate "C"', whole: 'bigint', rows: '', clustered: '' }

const statements = ({ text, whole, rows, clustered }: Words): string[] => [
  // The ids that a code had before. They are never given to another one while it exists.
  `create table replaced_ids (
    qr_id ${text} not null primary key,
    code_id ${text} not null references qr_codes (id) on delete cascade,
    replaced_at ${text} not null
  ) ${clustered}`,
  `create index replaced_ids_by_code on replaced_ids (code_id, replaced_at)`,
  // The replaced id that was scanned, or from whose page the finder wrote.
  `alter table scans add column replaced_id ${text}`,
  `alter table conversations add column replaced_id ${text}`,
  // The keyed hash of what a claimer must know. It stays after the claim, which the issuer may undo.
  `create table activation_codes (
    code_id ${text} not null primary key references qr_codes (id) on delete cascade,
    code_hash ${text} not null,
    tries ${whole} not null default 0 check (tries between 0 and 5),
    locked_until ${text}
  ) ${rows}`,
]

/** The tables whose rows belong to a code by its public id: they follow it to a new one. */
const FOLLOWING = [
  'scans',
  'documents',
  'document_views',
  'password_reset_requests',
  'lost_periods',
  'conversations',
  'reports',
  'scan_alerts',
  'webhook_deliveries',
  'outbox',
  'domain_prints',
]

/** SQLite checks references at the end of the statement, with what its triggers changed. */
const SQLITE_FOLLOWING = `create trigger qr_id_replaced after update of qr_id on qr_codes
  when old.qr_id <> new.qr_id begin
    ${FOLLOWING.map((table) => `update ${table} set qr_id = new.qr_id where qr_id = old.qr_id;`).join('\n    ')}
  end`

/**
 * A reference that cascades is refused as a collision when a concurrent transaction added a row, so
 * that none stays behind. Reports outlive their code and have no reference.
 */
const POSTGRES_FOLLOWING = [
  `do $$
  declare link record;
  begin
    for link in
      select conrelid::regclass as child, conname, pg_get_constraintdef(pg_constraint.oid) as definition
      from pg_constraint join pg_attribute on attrelid = confrelid and attnum = confkey[1]
      where contype = 'f' and confrelid = 'qr_codes'::regclass and attname = 'qr_id'
    loop
      execute format('alter table %s drop constraint %I', link.child, link.conname);
      execute format('alter table %s add constraint %I %s on update cascade',
        link.child, link.conname, link.definition);
    end loop;
  end $$`,
  `create function qr_id_replaced() returns trigger language plpgsql as $$
  begin
    update reports set qr_id = new.qr_id where qr_id = old.qr_id;
    return null;
  end $$`,
  `create trigger qr_id_replaced after update of qr_id on qr_codes
    for each row when (old.qr_id <> new.qr_id) execute function qr_id_replaced()`,
]

export const sqlite: readonly string[] = [...statements(SQLITE), SQLITE_FOLLOWING]
export const postgres: readonly string[] = [...statements(POSTGRES), ...POSTGRES_FOLLOWING]
