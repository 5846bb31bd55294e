import { z } from 'zod'
import { DATABASE_FILE, FILES_FOLDER, INSTALL_ID_FILE, KEY_FILE } from '#db/data-folder.ts'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { CommandError } from '#domain/error.ts'
import { kindOfStoredName } from '#domain/papers/file-kind.ts'
import type { Archived } from '#storage/backup/archive.ts'

/** The first entry of an archive. It identifies the archive before anything is unpacked. */
export const MANIFEST = 'manifest.json'
/** The last entry, in the format of `sha256sum --check`. Without it the archive is incomplete. */
export const SUMS = 'SHA256SUMS'
export const LARGEST_MANIFEST = 1024 * 1024
/** A line takes a hundred bytes, so this allows a million files. */
export const LARGEST_SUMS = 128 * 1024 * 1024

const FORMAT = 1

const manifestSchema = z.object({
  program: z.literal('DriveQR'),
  format: z.number(),
  schema_version: z.number(),
  made_at: z.iso.datetime(),
  /** the origin in the printed codes; a terminal would take control characters for orders */
  public_url: z.string().regex(/^\P{Cc}*$/u),
  counts: z.record(z.string(), z.number()),
  files: z.number(),
  /** files that rows mention but the data folder did not have */
  missing: z.array(z.string()),
})

export type Manifest = z.infer<typeof manifestSchema>

/** Returns a manifest of this format as the bytes of its entry. */
export function toManifest(facts: Omit<Manifest, 'program' | 'format'>): Buffer {
  const manifest: Manifest = { program: 'DriveQR', format: FORMAT, ...facts }
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
}

/** Throws when an archive is not a DriveQR backup or is newer than this program. */
export function readManifest(bytes: Buffer): Manifest {
  let json: unknown
  try {
    json = JSON.parse(bytes.toString())
  } catch {
    throw notABackup()
  }
  const { data } = manifestSchema.safeParse(json)
  if (!data) throw notABackup()
  if (data.format <= FORMAT && data.schema_version <= SCHEMA_VERSION) return data
  throw new CommandError('This backup was made by a newer DriveQR. Restore it with that version.')
}

export function notABackup(): CommandError {
  return new CommandError('This is not a backup of DriveQR')
}

/** The checksums of an archive's entries, by name. */
export type Sums = Map<string, string>

/** Returns a line for each entry, in the format of `sha256sum`. */
export function toSums(sums: Sums): Buffer {
  return Buffer.from([...sums].map(([name, sum]) => `${sum}  ${name}\n`).join(''))
}

/** Throws unless the entries are exactly those that were written. */
export function assertSums(found: Sums, sums: Buffer): void {
  const listed = new Map(
    sums
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)] as const),
  )
  for (const [name, sum] of listed) {
    if (!found.has(name)) throw damaged(`${name} is missing`)
    if (found.get(name) !== sum) throw damaged(`${name} has changed`)
  }
  for (const name of found.keys()) if (!listed.has(name)) throw damaged(`${name} was added`)
}

export function damaged(how: string): CommandError {
  return new CommandError(`This backup is damaged: ${how}`)
}

const SINGLE_FILES = [DATABASE_FILE, KEY_FILE, INSTALL_ID_FILE]

/** Throws for unexpected entries: other names, path traversal, links, duplicates. */
export function assertBelongs({ name, isFile }: Archived, seen: Sums): void {
  const isStored =
    name.startsWith(`${FILES_FOLDER}/`) && kindOfStoredName(name.slice(FILES_FOLDER.length + 1))
  const belongs = isFile && (isStored || SINGLE_FILES.includes(name))
  if (!belongs) throw damaged(`${JSON.stringify(name.slice(0, 200))} does not belong in it`)
  if (seen.has(name)) throw damaged(`${name} is in it twice`)
}
