import { resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { notePrinted } from '#actions/brands/brands.ts'
import { resolveBrandOf, scanUrl } from '#actions/codes/view.ts'
import { findFirstAdmin } from '#db/accounts/permissions.ts'
import type { Db } from '#db/client.ts'
import { printCodes } from '#db/codes/qr-creation.ts'
import { reasonOf } from '#db/reason.ts'
import type { Account } from '#db/schema.ts'
import { CommandError } from '#domain/error.ts'
import { counted, formatCount } from '#domain/number.ts'
import { SIZE_MAX } from '#formats/qr-image.ts'
import * as sinks from '#scripts/_code-sinks.ts'
import {
  beyondLimits,
  type Context,
  example,
  type Installation,
  wantsJson,
  withDatabase,
} from '#scripts/_context.ts'
import { notBlank } from '#scripts/_not-blank.ts'
import { getOwnerByEmail, warnOfLoopback } from '#scripts/_owner.ts'
import { printLine } from '#scripts/_terminal.ts'
import { wholeNumber } from '#scripts/_whole-number.ts'
import { addQrExportCommand } from '#scripts/commands/qr-export.ts'
import { addQrImportCommand } from '#scripts/commands/qr-import.ts'

type Options = {
  count: number
  owner?: string
  child?: boolean
  activation?: boolean
  out?: string
  format?: sinks.ImageFormat[]
  size?: number
  csv?: string
}

const SIZE_DEFAULT = 10
const MOST_CODES = 999_999_999

export function addQrCommands(program: Command, context: Context): void {
  const qr = program.command('qr').description('QR codes')
  qr.command('create')
    .description(beyondLimits('create codes to print, unclaimed or child codes'))
    .requiredOption('--count <n>', 'the number of codes', wholeNumber(1, MOST_CODES))
    .option('--owner <email>', 'their owner (default: the first admin)', notBlank)
    .option('--child', 'create child codes')
    .option('--activation', 'give each code an activation code, which is only in this list')
    .option('--out <dir>', 'write an image of each code into this folder', notBlank)
    .option('--format <list>', 'png, svg or png,svg (default: png)', parseFormats)
    .option('--size <n>', 'pixels per module, 1 to 40 (default: 10)', wholeNumber(1, SIZE_MAX))
    .option('--csv <file>', 'write a list of the codes, for the print shop', notBlank)
    .addHelpText(
      'after',
      example('qr create --count 500 --out ./codes --format png,svg --csv ./codes/list.csv'),
    )
    .action((options, command) => create(options, command, context))
  addQrExportCommand(qr, context)
  addQrImportCommand(qr, context)
}

function parseFormats(text: string): sinks.ImageFormat[] {
  const given = new Set(text.split(',').map((format) => format.trim()))
  const formats = sinks.IMAGE_FORMATS.filter((format) => given.has(format))
  if (formats.length === given.size) return formats
  throw new InvalidArgumentError('It must be png, svg or png,svg.')
}

async function create(options: Options, command: Command, context: Context): Promise<void> {
  const { out, format, size, activation } = options
  if (!out && (format || size)) command.error('error: --format and --size need --out')
  if (activation) assertActivation(options, command)
  async function act(installation: Installation): Promise<void> {
    const owner = await getOwner(installation.db, options.owner)
    warnOfLoopback(installation, context)
    await make(installation, owner, options, openSinks(options, owner, wantsJson(command), context))
    if (!wantsJson(command)) printLine(context.terminal, describe(options, owner))
  }
  await withDatabase(context, act, { mayBegin: true })
}

/** Images alone would lose the activation codes, which nobody is told again. */
function assertActivation({ child, out, csv }: Options, command: Command): void {
  if (child) command.error('error: --activation is for unclaimed codes, not for --child')
  if (out && !csv && !wantsJson(command))
    command.error('error: --activation with --out needs --csv')
}

async function getOwner(db: Db, typed: string | undefined): Promise<Account> {
  if (typed === undefined) {
    const admin = await findFirstAdmin(db)
    if (admin) return admin
    const remedy = 'use --owner EMAIL, or make one with: admin grant EMAIL'
    throw new CommandError(`There is no admin to own the codes: ${remedy}`)
  }
  return getOwnerByEmail(db, typed)
}

function openSinks(
  { count, child, activation, out, csv, format = ['png'], size = SIZE_DEFAULT }: Options,
  { email }: Account,
  json: boolean,
  { terminal }: Context,
): sinks.Sink[] {
  const isOnScreen = !json && !csv && !out
  const folder = out ? sinks.openFolder(out, format, size) : undefined
  const named = { formats: out ? format : [], hasActivation: activation === true }
  const list = csv ? sinks.openList(csv, named) : undefined
  return [
    // The list comes before the images, so that it is complete when the disk fills up.
    ...(list ? [list] : []),
    ...(folder ? [folder] : []),
    ...(json ? [sinks.openJson(terminal, { owner: email, qr_type: typeOf(child) })] : []),
    ...(isOnScreen ? [sinks.openLines(terminal)] : []),
    ...(isOnScreen && terminal.out.isTTY ? [] : [sinks.openProgress(terminal, count)]),
  ]
}

function typeOf(child: boolean | undefined): 'child' | 'normal' {
  return child ? 'child' : 'normal'
}

/** Commits codes before they are listed and drawn, so that every printed code exists. */
async function make(
  { db, config, now, secretKey }: Installation,
  owner: Account,
  { count, child, activation }: Options,
  open: readonly sinks.Sink[],
): Promise<void> {
  let made = 0
  const kind = { ownerId: owner.id, qrType: typeOf(child) }
  const activationKey = activation ? secretKey : undefined
  const making = { now, contactMode: config.defaultContactMode, activationKey }
  const branding = await resolveBrandOf({ db, config, clock: () => now }, owner.id)
  try {
    for await (const batch of printCodes(db, { ...kind, count }, making)) {
      made += batch.length
      const codes = batch.map(({ qr_id, qr_type, created_at, activation_code }) => {
        const secret = activation_code ? { activation_code } : {}
        return { qr_id, qr_type, url: scanUrl(branding, qr_id), created_at, ...secret }
      })
      await notePrinted({ db }, branding, codes)
      for (const sink of open) sink.add(codes)
      // Yields to the event loop, so that the memory of drawn images is freed.
      await nextTurn()
    }
  } catch (error) {
    throw new Error(
      `Stopped after ${formatCount(made)} of ${counted(count, 'code')}: ${reasonOf(error)}`,
    )
  } finally {
    for (const sink of open) sink.close()
  }
}

function describe({ count, child, out, csv }: Options, { email, mobile }: Account): string {
  const kind = child ? 'child' : 'unclaimed'
  const places = [out && `images in ${resolve(out)}`, csv && `list in ${resolve(csv)}`]
  const made = `Created ${counted(count, `${kind} code`)} of ${email ?? mobile}`
  return [made, ...places.filter(Boolean)].join(', ')
}
