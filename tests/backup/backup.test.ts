import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { takeLock } from '#db/lock.ts'
import { deleteDocument, listDocuments } from '#db/papers/documents.ts'
import { makeBackup } from '#storage/backup/make.ts'
import { discardLeftovers, removeOldest } from '#storage/backup/place.ts'
import {
  backUp,
  contentsOf,
  filesOf,
  NOW,
  openFolder,
  restore,
  temporaryFolder,
} from '#tests/backup/support.ts'

test('a backup restores all rows, files and the key, and nothing else', {
  tags: 'slow',
}, async () => {
  const { dataDir, close, files } = await openFolder()
  writeFileSync(files.newTemporary(), 'half an upload')
  writeFileSync(join(dataDir, 'files', `${'a'.repeat(26)}.pdf`), 'a file that no row names')
  writeFileSync(join(dataDir, 'files', 'notes.txt'), 'the operator’s own')
  const { file, missing, counts } = await backUp(dataDir)
  await close()
  expect({ missing, counts }).toMatchObject({
    missing: [],
    counts: { accounts: 1, qr_codes: 1, documents: 2 },
  })
  const elsewhere = join(temporaryFolder(), 'elsewhere')
  await restore(file, elsewhere)
  const [before, after] = [await contentsOf(dataDir), await contentsOf(elsewhere)]
  expect(after.names).toHaveLength(2)
  expect({ ...before, files: null }).toEqual({ ...after, files: null })
  expect(Object.keys(after.files)).toEqual(after.names)
  expect(before.files).toMatchObject(after.files)
})

test('large files come back as they are, though they are read quicker than they are written', {
  tags: 'slow',
}, async () => {
  const { dataDir, close } = await openFolder()
  for (const name of (await contentsOf(dataDir)).names) {
    writeFileSync(join(dataDir, 'files', name), randomBytes(12 * 1024 * 1024))
  }
  const { file } = await backUp(dataDir)
  await close()
  const elsewhere = join(temporaryFolder(), 'elsewhere')
  await restore(file, elsewhere)
  const [before, after] = [await contentsOf(dataDir), await contentsOf(elsewhere)]
  expect(after.names).toHaveLength(2)
  expect(after.files).toEqual(before.files)
})

test('the archive is readable by its owner alone, is a tar with sums to check by hand, and leaves no temporary file', async () => {
  const { dataDir, close } = await openFolder()
  const { file, bytes } = await backUp(dataDir)
  await close()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(file).size).toBe(bytes)
  const folder = temporaryFolder()
  execFileSync('tar', ['-xf', file, '-C', folder])
  execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: folder })
  expect(readdirSync(folder).sort()).toEqual(
    ['SHA256SUMS', 'driveqr.db', 'files', 'install-id', 'manifest.json', 'secret.key'].sort(),
  )
  expect(readdirSync(join(dataDir, 'backups'))).toEqual(['lock'])
  expect(existsSync(join(dataDir, 'files', 'held'))).toBe(false)
  expect(readdirSync(join(file, '..'))).toEqual(['backup.tar'])
})

test('a backup that is made during writes and deletions shows one single moment', {
  tags: 'slow',
}, async () => {
  const { dataDir, db, close, account, qr_id, files, upload } = await openFolder({ documents: 20 })
  let isOver = false
  let deleted = 0
  const writing = (async () => {
    while (!isOver) {
      await upload()
      const all = await listDocuments(db, account, qr_id)
      const gone = await deleteDocument(db, account, all.at(-1)?.id ?? '', new Date())
      await files.remove(gone.stored_names)
      deleted++
      await sleep(1)
    }
  })()
  const made = []
  while (made.length < 5 || deleted < 20) made.push(await backUp(dataDir))
  isOver = true
  await writing
  await close()
  for (const { file, missing } of made.slice(-5)) {
    expect(missing).toEqual([])
    const restored = join(temporaryFolder(), 'restored')
    await restore(file, restored)
    const { names, files: kept } = await contentsOf(restored)
    expect(Object.keys(kept)).toEqual(names)
    expect([20, 21]).toContain(names.length)
  }
  const { names, files: left } = await contentsOf(dataDir)
  expect(Object.keys(left)).toEqual(names)
})

test('a file that is deleted after the database was copied is still in the backup', {
  tags: 'slow',
}, async () => {
  const { dataDir, close } = await openFolder()
  const [name = ''] = Object.keys(filesOf(dataDir))
  const script = `const { openFileStore } = await import('#storage/files.ts')
    await openFileStore(${JSON.stringify(dataDir)}).remove([${JSON.stringify(name)}])`
  const file = join(temporaryFolder(), 'b.tar')
  const source = { dataDir, publicUrl: 'https://keys.example.in', now: NOW }
  // Called when the database is copied and no file is.
  const { missing } = await makeBackup(source, file, () => {
    execFileSync(process.execPath, ['--input-type=module', '-e', script])
    expect(Object.keys(filesOf(dataDir))).not.toContain(name)
    return () => {}
  })
  expect(missing).toEqual([])
  expect(execFileSync('tar', ['-tf', file], { encoding: 'utf8' })).toContain(`files/${name}`)
  expect(existsSync(join(dataDir, 'files', 'held'))).toBe(false)
  await close()
})

