import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DbOrTrx } from '#db/client.ts'
import { KEY_FILE } from '#db/data-folder.ts'
import { KEY_BYTES, keyedHash, loadSecretKey, type SecretKey } from '#db/secrets.ts'

/** In `meta`: which key the database is used with. */
export const FINGERPRINT = 'secret_key_fingerprint'

export type KeySettings = {
  dataDir: string
  /** undefined: the key is in the data folder */
  secretKeyFile?: string | undefined
}

const REMEDY = 'restore it from a backup, or copy that of another server'

/** The message about a key that does not belong to the database. */
const OTHER_KEY = `is not the key that the database is used with: ${REMEDY}`
/** The message about a key that the database is used with and that is gone. */
const LOST_KEY = `is missing: ${REMEDY}`

/** Identifies a key without revealing it. */
export function fingerprint(key: SecretKey): string {
  return keyedHash(key, 'fingerprint').slice(0, 16)
}

/** Returns the fingerprint of the key that the database is used with; undefined if there is none. */
export async function findFingerprint(db: DbOrTrx): Promise<string | undefined> {
  const known = db.selectFrom('meta').select('value').where('key', '=', FINGERPRINT)
  return (await known.executeTakeFirst())?.value
}

/** Returns the name of the key in messages. */
export function nameOfKey({ secretKeyFile }: KeySettings): string {
  return secretKeyFile === undefined ? KEY_FILE : `SECRET_KEY_FILE ${secretKeyFile}`
}

/**
 * Returns the secret key, which must be the one whose fingerprint the database has. The first start of an
 * installation makes it. Throws an Error with one line for the operator.
 */
export function loadOwnKey(settings: KeySettings, noted: string | undefined): SecretKey {
  const { dataDir, secretKeyFile } = settings
  if (secretKeyFile === undefined && noted && !existsSync(join(dataDir, KEY_FILE))) {
    throw new Error(`${KEY_FILE} ${LOST_KEY}`)
  }
  const key =
    secretKeyFile === undefined ? loadSecretKey(dataDir) : readKeyFile(settings, secretKeyFile)
  assertOwnKey(settings, key, noted ?? fingerprint(key))
  return key
}

/** Throws unless the fingerprint in the database is that of the key. */
export function assertOwnKey(settings: KeySettings, key: SecretKey, noted: string): void {
  if (noted !== fingerprint(key)) throw new Error(`${nameOfKey(settings)} ${OTHER_KEY}`)
}

function readKeyFile(settings: KeySettings, file: string): SecretKey {
  let key: Buffer | undefined
  try {
    // /dev/random would be read for ever.
    if (statSync(file).isFile()) key = readFileSync(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'it is not there' : code
    throw new Error(`${nameOfKey(settings)} cannot be read: ${reason}`)
  }
  if (!key) throw new Error(`${nameOfKey(settings)} is no file`)
  if (key.length === KEY_BYTES) return key
  throw new Error(`${nameOfKey(settings)} must have ${KEY_BYTES} bytes, but has ${key.length}`)
}
