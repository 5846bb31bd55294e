import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Drill, Outcome } from '#lab/drills/_drill.ts'
import { killHard, makeFolder } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { launch } from '#tests/support/server.ts'

const PAGE = 4096

/** Ways to damage a database before a server starts on it. */
const DAMAGES: Record<string, (database: string) => Promise<void> | void> = {
  'of no length': (database) => truncateSync(database),
  missing: (database) => rmSync(database),
  'cut in half': (database) => truncateSync(database, (readFileSync(database).length >> 13) << 12),
  'full of noise': (database) => writeFileSync(database, Buffer.alloc(20 * PAGE, 'noise')),
  'with a page overwritten': overwriteImages,
  'with a broken header': (database) => overwrite(database, 0, 100),
  "another program's": makeForeign,
  'of a newer program': (database) => change(database, 'pragma user_version = 999'),
  "another folder's": async (database) => {
    const other = await makeFolder(join(database, '..', '..'))
    copyFileSync(join(other.dataDir, 'driveqr.db'), database)
  },
}

export const damage: Drill = {
  name: 'damage',
  promise: 'A damaged, empty or foreign database is refused with one line and not changed',
  trial: startOnEach,
  without: 'the check at the start',
  guardless: withoutGuard('trusting', [
    [
      'db/sqlite/database-file.ts',
      'isQuicklyChecked(connection.name) && findDamage(connection)',
      "'' && findDamage(connection)",
    ],
  ]),
}

async function startOnEach(work: string, program: string): Promise<Outcome> {
  const wrong: string[] = []
  for (const [what, spoil] of Object.entries(DAMAGES)) {
    const { dataDir } = await makeFolder(work)
    const database = join(dataDir, 'driveqr.db')
    await spoil(database)
    const before = hashOf(database)
    const server = await launch({ dataDir, program })
    if (await server.serves()) await killHard(server)
    const { code } = await server.ended
    const lines = server.output().trim().split('\n')
    if (code !== 3) wrong.push(`one ${what} was served`)
    else if (lines.length !== 1) wrong.push(`one ${what} was refused in ${lines.length} lines`)
    if (what !== 'missing' && hashOf(database) !== before) wrong.push(`one ${what} was written to`)
  }
  const all = Object.keys(DAMAGES).length
  const figure = [`${all} damaged databases, ${all - wrong.length} refused and unchanged`, ...wrong]
  return { figure: figure.join('; '), isKept: wrong.length === 0 }
}

/**
 * Overwrites a page that no start reads. Without the check a finder would be the first to notice.
 */
function overwriteImages(database: string): void {
  const connection = new Sqlite(database)
  const page = connection.prepare("select rootpage from sqlite_schema where name = 'popup_images'")
  const number = page.pluck().get() as number
  connection.close()
  overwrite(database, (number - 1) * PAGE)
}

function overwrite(database: string, from: number, length = PAGE): void {
  const bytes = readFileSync(database)
  bytes.fill(0x5a, from, from + length)
  writeFileSync(database, bytes)
}

function makeForeign(database: string): void {
  rmSync(database)
  change(database, 'create table notes (text)')
}

function change(database: string, statement: string): void {
  const connection = new Sqlite(database)
  connection.exec(statement)
  connection.close()
}

function hashOf(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch {
    return 'missing'
  }
}
