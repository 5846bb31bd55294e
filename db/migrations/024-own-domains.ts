/**
 * Own domains are proven again and again: when the proof was last found, since when it is missing, and whether
 * the account must confirm the domain after a new password. A blocked account keeps none. `ended_access` names
 * the domain that a new password took out of links.
 */
const COLUMNS = [
  'alter table brand_domains add column proven_at text',
  'alter table brand_domains add column missing_since text',
  `alter table brand_domains add column is_unconfirmed integer not null default 0
    check (is_unconfirmed in (0, 1))`,
  'alter table ended_access add column domain text',
]

const ROWS = [
  `update brand_domains set verified_at = null
    where account_id in (select id from accounts where is_active = 0
      and id not in (select account_id from account_deletions where is_active = 1))`,
  'update brand_domains set proven_at = verified_at',
]

export const sqlite: readonly string[] = [...COLUMNS, ...ROWS]

export const postgres: readonly string[] = [
  ...COLUMNS.map((each) =>
    each.replace(/ text$/, ' text collate "C"').replace(' integer ', ' smallint '),
  ),
  ...ROWS,
]
