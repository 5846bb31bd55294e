// @module-tag slow
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#config.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { makeBackup } from '#storage/backup/make.ts'
import { restoreBackup } from '#storage/backup/restore.ts'
import { openStorage } from '#storage/open-storage.ts'
import { openFolder, temporaryFolder } from '#tests/backup/support.ts'
import { s3Server, s3Settings } from '#tests/support/storage.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const sumOf = (body: Uint8Array) => createHash('sha256').update(body).digest('hex')

afterEach(async () => (await s3Server()).cause(() => undefined))

let folders = 0
async function newBucketFolder() {
  const prefix = `backup-${++folders}`
  const { storage } = readConfig(await s3Settings(prefix))
  const { objects } = await s3Server()
  const files = (under = '') =>
    Object.fromEntries(
      [...objects]
        .filter(([key]) => key.startsWith(`${prefix}/${under}`) && key.endsWith('.pdf'))
        .map(([key, { body }]) => [key.slice(prefix.length + 1 + under.length), sumOf(body)])
        .filter(([name]) => !name?.includes('/'))
        .sort(),
    )
  return { prefix, storage, files, objects }
}

/** An installation with two documents whose files are in a bucket. */
async function openOnS3(name: string) {
  const folder = await openFolder({ name })
  const bucket = await newBucketFolder()
  const { db, dataDir } = folder
  const id = readFileSync(join(dataDir, 'install-id'), 'utf8').trim()
  const store = await openStorage({ dataDir, storage: bucket.storage }, id)
  for (const stored of await listStoredNames(db)) {
    await store.put([{ path: join(dataDir, 'files', stored), name: stored }])
    rmSync(join(dataDir, 'files', stored))
  }
  await folder.close()
  return { ...bucket, dataDir, store, id }
}

function backUp(dataDir: string, storage: Awaited<ReturnType<typeof openOnS3>>['storage']) {
  const file = join(temporaryFolder(), 'backup.tar')
  const source = { dataDir, storage, publicUrl: 'https://keys.example.in', now: NOW }
  return { file, made: makeBackup(source, file, () => () => {}) }
}

const restore = (
  input: Omit<Parameters<typeof restoreBackup>[0], 'now' | 'replace'>,
  replace = false,
) => restoreBackup({ ...input, replace, now: NOW }, () => () => {})

test('a backup has the files of the bucket, and comes back into a folder or another bucket', async () => {
  const { dataDir, storage, files } = await openOnS3('Asha')
  const { file, made } = backUp(dataDir, storage)
  expect(await made).toMatchObject({ files: 2, missing: [] })
  const inFolder = join(temporaryFolder(), 'folder')
  await restore({ file, dataDir: inFolder })
  const names = Object.keys(files())
  expect(names).toHaveLength(2)
  const there = names.map((name) => [name, sumOf(readFileSync(join(inFolder, 'files', name)))])
  expect(Object.fromEntries(there)).toEqual(files())
  const other = await newBucketFolder()
  const inBucket = join(temporaryFolder(), 'bucket')
  expect(await restore({ file, dataDir: inBucket, storage: other.storage })).toMatchObject({
    asideFiles: undefined,
  })
  expect(other.files()).toEqual(files())
  expect(existsSync(join(inBucket, 'files', names[0] ?? ''))).toBe(false)
  const { db, installId, close } = await openDatabase(inBucket)
  const store = await openStorage({ dataDir: inBucket, storage: other.storage }, installId)
  expect(await store.sweep(() => listStoredNames(db), NOW)).toMatchObject({ missing: [] })
  await close()
})

test('a restore into a bucket keeps the files of before aside', async () => {
  const asha = await openOnS3('Asha')
  const ravi = await openOnS3('Ravi')
  const { file, made } = backUp(asha.dataDir, asha.storage)
  await made
  const [before, wanted] = [ravi.files(), asha.files()]
  const input = { file, dataDir: ravi.dataDir, storage: ravi.storage }
  await expect(restore(input)).rejects.toThrow('has data: use --replace to put it aside')
  expect(ravi.files()).toEqual(before)
  const { asideFiles } = await restore(input, true)
  expect(asideFiles).toMatch(/^s3:\/\/.*, under replaced-20261120T100000Z\/$/)
  expect(ravi.files('replaced-20261120T100000Z/')).toEqual(before)
  // A start removes what its database does not name.
  const { db, installId, close } = await openDatabase(ravi.dataDir)
  const store = await openStorage({ dataDir: ravi.dataDir, storage: ravi.storage }, installId)
  const later = new Date(Date.now() + 2 * 3_600_000)
  const swept = await store.sweep(() => listStoredNames(db), later)
  await close()
  expect(swept).toMatchObject({ orphans: { length: 2 }, missing: [] })
  expect(ravi.files()).toEqual(wanted)
  await expect(
    openStorage({ dataDir: ravi.dataDir, storage: ravi.storage }, ravi.id),
  ).rejects.toThrow('belong to another installation')
})

