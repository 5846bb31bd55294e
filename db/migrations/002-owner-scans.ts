import { type Kysely, type RawBuilder, sql } from 'kysely'
import { clusteredStrict } from '#db/kysely.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) {
    await (statement as RawBuilder<unknown>).execute(db)
  }
}

/** The quarter of an hour in which a scan fell, as `#db/scans/scan-sums.ts` names it. */
const quarter = sql`substr(scanned_at, 1, 14) || case
  when substr(scanned_at, 15, 2) < '15' then '00'
  when substr(scanned_at, 15, 2) < '30' then '15'
  when substr(scanned_at, 15, 2) < '45' then '30'
  else '45' end`

/** The sums of one code, which its deletion or its move takes along. */
const ofCode = sql`select ${quarter} as quarter, count(*) as scans
  from scans where qr_id = old.qr_id group by 1`

const subtract = sql`update owner_scans set scans = owner_scans.scans - gone.scans
  from (${ofCode}) as gone
  where owner_scans.owner_id = old.owner_id and owner_scans.quarter = gone.quarter`

const statements = [
  sql`create table owner_scans (
    owner_id text not null references accounts (id) on delete cascade,
    quarter text not null,
    scans integer not null,
    primary key (owner_id, quarter)
  ) ${clusteredStrict}`,
  sql`insert into owner_scans (owner_id, quarter, scans)
    select owner_id, ${quarter} as quarter, count(*)
    from scans join qr_codes on qr_codes.qr_id = scans.qr_id group by 1, 2`,
  sql`create trigger owner_scans_of_deleted before delete on qr_codes begin
    ${subtract};
  end`,
  sql`create trigger owner_scans_of_moved after update of owner_id on qr_codes
    when old.owner_id <> new.owner_id begin
    ${subtract};
    insert into owner_scans (owner_id, quarter, scans)
      select new.owner_id, quarter, scans from (${ofCode}) where true
      on conflict (owner_id, quarter) do update set scans = owner_scans.scans + excluded.scans;
  end`,
]
