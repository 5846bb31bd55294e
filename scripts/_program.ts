import { Command, CommanderError } from 'commander'
import { VERSION } from '#config.ts'
import { reasonOf } from '#db/reason.ts'
import { DEFAULT_COUNTRY, dialIn } from '#domain/accounts/country.ts'
import { switchPlans } from '#domain/plans/offer.ts'
import { type Context, example } from '#scripts/_context.ts'
import { assertTaken, isClosedPipe, print } from '#scripts/_terminal.ts'
import { addAdminCommands } from '#scripts/commands/admin.ts'
import { addBackupCommands } from '#scripts/commands/backup.ts'
import { addConfigCommand } from '#scripts/commands/config.ts'
import { addDoctorCommand } from '#scripts/commands/doctor.ts'
import { addMessageCommands } from '#scripts/commands/message.ts'
import { addMoveCommand } from '#scripts/commands/move.ts'
import { addNotifyCommands } from '#scripts/commands/notify.ts'
import { addPromoCommands } from '#scripts/commands/promo.ts'
import { addQrCommands } from '#scripts/commands/qr.ts'
import { addReportCommands } from '#scripts/commands/report.ts'
import { addSeedCommand } from '#scripts/commands/seed.ts'
import { addUserCommands } from '#scripts/commands/user.ts'

const DONE = 0
const REFUSED = 1
const WRONG_USAGE = 2

/** Runs one command. Returns the exit code: 0 done, 1 refused, 2 wrong usage. */
export async function runCommandLine(args: readonly string[], context: Context): Promise<number> {
  try {
    await createProgram(context).parseAsync(args, { from: 'user' })
    assertTaken(context.terminal)
    return DONE
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) return error.exitCode === DONE ? DONE : WRONG_USAGE
    if (isClosedPipe(error)) return DONE
    context.terminal.err.write(`driveqr: ${reasonOf(error)}\n`)
    return REFUSED
  }
}

function createProgram(context: Context): Command {
  const { terminal } = context
  applySettings(context)
  const program = new Command('driveqr')
    .description('Administers a DriveQR installation. Its server may be running.')
    .version(VERSION, '--version', 'print the version')
    .option('--json', 'print JSON, for programs')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print(terminal, text),
      writeErr: (text) => void terminal.err.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', example('doctor', 'qr create --help'))
  addQrCommands(program, context)
  addAdminCommands(program, context)
  addUserCommands(program, context)
  addPromoCommands(program, context)
  addBackupCommands(program, context)
  addMoveCommand(program, context)
  addMessageCommands(program, context)
  addReportCommands(program, context)
  addNotifyCommands(program, context)
  addDoctorCommand(program, context)
  addConfigCommand(program, context)
  addSeedCommand(program, context)
  return program
}

/**
 * Applies what help and arguments depend on: whether there are plans, and the country of numbers. A wrong setting is
 * reported by the command that needs it.
 */
function applySettings({ readConfig }: Context): void {
  try {
    const { plans, country } = readConfig()
    switchPlans(plans)
    dialIn(country)
  } catch {
    switchPlans(true)
    dialIn(DEFAULT_COUNTRY)
  }
}
