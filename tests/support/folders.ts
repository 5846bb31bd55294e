import { copyFileSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#db/client.ts'
import { loadSecretKey } from '#db/secrets.ts'

const IN_MEMORY = '/dev/shm'
/** A server needs 200 MB of free space, but containers often give this folder less. */
const ROOM_BYTES = 1024 ** 3

/** A folder in memory, where there is one, for tests that are not about durability. */
function quickPlace(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    if (bavail * bsize >= ROOM_BYTES) return IN_MEMORY
  } catch {
    // Only Linux has it.
  }
  return tmpdir()
}

/** A new folder that the test removes. */
export function makeQuickFolder(): string {
  return mkdtempSync(join(quickPlace(), 'driveqr-test-'))
}

const FILES = ['driveqr.db', 'install-id', 'secret.key']
const SETTING = 'DRIVEQR_TEST_TEMPLATE'

/** A new data folder with an empty database, copied from the one that was migrated for this run. */
export function makeDataFolder(): string {
  const template = process.env[SETTING]
  if (!template) throw new Error(`${SETTING} is not set: run this by Vitest or Playwright`)
  const folder = makeQuickFolder()
  for (const name of FILES) copyFileSync(join(template, name), join(folder, name))
  return folder
}

/** The setup of both test runners. Returns the teardown. */
export default async function makeTemplate(): Promise<(() => void) | undefined> {
  // An earlier Vitest project may have created it.
  if (process.env[SETTING]) return undefined
  const folder = makeQuickFolder()
  const { close } = await openDatabase(folder)
  close()
  loadSecretKey(folder)
  process.env[SETTING] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
