import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from './debian.mjs'

/** Where Debian keeps one folder for each version, none of which is on the PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql'
const DEBIAN_PACKAGE = 'postgresql'

export const NO_POSTGRES =
  'The tests need PostgreSQL: install it (Debian: apt-get install postgresql) ' +
  'or set POSTGRES_BIN to the folder of its programs, then run npm test again.'

/** Returns the folder of PostgreSQL's programs from POSTGRES_BIN, from Debian, or after an installation. */
export function findOrInstallPostgres() {
  return find() ?? (installPackages([DEBIAN_PACKAGE]) ? find() : undefined)
}

/** Returns the Debian package, unless PostgreSQL is installed. */
export function missingPostgresPackages() {
  return find() ? [] : [DEBIAN_PACKAGE]
}

function find() {
  if (process.env.POSTGRES_BIN) return process.env.POSTGRES_BIN
  if (!existsSync(DEBIAN_FOLDER)) return undefined
  const newestFirst = readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a))
  return newestFirst
    .map((version) => join(DEBIAN_FOLDER, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}
