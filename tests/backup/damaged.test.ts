import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Header, pack } from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCHEMA_VERSION } from '#db/schema-version.ts'
import { readArchive } from '#storage/backup/archive.ts'
import { backUp, contentsOf, openFolder, restore } from '#tests/backup/support.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'

/** The offset of `user_version` in a database file. */
const USER_VERSION_AT = 60

type Part = { name: string; bytes: Buffer; header?: Partial<Header> }

/** Shared by all tests, which never change it. */
const ground = makeQuickFolder()
const victim = join(ground, 'victim')
const good = join(ground, 'good.tar')
const bad = join(ground, 'bad.tar')
let parts: Part[]
let before: object

beforeAll(async () => {
  const folder = await openFolder({ at: join(ground, 'source') })
  await backUp(folder.dataDir, good)
  await folder.close()
  parts = await unpacked(good)
  await (await openFolder({ at: victim, name: 'Ravi', documents: 1 })).close()
  before = await stateOf(victim)
})

afterAll(() => rmSync(ground, { recursive: true }))

async function stateOf(dataDir: string) {
  const contents = await contentsOf(dataDir)
  return { ...contents, listing: readdirSync(dataDir).sort() }
}

async function unpacked(file: string): Promise<Part[]> {
  const found: Part[] = []
  for await (const { name, content } of readArchive(createReadStream(file))) {
    const pieces: Buffer[] = []
    for await (const piece of content) pieces.push(piece)
    found.push({ name, bytes: Buffer.concat(pieces) })
  }
  return found
}

async function packInto(file: string, contents: Part[]): Promise<void> {
  const archive = pack()
  const written = pipeline(archive, createWriteStream(file))
  for (const { name, bytes, header } of contents) archive.entry({ name, ...header }, bytes)
  archive.finalize()
  await written
}