test('a restore during which the bucket fails leaves the data as it was', async () => {
  const asha = await openOnS3('Asha')
  const ravi = await openOnS3('Ravi')
  const { file, made } = backUp(asha.dataDir, asha.storage)
  await made
  const before = ravi.files()
  const { cause } = await s3Server()
  let puts = 0
  cause(({ method }) =>
    method === 'PUT' && ++puts > 3 ? { status: 403, code: 'AccessDenied' } : undefined,
  )
  const input = { file, dataDir: ravi.dataDir, storage: ravi.storage }
  await expect(restore(input, true)).rejects.toThrow('AccessDenied')
  cause(() => undefined)
  const { db, installId, close } = await openDatabase(ravi.dataDir)
  expect(installId).toBe(ravi.id)
  const store = await openStorage({ dataDir: ravi.dataDir, storage: ravi.storage }, installId)
  expect(await store.sweep(() => listStoredNames(db), NOW)).toMatchObject({ missing: [] })
  await close()
  for (const [name, sum] of Object.entries(before)) expect(ravi.files()[name]).toBe(sum)
  expect(ravi.files('replaced-20261120T100000Z/')).toEqual({})
})

test('a restore that cannot replace the database leaves the bucket to its installation', async () => {
  const asha = await openOnS3('Asha')
  const ravi = await openOnS3('Ravi')
  const { file, made } = backUp(asha.dataDir, asha.storage)
  await made
  const before = ravi.files()
  vi.doMock('#db/sqlite/restore.ts', () => ({
    openSqliteTarget: () => ({
      hasData: false,
      passes: 1,
      replace: () => Promise.reject(new Error('the disk is broken')),
      close: async () => {},
    }),
  }))
  onTestFinished(() => void vi.doUnmock('#db/sqlite/restore.ts'))
  const at = { dataDir: ravi.dataDir, storage: ravi.storage }
  await expect(restore({ file, ...at }, true)).rejects.toThrow('the disk is broken')
  expect(ravi.files('replaced-20261120T100000Z/')).toEqual({})
  expect(ravi.files()).toMatchObject(before)
  await expect(openStorage(at, asha.id)).rejects.toThrow('belong to another installation')
  await openStorage(at, ravi.id)
  expect(readFileSync(join(ravi.dataDir, 'install-id'), 'utf8').trim()).toBe(ravi.id)
})

test('an installation that lost its key goes on with a new one after a backup and a restore', async () => {
  const { dataDir, close } = await openFolder()
  await close()
  rmSync(join(dataDir, 'secret.key'))
  await expect(openDatabase(dataDir)).rejects.toThrow('secret.key is missing')
  const { file, made } = backUp(dataDir, undefined)
  await made
  await restore({ file, dataDir }, true)
  const opened = await openDatabase(dataDir)
  expect(opened.secretKey).toHaveLength(32)
  await opened.close()
})

test('a backup has the key of SECRET_KEY_FILE, and one with another key is refused', async () => {
  const { dataDir, close } = await openFolder()
  await close()
  const secretKeyFile = join(temporaryFolder(), 'shared.key')
  renameSync(join(dataDir, 'secret.key'), secretKeyFile)
  const file = join(temporaryFolder(), 'b.tar')
  const source = { dataDir, secretKeyFile, publicUrl: 'https://keys.example.in', now: NOW }
  await makeBackup(source, file, () => () => {})
  const packed = execFileSync('tar', ['-xOf', file, 'secret.key'])
  expect(packed).toEqual(readFileSync(secretKeyFile))
  await restore({ file, dataDir, secretKeyFile }, true)
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(false)
  await (await openDatabase(dataDir, 250, secretKeyFile)).close()
  const other = join(temporaryFolder(), 'other.key')
  writeFileSync(other, Buffer.alloc(32, 1))
  await expect(restore({ file, dataDir, secretKeyFile: other }, true)).rejects.toThrow(
    /The backup has another key than SECRET_KEY_FILE \S+: put its secret.key there first/,
  )
  await (await openDatabase(dataDir, 250, secretKeyFile)).close()
})
