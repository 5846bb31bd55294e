import { Argument, type Command } from 'commander'
import { type Config, typedCommand } from '#config.ts'
import { endDuePermissions } from '#db/accounts/permission-types.ts'
import type { Db } from '#db/client.ts'
import { hasBegun } from '#db/data-folder.ts'
import type { BeforeMigration, Engine } from '#db/engine.ts'
import { openEngine } from '#db/open-engine.ts'
import { openOutbox } from '#db/outbox.ts'
import { CommandError, DomainError } from '#domain/error.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import type { Refusal } from '#locales/refusal.ts'
import { printAnswer, type Terminal } from '#scripts/_terminal.ts'

/** The environment of a command; tests provide their own. */
export type Context = {
  terminal: Terminal
  clock: () => Date
  /**
   * The settings, with others instead of some of them. Throws an Error with a one-line message when
   * one is invalid.
   */
  readConfig: (instead?: Record<string, string>) => Config
}

/** Which row of a list a command is about. */
export const LISTED_ID = new Argument('<id>', 'the id from the list')

/** An open installation: its database, settings and keys, and the time of the command. */
export type Installation = Pick<Engine, 'installId' | 'secretKey'> & {
  db: Db
  config: Config
  now: Date
}

/** Whether a command makes the database of a new installation, as the first start of the server does. */
type Beginning = { mayBegin?: boolean }

/**
 * Runs `work` with an open database and closes it afterwards. The server may be running. Throws a CommandError
 * where there is no installation yet, unless the command may begin one.
 */
export async function withDatabase<T>(
  { clock, readConfig, terminal }: Context,
  work: (installation: Installation) => Promise<T>,
  { mayBegin = false }: Beginning = {},
): Promise<T> {
  const config = readConfig()
  if (!mayBegin) assertBegun(config)
  const engine = await openEngine(config, 'command line', backUpFirst({ config, clock, terminal }))
  try {
    const db = await engine.queries()
    const now = clock()
    await endDuePermissions(db, now)
    const { installId, secretKey } = engine
    return await work({ db, config, now, installId, secretKey })
  } finally {
    await engine.close()
  }
}

type Tools = Pick<Context, 'clock' | 'terminal'> & { config: Config }

function backUpFirst({ config, clock, terminal }: Tools): BeforeMigration {
  return async function backUp(schemas) {
    // Loaded only for a migration.
    const { backUpBeforeMigration } = await import('#storage/backup/before-migration.ts')
    await backUpBeforeMigration({ ...config, now: clock() }, ({ from, to, file }, text) => {
      const made = file ? `${text}: ${file}` : text
      terminal.err.write(`driveqr: schema ${from} becomes ${to}, ${made}\n`)
    })(schemas)
  }
}

/** A slip in DATA_DIR must not begin a second installation. A server's database says itself whose it is. */
function assertBegun({ dataDir, databaseUrl }: Config): void {
  if (databaseUrl !== undefined || hasBegun(dataDir)) return
  throw new CommandError(
    `There is no DriveQR in ${dataDir}: set DATA_DIR to its data folder, or start the server once`,
  )
}

/** JSON for programs, and text for people. */
export type Answer = { view: unknown; text: string }

/** Makes the action of a command: `act` gets the open database and the arguments, and its answer is printed. */
export function answering<Args extends unknown[]>(
  context: Context,
  act: (installation: Installation, ...args: Args) => Promise<Answer>,
  beginning: Beginning = {},
) {
  async function actAndPrint(installation: Installation, given: unknown[]): Promise<void> {
    const { view, text } = await act(installation, ...(given as Args))
    printAnswer(context.terminal, wantsJson(given.at(-1) as Command), view, () => text)
  }
  return (...given: unknown[]): Promise<void> =>
    withDatabase(context, (installation) => actAndPrint(installation, given), beginning)
}

/** Makes the action of a command about plans, which is refused where there are none. */
export function answeringOnPlans<Args extends unknown[]>(
  context: Context,
  act: (installation: Installation, ...args: Args) => Promise<Answer>,
) {
  return answering<Args>(context, async (installation, ...args) => {
    if (hasPlans()) return act(installation, ...args)
    throw new CommandError('This installation has no plans: its setting PLANS is off')
  })
}

/** Says of a command that it makes more codes than the owner's plan allows, where there are plans. */
export function beyondLimits(does: string): string {
  return hasPlans() ? `${does}, beyond the owner's plan limits` : does
}

/** Returns whether `--json` was given, which every command accepts. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true
}

export function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${typedCommand(line)}`).join('\n')}`
}

/** Returns the arguments for queueing a mail, which the server sends. */
export function mailing({ db, config, now, secretKey }: Installation) {
  const clock = () => now
  const canMail = Boolean(config.mail.smtpUrl)
  return { config, clock, outbox: openOutbox(db, secretKey, clock, canMail, config.timezone) }
}

/** Throws the refusal of a rule. */
export function refuse(problem: Refusal | undefined): void {
  if (problem) throw new DomainError(problem)
}
