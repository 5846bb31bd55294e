import type { Command } from 'commander'
import type { Config } from '#config.ts'
import { counted } from '#domain/number.ts'
import { formatBytes } from '#domain/size.ts'
import { type Context, example, wantsJson } from '#scripts/_context.ts'
import { notBlank } from '#scripts/_not-blank.ts'
import { printAnswer, startLongProgress } from '#scripts/_terminal.ts'
import {
  type Moved,
  moveInstallation,
  namingOptions,
  type Work,
} from '#storage/backup/move/move.ts'

type Options = { to: string; storage?: string }

export function addMoveCommand(program: Command, context: Context): void {
  program
    .command('move')
    .description(
      'copy all data to another database and storage, and verify it; the server must be stopped',
    )
    .requiredOption(
      '--to <database>',
      'postgres://user:password@host:5432/name, or sqlite',
      notBlank,
    )
    .option(
      '--storage <url>',
      's3://bucket/prefix?endpoint=…&region=… (default: DATA_DIR/files)',
      notBlank,
    )
    .addHelpText(
      'after',
      `
Stopped halfway, the same command goes on where it was. The old data stays where it is.
${example("move --to postgres://driveqr:password@127.0.0.1:5432/driveqr --storage 's3://driveqr/files?region=ap-south-1'", 'move --to sqlite')}`,
    )
    .action((options, command) => move(options, command, context))
}

async function move(options: Options, command: Command, context: Context): Promise<void> {
  const from = context.readConfig()
  const to = readTarget(options, command, context)
  let end = () => {}
  try {
    const moved = await moveInstallation(from, to, (work) => {
      const progress = startLongProgress(context.terminal, work.units, describe(work))
      end = progress.end
      return progress.advance
    })
    end()
    printAnswer(context.terminal, wantsJson(command), moved, () => toText(moved, options))
  } catch (error) {
    end()
    throw error
  }
}

/** The settings after the move. The role is that of this server, which may be another one then. */
function readTarget(
  { to, storage = '' }: Options,
  command: Command,
  { readConfig }: Context,
): Config {
  try {
    const database = to === 'sqlite' ? '' : to
    return readConfig({ DATABASE_URL: database, STORAGE_URL: storage, ROLE: 'all' })
  } catch (error) {
    command.error(`error: ${namingOptions(error as Error).message}`)
  }
}

function describe({ rows, files, bytes }: Work): string {
  return `${counted(rows, 'row')} and ${counted(files, 'file')} (${formatBytes(bytes)})`
}

function toText({ rows, files, missing, database, storage }: Moved, options: Options): string {
  const settings = [
    options.to === 'sqlite' ? 'unset DATABASE_URL' : 'set DATABASE_URL as --to',
    options.storage === undefined ? 'unset STORAGE_URL' : 'set STORAGE_URL as --storage',
  ]
  return [
    `${counted(rows, 'row')} and ${counted(files, 'file')} copied and verified: ${database}, ${storage}`,
    ...(missing.length > 0 ? [`Without ${counted(missing.length, 'file')} already missing`] : []),
    `Now ${settings.join(' and ')}, and start the server. The old data is where it was: delete it when you no longer need it`,
  ].join('\n')
}
