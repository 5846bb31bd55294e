/** The quarter of an hour in which a scan fell, as `2026-11-20T09:15`. */
const QUARTER = `substr(scanned_at, 1, 14) || case
  when substr(scanned_at, 15, 2) < '15' then '00'
  when substr(scanned_at, 15, 2) < '30' then '15'
  when substr(scanned_at, 15, 2) < '45' then '30'
  else '45' end`

/** The sums of one code, which change their owner with it. */
const OF_CODE = `select ${QUARTER} as quarter, count(*) as scans
  from scans where qr_id = old.qr_id group by 1`

const SUBTRACT = `update owner_scans set scans = owner_scans.scans - gone.scans
  from (${OF_CODE}) as gone
  where owner_scans.owner_id = old.owner_id and owner_scans.quarter = gone.quarter;`

const ADD = `insert into owner_scans (owner_id, quarter, scans)
  select new.owner_id, quarter, scans from (${OF_CODE}) as moved where true
  on conflict (owner_id, quarter) do update set scans = owner_scans.scans + excluded.scans;`

/** Moves the sums of a code's scans when it is deleted or gets another owner. */
export const sqliteScanSums: readonly string[] = [
  `create trigger owner_scans_of_deleted before delete on qr_codes begin
    ${SUBTRACT}
  end`,
  `create trigger owner_scans_of_moved after update of owner_id on qr_codes
    when old.owner_id <> new.owner_id begin
    ${SUBTRACT}
    ${ADD}
  end`,
]

/**
 * Does the same on PostgreSQL, where a scan may be committed after the moving transaction's snapshot and
 * before it locks the code: the sums would miss it. Both write the old owner's sum of the current quarter
 * of an hour, so the move is refused and repeated. The quarters beside it allow for servers whose clocks
 * differ.
 */
export const postgresScanSums: readonly string[] = [
  `create function owner_scans_of_deleted() returns trigger language plpgsql as $$
  begin
    ${SUBTRACT}
    return old;
  end $$`,
  `create trigger owner_scans_of_deleted before delete on qr_codes
    for each row execute function owner_scans_of_deleted()`,
  `create function owner_scans_of_moved() returns trigger language plpgsql as $$
  declare
    around text[] := array(
      select to_char(
        date_bin('15 minutes', new.updated_at::timestamptz at time zone 'UTC' + step, '2000-01-01'),
        'YYYY-MM-DD"T"HH24:MI')
      from unnest(array['-15 minutes', '0 minutes', '15 minutes']::interval[]) as step);
  begin
    insert into owner_scans (owner_id, quarter, scans)
      select old.owner_id, quarter, 0 from unnest(around) as quarter
      on conflict (owner_id, quarter) do update set scans = owner_scans.scans;
    ${SUBTRACT}
    ${ADD}
    delete from owner_scans
      where owner_id = old.owner_id and quarter = any (around) and scans = 0;
    return null;
  end $$`,
  `create trigger owner_scans_of_moved after update of owner_id on qr_codes
    for each row when (old.owner_id <> new.owner_id) execute function owner_scans_of_moved()`,
]
