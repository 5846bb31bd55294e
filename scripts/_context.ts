import type { Command } from 'commander'
import type { Config } from '#config.ts'
import { endDuePermissions } from '#db/accounts/permission-types.ts'
import type { Db } from '#db/client.ts'
import { openEngine } from '#db/open-engine.ts'
import type { Terminal } from '#scripts/_terminal.ts'

/** What commands are run with; tests hand in their own. */
export type Context = {
  terminal: Terminal
  clock: () => Date
  /** Throws an Error with one line for a person when a setting cannot be right. */
  readConfig: () => Config
}

export type House = { db: Db; config: Config; now: Date }

/** Opens the database beside a running server or without one, and closes it whatever happens. */
export async function withDatabase<T>(
  { clock, readConfig }: Context,
  work: (house: House) => Promise<T>,
): Promise<T> {
  const config = readConfig()
  const engine = await openEngine(config, 'command line')
  try {
    const db = await engine.queries()
    const now = clock()
    await endDuePermissions(db, now)
    return await work({ db, config, now })
  } finally {
    await engine.close()
  }
}

/** Whether the answer is for a machine: `--json`, which every command understands. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true
}

export function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${npmRun(line)} -- ${line}`).join('\n')}`
}

/** npm says what it runs where the answer goes, which a program or a file must not get to read. */
function npmRun(line: string): string {
  return / > | --json/.test(line) ? 'npm run --silent driveqr' : 'npm run driveqr'
}
