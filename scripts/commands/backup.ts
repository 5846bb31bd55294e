import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Storage } from '#config.ts'
import { counted } from '#domain/number.ts'
import { formatBytes } from '#domain/size.ts'
import { type Context, example, wantsJson } from '#scripts/_context.ts'
import { notBlank } from '#scripts/_not-blank.ts'
import { formatMomentIn, printAnswer, startProgress, type Terminal } from '#scripts/_terminal.ts'
import type { ArchiveTarget } from '#storage/backup/archive-place.ts'
import { makeKeptBackup } from '#storage/backup/kept.ts'
import { type Backup, makeBackup, type Source, type Watch } from '#storage/backup/make.ts'
import { writeRecord } from '#storage/backup/record.ts'
import { restoreBackup } from '#storage/backup/restore.ts'

type Made = Backup & { removed: string[] }

export function addBackupCommands(program: Command, context: Context): void {
  program
    .command('backup')
    .description('make a verified archive of the database and all files; the server may be running')
    .argument('[file]', 'the archive (default: a new file in BACKUP_DIR, with rotation)', notBlank)
    .option(
      '--to <url>',
      'a new archive in a bucket: s3://bucket/prefix?endpoint=…&region=…',
      notBlank,
    )
    .addHelpText(
      'after',
      example(
        'backup',
        'backup /mnt/usb/driveqr.tar',
        "backup --to 's3://backups/driveqr?region=ap-south-1'",
      ),
    )
    .action((file, options, command) => backUp(file, options, command, context))
  program
    .command('restore')
    .description('replace the data by a backup; the server must be stopped')
    .argument('<file>', 'the archive, or its address: s3://bucket/prefix/driveqr-….tar?…', notBlank)
    .option(
      '--replace',
      'keep the existing data in DATA_DIR/replaced-…, on PostgreSQL its tables in a schema',
    )
    .addHelpText('after', example('restore /mnt/usb/driveqr.tar'))
    .action((file, options, command) => restore(file, options, command, context))
}

async function backUp(
  file: string | undefined,
  { to }: { to?: string },
  command: Command,
  context: Context,
): Promise<void> {
  if (file !== undefined && to !== undefined) command.error('error: give a file or --to, not both')
  const source = { ...context.readConfig(), now: context.clock() }
  const target = to === undefined ? file : await openTarget(to, source.now, command, context)
  const made = await watched(context.terminal, (watch) =>
    target === undefined ? makeKeptBackup(source, watch) : makeAt(source, target, watch),
  )
  printAnswer(context.terminal, wantsJson(command), made, () => toText(made))
}

/** Loads the client of S3 only where a bucket is named. */
async function openTarget(to: string, now: Date, command: Command, context: Context) {
  const place = readBucket(to, '--to', command, context)
  const { bucketTarget } = await import('#storage/backup/bucket-archive.ts')
  return bucketTarget(place, now)
}

async function openSource(file: string, command: Command, context: Context) {
  if (!file.startsWith('s3:')) return resolve(file)
  const place = readBucket(file, 'the address', command, context)
  const { bucketSource } = await import('#storage/backup/bucket-archive.ts')
  return bucketSource(place)
}

/** Reads an address as STORAGE_URL is read, with the same credentials. `notBlank` has refused an empty one. */
function readBucket(url: string, name: string, command: Command, { readConfig }: Context): Storage {
  try {
    return readConfig({ STORAGE_URL: url, STORAGE_URL_FILE: '' }).storage as Storage
  } catch (error) {
    command.error(`error: ${(error as Error).message.replace('STORAGE_URL', name)}`)
  }
}

/** Makes a backup in a place of its own, for which no other one is removed. */
async function makeAt(source: Source, target: string | ArchiveTarget, watch: Watch) {
  const made = await makeBackup(source, target, watch)
  const { made_at, file, bytes } = made
  writeRecord(source.dataDir, { good: { made_at, file, bytes } })
  return { ...made, removed: [] as string[] }
}

async function restore(
  file: string,
  { replace = false }: { replace?: boolean },
  command: Command,
  context: Context,
): Promise<void> {
  const { dataDir, databaseUrl, secretKeyFile, storage, publicUrl, terminalZone } =
    context.readConfig()
  const place = { dataDir: resolve(dataDir), databaseUrl, secretKeyFile, storage }
  const archive = await openSource(file, command, context)
  const input = { ...place, file: archive, replace, now: context.clock() }
  const { manifest, aside, asideSchema, asideFiles } = await watched(context.terminal, (watch) =>
    restoreBackup(input, watch),
  )
  if (manifest.public_url !== publicUrl) {
    const remedy = 'set PUBLIC_URL to it, or scans will fail'
    context.terminal.err.write(
      `driveqr: the codes of this backup open ${manifest.public_url}: ${remedy}\n`,
    )
  }
  const { made_at, counts, files, missing } = manifest
  const old = {
    aside: aside ?? null,
    aside_schema: asideSchema ?? null,
    aside_files: asideFiles ?? null,
  }
  const answer = { data_dir: input.dataDir, made_at, counts, files, missing, ...old }
  const places = [
    ...(aside ? [aside] : []),
    ...(asideSchema ? [`the schema ${asideSchema} of the database`] : []),
    ...(asideFiles ? [asideFiles] : []),
  ].join(' and in ')
  printAnswer(context.terminal, wantsJson(command), answer, () =>
    [
      `Restored ${input.dataDir} to its state of ${formatMomentIn(terminalZone, made_at)}: ${inWords(counts, files)}`,
      ...(places ? [`The old data is in ${places}: delete it when you no longer need it`] : []),
    ].join('\n'),
  )
}

async function watched<T>(
  terminal: Terminal,
  work: (watch: (total: number) => (bytes: number) => void) => Promise<T>,
): Promise<T> {
  let end = () => {}
  try {
    return await work((total) => {
      const progress = startProgress(terminal, total, formatBytes)
      end = progress.end
      return progress.advance
    })
  } finally {
    end()
  }
}

function toText({ file, bytes, counts, files, missing, removed }: Made): string {
  return [
    `${file}, ${formatBytes(bytes)}, verified: ${inWords(counts, files)}`,
    ...(missing.length > 0 ? [`Without ${counted(missing.length, 'file')} already missing`] : []),
    ...(removed.length > 0 ? [`Older backups removed: ${removed.join(', ')}`] : []),
  ].join('\n')
}

function inWords(counts: Record<string, number>, files: number): string {
  const { accounts = 0, qr_codes = 0 } = counts
  const numbers = [
    [accounts, 'account'],
    [qr_codes, 'code'],
    [files, 'file'],
  ] as const
  return numbers.map(([count, noun]) => counted(count, noun)).join(', ')
}
