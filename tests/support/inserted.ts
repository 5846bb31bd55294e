import { sql } from 'kysely'

/** The order of the transactions that inserted rows. Their times are the same while the clock stands. */
export const INSERTED =
  process.env.DRIVEQR_TEST_ENGINE === 'postgres' ? sql`xmin::text::bigint` : sql`rowid`