test('a file that is deleted during a backup is removed after it, otherwise at once', async () => {
  const { dataDir, close, files } = await openFolder({ documents: 1 })
  const [name = ''] = Object.keys(filesOf(dataDir))
  const held = join(dataDir, 'files', 'held')
  mkdirSync(held)
  await files.remove([name])
  expect(Object.keys(filesOf(dataDir))).toEqual([])
  expect(readdirSync(held)).toEqual([name])
  discardLeftovers(dataDir)
  expect(existsSync(held)).toBe(true)
  mkdirSync(join(dataDir, 'backups'))
  discardLeftovers(dataDir)
  expect(existsSync(held)).toBe(false)
  await close()
})

test('a file that is missing already is reported and does not stop a backup', async () => {
  const { dataDir, close } = await openFolder()
  const [name = ''] = Object.keys(filesOf(dataDir))
  rmSync(join(dataDir, 'files', name))
  const { file, missing } = await backUp(dataDir)
  expect(missing).toEqual([name])
  await close()
  const restored = join(temporaryFolder(), 'restored')
  const { manifest } = await restore(file, restored)
  expect(manifest.missing).toEqual([name])
})

test('of two backups at once one is refused', async () => {
  const { dataDir, close } = await openFolder()
  const both = await Promise.allSettled([backUp(dataDir), backUp(dataDir)])
  await close()
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const { reason } = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult
  expect(reason.message).toBe('A backup is being made already')
})

test('a damaged database is not backed up, and nothing is left behind', async () => {
  const { dataDir, connection, close } = await openFolder()
  const page = connection
    .prepare("select rootpage from sqlite_schema where name = 'qr_codes'")
    .pluck()
    .get() as number
  connection.pragma('wal_checkpoint(truncate)')
  await close()
  const handle = openSync(join(dataDir, 'driveqr.db'), 'r+')
  writeSync(handle, Buffer.alloc(4096, 0xaa), 0, 4096, (page - 1) * 4096)
  closeSync(handle)
  const target = join(temporaryFolder(), 'b.tar')
  await expect(backUp(dataDir, target)).rejects.toThrow(/damaged|malformed/)
  expect(readdirSync(join(target, '..'))).toEqual([])
  expect(readdirSync(join(dataDir, 'backups'))).toEqual(['lock'])
})

test('a backup never overwrites, and says where there is no folder', async () => {
  const { dataDir, close } = await openFolder()
  const { file } = await backUp(dataDir)
  await expect(backUp(dataDir, file)).rejects.toThrow(`${file} already exists`)
  await expect(backUp(dataDir, join(file, '..', 'no', 'a.tar'))).rejects.toThrow(
    'There is no folder',
  )
  await close()
})

test('the next backup removes what a killed one left, which is never taken for a backup', async () => {
  const { dataDir, close } = await openFolder()
  const folder = join(dataDir, 'backups')
  mkdirSync(join(folder, 'working'), { recursive: true })
  const draft = join(folder, 'driveqr-20261120T100000Z.tar.partial')
  writeFileSync(draft, 'half')
  const release = takeLock(join(folder, 'lock'), 'alone', 0)
  discardLeftovers(dataDir)
  expect(existsSync(draft)).toBe(true)
  release?.()
  discardLeftovers(dataDir)
  expect(readdirSync(folder)).toEqual(['lock'])
  await close()
})

test('where the disk is short, older backups make room, but never the only one, nor what else is there', async () => {
  const { dataDir, close } = await openFolder()
  const folder = join(dataDir, 'backups')
  mkdirSync(folder)
  const names = ['01', '02', '03'].map((day) => `driveqr-202611${day}T213000Z.tar`)
  const others = ['before-upgrade.tar', 'driveqr.tar', 'lock']
  for (const name of [...names, ...others]) writeFileSync(join(folder, name), '')
  const now = new Date('2026-11-04T03:00:00Z')
  expect([1, 2, 3].map(() => removeOldest(folder, now))).toEqual([names[0], names[1], undefined])
  expect(readdirSync(folder).toSorted()).toEqual([names[2], ...others].toSorted())
  await close()
})

const canWriteAnywhere = process.platform === 'linux' && process.getuid?.() === 0

test.skipIf(!canWriteAnywhere)('a disk that is too small is reported', async () => {
  const { dataDir, close } = await openFolder()
  // The kernel's own file systems have no room at all.
  const source = { dataDir, publicUrl: 'https://keys.example.in', now: NOW }
  let asked = 0
  const makeRoom = () => ++asked < 3
  await expect(makeBackup({ ...source, makeRoom }, '/proc/b.tar', () => () => {})).rejects.toThrow(
    /^Too little room in \/proc: 2\d\d MB needed$/,
  )
  expect(asked).toBe(3)
  await close()
})
