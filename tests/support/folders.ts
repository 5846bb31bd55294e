import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { loadSecretKey } from '#db/secrets.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { announce, makeDatabaseTemplate, startCluster } from '#tests/support/postgres.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'

const FILES = ['driveqr.db', 'install-id', 'secret.key']
const SETTING = 'DRIVEQR_TEST_TEMPLATE'

function templateFolder(): string {
  const folder = process.env[SETTING]
  if (!folder) throw new Error(`${SETTING} is not set: run this by Vitest or Playwright`)
  return folder
}

/** A new data folder with an empty database, copied from the one that was migrated for this run. */
export const makeDataFolder = () => fillDataFolder(makeQuickFolder())

/** The same of a folder without anything in it. */
export function fillDataFolder(folder: string): string {
  const template = templateFolder()
  const isThere = (name: string) => existsSync(join(template, name))
  for (const name of FILES.filter(isThere)) copyFileSync(join(template, name), join(folder, name))
  return folder
}

/** Where this run keeps programs of its sources, once a test has asked for them. */
export const placeOfPrograms = () => resolve('node_modules', `.${basename(templateFolder())}`)

/** Sets up both test runners. Returns the teardown. */
export default async function makeTemplate(): Promise<(() => Promise<void>) | undefined> {
  // An earlier Vitest project may have created it.
  if (process.env[SETTING]) return undefined
  const folder = makeQuickFolder()
  process.env[SETTING] = folder
  // Half the time of a program of the tests is compiling itself.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  const stop = process.env.DRIVEQR_TEST_ENGINE === 'postgres' ? await onPostgres(folder) : undefined
  if (!stop) (await openDatabase(folder)).close()
  loadSecretKey(folder)
  return async () => {
    await stop?.()
    for (const each of [folder, placeOfPrograms()]) rmSync(each, { recursive: true, force: true })
    for (const each of [SETTING, 'NODE_COMPILE_CACHE']) delete process.env[each]
  }
}

/** One server for the whole run, and in it a migrated database to be copied. */
async function onPostgres(folder: string): Promise<() => Promise<void>> {
  const cluster = await startCluster()
  announce(cluster)
  await makeDatabaseTemplate(cluster, folder)
  return cluster.stop
}