/** With matching checksums, as an attacker would make them. */
function resummed(contents: Part[]): Part[] {
  const rest = contents.filter(({ name }) => name !== 'SHA256SUMS')
  const lines = rest.map(({ name, bytes }) => {
    return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`
  })
  return [...rest, { name: 'SHA256SUMS', bytes: Buffer.from(lines.join('')) }]
}

async function refusal(): Promise<string> {
  const said = await restore(bad, victim, true).then(
    () => 'restored',
    (error: Error) => error.message,
  )
  expect(await stateOf(victim)).toEqual(before)
  return said
}

const isStored = ({ name }: Part) => name.startsWith('files/')
const without = (name: RegExp) => parts.filter((part) => !name.test(part.name))
const replaced = (name: string, change: (bytes: Buffer) => Buffer): Part[] =>
  parts.map((part) => (part.name === name ? { ...part, bytes: change(part.bytes) } : part))
const manifestWith = (fields: object) =>
  replaced('manifest.json', (bytes) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), ...fields })),
  )
const extra = (name: string, header: Partial<Header> = {}): Part[] => [
  ...parts,
  { name, bytes: Buffer.from('x'), header },
]
/** A link has no content. */
const link = (type: Header['type'], linkname: string): Part[] => {
  const name = `files/${'a'.repeat(26)}.pdf`
  return [...parts, { name, bytes: Buffer.alloc(0), header: { type, linkname, size: 0 } }]
}
const flipped = (bytes: Buffer) => {
  const copy = Buffer.from(bytes)
  const at = copy.length >> 1
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

test('the archive that the others are made of is good', async () => {
  await packInto(bad, resummed(parts))
  const target = join(ground, 'fresh')
  await restore(bad, target)
  expect((await contentsOf(target)).codes).toMatchObject([{ owner_name: 'Asha' }])
})

test.each([
  ['one bit of a file', () => replaced(parts.find(isStored)?.name ?? '', flipped), 'has changed'],
  ['one bit of the database', () => replaced('driveqr.db', flipped), 'driveqr.db has changed'],
  ['a file less', () => parts.filter((part) => part !== parts.find(isStored)), 'is missing'],
  ['no sums', () => without(/SUMS/), 'its end is missing'],
  ['something behind the sums', () => extra(`files/${'a'.repeat(26)}.pdf`), 'something was added'],
] as const)('%s: damaged', async (_what, make, said) => {
  await packInto(bad, make())
  expect(await refusal()).toMatch(new RegExp(`^This backup is damaged: .*${said}`))
})

test.each([
  '../escaped',
  'files/../../escaped',
  '/tmp/escaped',
  'files/incoming/escaped.pdf',
  'files/notes.txt',
  `files/${'a'.repeat(26)}.pdf/x`,
  'driveqr.db-wal',
  'backups/x',
  'lock',
])('a file named %s does not belong in it', async (name) => {
  await packInto(bad, resummed(extra(name)))
  expect(await refusal()).toContain('does not belong in it')
})

test.each([
  ['symlink', '/etc/passwd'],
  ['link', 'driveqr.db'],
  ['directory', ''],
  ['fifo', ''],
] as const)('a %s does not belong in it', async (type, linkname) => {
  await packInto(bad, resummed(link(type, linkname)))
  expect(await refusal()).toContain('does not belong in it')
})

test('a second file of the same name does not belong in it', async () => {
  await packInto(bad, resummed(extra('secret.key')))
  expect(await refusal()).toContain('secret.key is in it twice')
})

test.each([0.999, 0.5, 0.1])('an archive that was cut off at %d of its size', async (share) => {
  copyFileSync(good, bad)
  // Its last 1,024 bytes and more are zeros, which say nothing.
  truncateSync(bad, Math.floor((statSync(good).size - 2048) * share))
  expect(await refusal()).toMatch(/^This backup is damaged: /)
})

test('an archive with a hole in the middle', async () => {
  copyFileSync(good, bad)
  const handle = openSync(bad, 'r+')
  writeSync(handle, Buffer.alloc(4096), 0, 4096, Math.floor(statSync(good).size / 8192) * 4096)
  closeSync(handle)
  expect(await refusal()).toMatch(/^This backup is damaged: /)
})

test.each([
  ['nothing', () => Buffer.alloc(0)],
  ['a text', () => Buffer.from('not a backup\n'.repeat(1000))],
  ['a database', () => parts.find(({ name }) => name === 'driveqr.db')?.bytes ?? Buffer.alloc(0)],
] as const)('%s is no backup', async (_what, make) => {
  writeFileSync(bad, make())
  expect(await refusal()).toBe('This is not a backup of DriveQR')
})

test('another program’s archive is no backup', async () => {
  await packInto(bad, [{ name: 'backup.sql', bytes: Buffer.from('drop table') }])
  expect(await refusal()).toBe('This is not a backup of DriveQR')
  await packInto(bad, resummed(manifestWith({ program: 'Other' })))
  expect(await refusal()).toBe('This is not a backup of DriveQR')
})

test('an address that would give orders to a terminal is of no backup', async () => {
  await packInto(bad, resummed(manifestWith({ public_url: 'http://elsewhere.example\u001b[2J' })))
  expect(await refusal()).toBe('This is not a backup of DriveQR')
})

test('a backup of a newer program is refused by its format and by its schema', async () => {
  await packInto(bad, resummed(manifestWith({ format: 2 })))
  expect(await refusal()).toBe(
    'This backup was made by a newer DriveQR. Restore it with that version.',
  )
  await packInto(bad, resummed(manifestWith({ schema_version: SCHEMA_VERSION + 1 })))
  expect(await refusal()).toBe(
    'This backup was made by a newer DriveQR. Restore it with that version.',
  )
})

test('a backup of a program that is too old is refused', async () => {
  const older = replaced('driveqr.db', (bytes) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt32BE(20, USER_VERSION_AT)
    return copy
  })
  await packInto(bad, resummed(older))
  expect(await refusal()).toContain('start DriveQR 1.0.0-rc.1 first')
})

test('a damaged or foreign database is refused even if the sums fit', async () => {
  await packInto(bad, resummed(replaced('driveqr.db', () => Buffer.from('x'.repeat(9000)))))
  expect(await refusal()).toContain('not a database')
  await packInto(bad, resummed(without(/^driveqr\.db$/)))
  expect(await refusal()).toContain('driveqr.db is missing')
})

test('a missing file or another install id is refused even if the sums fit', async () => {
  const [first] = parts.filter(isStored)
  await packInto(bad, resummed(parts.filter((part) => part !== first)))
  expect(await refusal()).toContain(`${first?.name.slice(6)} is missing`)
  await packInto(bad, resummed(replaced('install-id', () => Buffer.from('other\n'))))
  expect(await refusal()).toContain('belongs to another data folder')
})

test('a refused restore creates no folder', async () => {
  writeFileSync(bad, 'nothing')
  const absent = join(ground, 'absent')
  await expect(restore(bad, absent)).rejects.toThrow('not a backup')
  expect(existsSync(absent)).toBe(false)
  await expect(restore(join(ground, 'none.tar'), absent)).rejects.toThrow('There is no ')
  expect(existsSync(absent)).toBe(false)
})
