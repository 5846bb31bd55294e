import { rmSync } from 'node:fs'
import { openEngine } from '#db/open-engine.ts'
import { makeDataFolder } from '#tests/support/folders.ts'
import { isOnPostgres, takeDatabase } from '#tests/support/postgres.ts'

/** Where several processes find their database, as arguments of a program: a data folder, and an address or nothing. */
export type Place = [dataDir: string, databaseUrl: string]

/** A new folder, and an empty database of the engine that this run is about. */
export async function makePlace() {
  const dataDir = makeDataFolder()
  const taken = isOnPostgres() ? await takeDatabase() : undefined
  const place: Place = [dataDir, taken?.url ?? '']
  async function remove(): Promise<void> {
    await taken?.giveBack()
    rmSync(dataDir, { recursive: true })
  }
  return { place, remove }
}

/** Opens it as a process does that may be killed. */
export async function openPlace([dataDir, databaseUrl]: Place) {
  const settings = { dataDir, databaseUrl: databaseUrl || undefined, databasePool: 3 }
  const { queries, close } = await openEngine(settings)
  return { db: await queries(), close }
}
