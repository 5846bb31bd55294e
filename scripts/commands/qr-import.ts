import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { type Command, Option } from 'commander'
import { notePrinted } from '#actions/brands/brands.ts'
import { resolveBrandOf, scanUrl } from '#actions/codes/view.ts'
import { readImport } from '#actions/fleets/import.ts'
import { COMMAND_LINE, recordAct } from '#db/admin/audit-events.ts'
import {
  beginProgress,
  CODES_AT_ONCE,
  countImported,
  eachImportedCode,
  endProgress,
  findProgress,
  type Importing,
  importRows,
  openVehicles,
  type Progress,
  type Step,
} from '#db/fleets/import-steps.ts'
import { matchVehicle } from '#db/fleets/imports.ts'
import { reasonOf } from '#db/reason.ts'
import type { Account } from '#db/schema.ts'
import { CommandError } from '#domain/error.ts'
import { countOfCodes } from '#domain/fleets/bulk.ts'
import { ON_DUPLICATE, type OnDuplicate } from '#domain/fleets/import.ts'
import { beginCheck, type ImportCheck, refusedRows } from '#domain/fleets/import-check.ts'
import { cellProblemText, type ImportRow } from '#domain/fleets/import-rows.ts'
import { formatCount } from '#domain/number.ts'
import { formatBytes } from '#domain/size.ts'
import { openFolder, openList, openProgress } from '#scripts/_code-sinks.ts'
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
import { printAnswer, printLine, startProgress } from '#scripts/_terminal.ts'

type Options = { owner: string; dryRun?: boolean; onDuplicate: OnDuplicate; out?: string }

/** Rows that are looked up, and imported, together: the next are read while a server writes. */
const ROWS_AT_ONCE = CODES_AT_ONCE
const MOST_PRINTED = 50
const IMAGE_SIZE = 10
const LIST = 'list.csv'

export function addQrImportCommand(qr: Command, context: Context): void {
  qr.command('import')
    .description(beyondLimits('import a CSV table of vehicles'))
    .argument('<file>', 'the table, with the columns of the template', notBlank)
    .requiredOption('--owner <email>', 'the account that gets the codes', notBlank)
    .option('--dry-run', 'only check the table')
    .addOption(
      new Option('--on-duplicate <choice>', 'vehicles that already have a code')
        .choices(ON_DUPLICATE)
        .default('error'),
    )
    .option('--out <dir>', `write an image of each new code and ${LIST} into this folder`, notBlank)
    .addHelpText(
      'after',
      example(
        'qr import fleet.csv --owner fleet@example.in --dry-run',
        'qr import fleet.csv --owner fleet@example.in --on-duplicate skip --out ./codes',
      ),
    )
    .action((file, options, command) => importFile(resolve(file), options, command, context))
}

type Import = { file: string; owner: Account; importing: Importing; options: Options }

async function importFile(
  file: string,
  options: Options,
  command: Command,
  context: Context,
): Promise<void> {
  const { terminal } = context
  // The heap grows with the speed of reading otherwise, to 170 MB.
  setFlagsFromString('--optimize-for-size')
  const tableHash = await hashOf(file)
  await withDatabase(context, async (installation) => {
    const owner = await getOwnerByEmail(installation.db, options.owner)
    const task = { file, owner, importing: { ownerId: owner.id, tableHash }, options }
    const began = await findProgress(installation.db, task.importing)
    if (options.out) assertNoList(options.out)
    const check = await checkFile(installation, task, began?.row ?? 1, context)
    const { notable: _, ...answer } = check
    if (check.errors.length > 0) {
      if (wantsJson(command)) printLine(terminal, JSON.stringify(answer, null, 2))
      else printProblems(check, context)
      throw new CommandError(`${refusedRows(check).message}. Nothing was imported.`)
    }
    if (options.dryRun) {
      return printAnswer(terminal, wantsJson(command), answer, () => describe(check, 'would be '))
    }
    if (began) sayContinued(began, context)
    if (options.out) warnOfLoopback(installation, context)
    const progress =
      began ?? (await beginProgress(installation.db, task.importing, installation.now))
    await importAll(installation, task, { check, progress }, context)
    if (options.out) await draw(installation, task, progress, context)
    await endProgress(installation.db, task.importing)
    const { created, updated, skipped } = check
    const done = { created_count: created, updated_count: updated, skipped_count: skipped }
    printAnswer(terminal, wantsJson(command), done, () => {
      const where = options.out ? `\nImages and ${LIST} in ${resolve(options.out)}` : ''
      return `${describe(check, '')}${where}`
    })
  })
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file)) hash.update(piece)
  return hash.digest('hex')
}

/** Before anything is imported. A list is never overwritten. */
function assertNoList(out: string): void {
  const list = join(resolve(out), LIST)
  if (!existsSync(list)) return
  throw new CommandError(`${list} already exists: name another folder`)
}

