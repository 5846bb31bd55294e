import type { Command } from 'commander'
import { checkAddress, checkOwners, checkRegistration } from '#actions/operations/setup.ts'
import { listMissing, type Missing } from '#actions/operations/uses.ts'
import { type Config, VERSION } from '#config.ts'
import { CommandError } from '#domain/error.ts'
import { counted } from '#domain/number.ts'
import * as checks from '#scripts/_checks.ts'
import { type Context, example, wantsJson } from '#scripts/_context.ts'
import { examineDatabase } from '#scripts/_database-checks.ts'
import { printAnswer, toTable } from '#scripts/_terminal.ts'

const LABELS = { ok: 'ok', warning: 'warning', problem: 'PROBLEM' }

export function addDoctorCommand(program: Command, context: Context): void {
  program
    .command('doctor')
    .description('check the installation and report problems; changes nothing')
    .addHelpText('after', example('doctor'))
    .action((_options, command) => examine(command, context))
}

async function examine(command: Command, context: Context): Promise<void> {
  const { found, uses } = await findAll(context)
  const count = (status: checks.Status) => found.filter((each) => each.status === status).length
  const problems = count('problem')
  const verdict = problems === 0 ? 'sound' : 'problem'
  printAnswer(context.terminal, wantsJson(command), { verdict, checks: found, uses }, () =>
    [
      toText(found),
      ...(uses ? ['', usesToText(uses)] : []),
      ...(problems === 0 ? ['', inWords(count('warning'))] : []),
    ].join('\n'),
  )
  if (problems === 0) return
  const were = problems === 1 ? '1 problem was' : `${problems} problems were`
  throw new CommandError(`${were} found`)
}

function inWords(warnings: number): string {
  if (warnings === 0) return 'Everything is sound.'
  return `Sound, with ${counted(warnings, 'warning')}.`
}

type Found = {
  found: checks.Check[]
  /** undefined when the settings cannot be read */
  uses: Missing[] | undefined
}

async function findAll(context: Context): Promise<Found> {
  const version = { name: 'Version', ...checks.ok(VERSION) }
  const node = await checks.check('Node', () => checks.checkNode(process.versions.node))
  let config: Config
  try {
    config = context.readConfig()
  } catch (error) {
    const { message } = error as Error
    const found = [version, node, { name: 'Configuration', status: 'problem', message } as const]
    return { found, uses: undefined }
  }
  const found = [
    version,
    node,
    await checks.check('Configuration', () => checks.checkConfiguration(config)),
    await checks.check('Address', () => checkAddress(config)),
    await checks.check('Mail', () => checks.checkMail(config)),
    await checks.check('Registration', () => checkRegistration(config)),
    await checks.check('Owners', () => checkOwners(config)),
    await checks.check('Alerts', () => checks.checkAlerts(config)),
    await checks.check('Google', () => checks.checkProvider(config)),
    await checks.check('Data folder', () => checks.checkFolder(config.dataDir)),
    await checks.check('Disk space', () => checks.checkSpace(config.dataDir)),
    await checks.check('Storage', () => checks.checkStorage(config)),
    ...(await examineDatabase({ ...config, now: context.clock() })),
  ]
  return { found, uses: listMissing(found, config) }
}

function toText(found: checks.Check[]): string {
  const rows = found.map(({ name, status, message }) => [LABELS[status], name, message])
  return toTable(['STATUS', 'CHECK', 'FINDING'], rows)
}

function usesToText(uses: Missing[]): string {
  const rows = uses.map(({ use, missing }) => [use, missing.join(', ') || 'nothing'])
  return toTable(['USE', 'MISSING'], rows)
}
