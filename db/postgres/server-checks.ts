import type pg from 'pg'
import { UNREACHABLE } from '#db/errors.ts'
import { findSchemaVersion } from '#db/postgres/migrate.ts'
import { assertSupported } from '#db/schema-version.ts'

const OLDEST_VERSION = 14

/** The server's and the database's properties. */
type Facts = {
  version: string
  version_number: number
  encoding: string
  schema: string | null
  may_create: boolean | null
  foreign_tables: number
  has_trigrams: boolean
  offers_trigrams: boolean
  may_add: boolean
  has_collation: boolean
}

const FACTS = `select
  current_setting('server_version') as version,
  current_setting('server_version_num')::int as version_number,
  current_setting('server_encoding') as encoding,
  current_schema() as schema,
  has_schema_privilege(current_schema(), 'create') as may_create,
  (select count(*) from pg_class
    where relnamespace = to_regnamespace(current_schema()) and relkind in ('r', 'p')
      and not exists (select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  ) as foreign_tables,
  exists (select from pg_extension where extname = 'pg_trgm') as has_trigrams,
  exists (select from pg_available_extensions where name = 'pg_trgm') as offers_trigrams,
  has_database_privilege(current_database(), 'create') as may_add,
  exists (select from pg_collation where collname = 'und-x-icu') as has_collation`

/**
 * Throws an Error with a one-line message for the operator when the database must not be used.
 * Changes nothing. Returns the version of the schema; undefined for an empty database.
 */
export async function assertUsable(client: pg.ClientBase): Promise<number | undefined> {
  const version = await assertReplaceable(client)
  if (version !== undefined) assertSupported(version)
  return version
}

/** Makes the same checks for a database whose data is to be replaced: its schema may be of any version. */
export async function assertReplaceable(client: pg.ClientBase): Promise<number | undefined> {
  const facts = (await client.query<Facts>(FACTS)).rows[0] as Facts
  if (facts.version_number < OLDEST_VERSION * 10_000) {
    throw new Error(`PostgreSQL ${facts.version} is too old: ${OLDEST_VERSION} or newer is needed`)
  }
  if (facts.encoding !== 'UTF8') {
    throw new Error(
      `The database stores ${facts.encoding}, not UTF8: make one with createdb --encoding=UTF8 --template=template0`,
    )
  }
  const version = await findSchemaVersion(client)
  if (version === undefined) assertRoomForOurs(facts)
  return version
}

/** Checks that only the first start needs. */
function assertRoomForOurs(facts: Facts): void {
  if (facts.foreign_tables > 0) {
    throw new Error(
      'The database has tables of another program: give DriveQR one of its own in DATABASE_URL',
    )
  }
  if (!facts.schema || !facts.may_create) {
    throw new Error(
      'The user of DATABASE_URL may not create tables: make it the owner of the database',
    )
  }
  if (!facts.has_trigrams && !facts.offers_trigrams) {
    throw new Error(
      'PostgreSQL has no pg_trgm: install its contrib modules (Debian has them in postgresql)',
    )
  }
  if (!facts.has_trigrams && !facts.may_add) {
    throw new Error(
      'The user of DATABASE_URL may not add pg_trgm: make it the owner of the database',
    )
  }
  if (!facts.has_collation) {
    throw new Error('PostgreSQL has no collation und-x-icu: it must be built with ICU')
  }
}

/** The certificate is its own authority's, or of one that Node does not know. */
const UNTRUSTED = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

/** Returns why the first connection was refused, in one line for the operator. It contains no password. */
export function whyNotConnected(error: unknown, { host, port, database, user }: pg.ClientConfig) {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code = '', message } = cause as NodeJS.ErrnoException
  const at = `${host}:${port}`
  const words: Record<string, string> = {
    '28P01': `PostgreSQL refuses the password of ${user}: correct it in DATABASE_URL`,
    '28000': `PostgreSQL refuses ${user} (${message}): is it made, and allowed in pg_hba.conf?`,
    '3D000': `PostgreSQL has no database ${database}: make it with createdb ${database}`,
    '42501': `PostgreSQL does not let ${user} do what is needed (${message}): make it the owner of the database`,
    '55P03': 'Another program holds locks in the database: end it, and try again',
    '53300':
      'PostgreSQL takes no more connections: raise its max_connections or lower DATABASE_POOL',
  }
  if (code === '28000' && message.endsWith('no encryption')) {
    return new Error(
      `PostgreSQL at ${at} wants an encrypted connection: add ?sslmode=verify-full to DATABASE_URL`,
    )
  }
  if (words[code]) return new Error(words[code])
  if (UNTRUSTED.includes(code)) {
    return new Error(
      `Nobody known has signed the certificate of PostgreSQL at ${at}: add the file of its authority to DATABASE_URL, after &sslrootcert=`,
    )
  }
  // The driver's messages without a code.
  if (message.includes('client password must be')) {
    return new Error(`PostgreSQL asks for the password of ${user}: give it in DATABASE_URL`)
  }
  if ((error as NodeJS.ErrnoException).code !== UNREACHABLE) return error
  const isKnown = code.startsWith('57P')
  const answer = isKnown ? `says ${message}` : 'does not answer'
  return new Error(`PostgreSQL at ${at} ${answer}: is it running, and is DATABASE_URL right?`)
}