/** Rows of the table after the row `from`, together. */
async function* inGroups(
  file: string,
  from: number,
  onProblems: (problems: ImportCheck['errors']) => void,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<ImportRow[], void> {
  let rows: ImportRow[] = []
  for await (const { problems, row } of readImport(file, onBytes)) {
    onProblems(problems)
    if (!row || row.row <= from) continue
    if (rows.push(row) < ROWS_AT_ONCE) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}

/** Reads the whole table once before anything is imported, so that a wrong row stops nothing halfway. */
async function checkFile(
  { db }: Installation,
  { file, owner, options }: Import,
  from: number,
  { terminal }: Context,
): Promise<ImportCheck> {
  const { size } = await stat(file)
  const progress = startProgress(terminal, size, formatBytes)
  const { check, decide } = beginCheck(options.onDuplicate)
  const onProblems = (problems: ImportCheck['errors']) => void check.errors.push(...problems)
  const known = await openVehicles(db, owner.id)
  try {
    for await (const rows of inGroups(file, from, onProblems, progress.advance)) {
      const vehicles = await known.find(rows)
      for (const row of rows) decide(row, matchVehicle(row, vehicles))
    }
  } finally {
    known.close()
    progress.end()
  }
  return check
}

type Checked = { check: ImportCheck; progress: Progress }

async function importAll(
  { db, config, now, secretKey }: Installation,
  { file, owner, importing, options }: Import,
  { check, progress: began }: Checked,
  { terminal }: Context,
): Promise<void> {
  const bar = startProgress(terminal, check.rows)
  let step: Step = { progress: began, done: { count: 0, updated: 0, skipped: 0 } }
  const subject = { subject_type: 'account', subject_id: owner.id }
  const event = { ...COMMAND_LINE, ...subject, action: 'qr.imported', after: step.done }
  const act = await recordAct(db, event, now)
  const making = {
    now: new Date(began.created_at),
    contactMode: config.defaultContactMode,
    secretKey,
    onDuplicate: options.onDuplicate,
  }
  const known = await openVehicles(db, owner.id)
  try {
    for await (const rows of inGroups(file, began.row, refuseChanged)) {
      refuseChanged(rows.flatMap(({ problems }) => problems))
      const vehicles = await known.find(rows)
      const group = { ...step, rows, vehicles, act }
      for await (const next of importRows(db, importing, group, making)) step = next
      bar.advance(rows.length)
    }
  } catch (error) {
    const again = 'Run the same command again to go on from there.'
    throw new Error(`Stopped after row ${step.progress.row}: ${reasonOf(error)}. ${again}`)
  } finally {
    known.close()
    bar.end()
  }
}

/** The table was in order when it was checked. */
function refuseChanged(problems: ImportCheck['errors']): void {
  const [problem] = problems
  if (problem) throw new CommandError(`The table has changed (${cellProblemText(problem)})`)
}

/** Images and their list come last, so that drawing them does not slow down the import. */
async function draw(
  { db, config, now }: Installation,
  { owner, options }: Import,
  progress: Progress,
  { terminal }: Context,
): Promise<void> {
  const out = options.out ?? ''
  const branding = await resolveBrandOf({ db, config, clock: () => now }, owner.id)
  const folder = openFolder(out, ['png'], IMAGE_SIZE)
  const list = openList(join(out, LIST), { formats: ['png'], ofVehicles: true })
  const bar = openProgress(terminal, await countImported(db, owner.id, progress))
  const sinks = [list, folder, bar]
  try {
    for await (const page of eachImportedCode(db, owner.id, progress)) {
      const codes = page.map(({ id: _, ...code }) => ({
        ...code,
        url: scanUrl(branding, code.qr_id),
      }))
      await notePrinted({ db }, branding, codes)
      for (const sink of sinks) sink.add(codes)
      await nextTurn()
    }
  } finally {
    for (const sink of sinks) sink.close()
  }
}

function printProblems({ errors }: ImportCheck, { terminal }: Context): void {
  for (const problem of errors.slice(0, MOST_PRINTED)) {
    printLine(terminal, cellProblemText(problem).replace(/\p{Cc}/gu, ' '))
  }
  const left = errors.length - MOST_PRINTED
  if (left > 0) printLine(terminal, `… and ${formatCount(left)} more`)
}

function sayContinued({ row }: Progress, { terminal }: Context): void {
  terminal.err.write(`driveqr: going on after row ${row}, where this import was stopped\n`)
}

function describe({ created, updated, skipped }: ImportCheck, verb: '' | 'would be '): string {
  const parts = [
    `${countOfCodes(created)} ${verb}imported`,
    updated > 0 && `${formatCount(updated)} updated`,
    skipped > 0 && `${formatCount(skipped)} skipped`,
  ]
  return parts.filter(Boolean).join(', ')
}
