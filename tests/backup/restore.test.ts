import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { enterDataFolder } from '#db/data-folder.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { backUp, contentsOf, openFolder, restore, temporaryFolder } from '#tests/backup/support.ts'

async function makeBackupOf(folder: Awaited<ReturnType<typeof openFolder>>) {
  const { file } = await backUp(folder.dataDir)
  await folder.close()
  return file
}

test('a backup comes back into a folder that is not there, and into an empty one', async () => {
  const folder = await openFolder()
  const file = await makeBackupOf(folder)
  const before = await contentsOf(folder.dataDir)
  const [absent, empty] = [join(temporaryFolder(), 'a', 'b'), temporaryFolder()]
  for (const target of [absent, empty]) {
    expect((await restore(file, target)).aside).toBeUndefined()
    expect(await contentsOf(target)).toEqual(before)
    expect(statSync(join(target, 'driveqr.db')).mode & 0o777).toBe(0o600)
    expect(readdirSync(target).sort()).toEqual(
      ['driveqr.db', 'files', 'install-id', 'lock', 'secret.key'].sort(),
    )
  }
})

test('a restore closes a folder that others could read', async () => {
  const file = await makeBackupOf(await openFolder())
  const target = temporaryFolder()
  chmodSync(target, 0o755)
  await restore(file, target)
  expect(statSync(target).mode & 0o777).toBe(0o700)
})

test('present data stays unless it is to be replaced, and is kept aside', {
  tags: 'slow',
}, async () => {
  const file = await makeBackupOf(await openFolder({ name: 'Asha' }))
  const { dataDir, close } = await openFolder({ name: 'Ravi' })
  await close()
  const ravi = await contentsOf(dataDir)
  await expect(restore(file, dataDir)).rejects.toThrow('use --replace to put it aside')
  expect(await contentsOf(dataDir)).toEqual(ravi)
  const { aside = '' } = await restore(file, dataDir, true)
  expect((await contentsOf(dataDir)).codes).toMatchObject([{ owner_name: 'Asha' }])
  expect(aside).toBe(join(dataDir, 'replaced-20261120T100000Z'))
  expect(await contentsOf(aside)).toEqual(ravi)
  expect((await restore(file, dataDir, true)).aside).toBe(`${aside}-2`)
})

test('a restore says so in the audit log, and keeps the backups that are there', async () => {
  const folder = await openFolder()
  mkdirSync(join(folder.dataDir, 'backups'))
  writeFileSync(join(folder.dataDir, 'backups', 'driveqr-20261101T213000Z.tar'), 'older')
  const file = await makeBackupOf(folder)
  await restore(file, folder.dataDir, true)
  expect(readdirSync(join(folder.dataDir, 'backups'))).toContain('driveqr-20261101T213000Z.tar')
  const { db, close } = await openDatabase(folder.dataDir)
  const acts = await db.selectFrom('audit_events').select(['action', 'actor']).execute()
  await close()
  expect(acts).toEqual([{ action: 'backup.restored', actor: 'command line' }])
})

test('nothing is restored under a server or a command that uses the folder', {
  tags: 'slow',
}, async () => {
  const file = await makeBackupOf(await openFolder())
  const { dataDir, close } = await openFolder({ name: 'Ravi' })
  await expect(restore(file, dataDir, true)).rejects.toThrow('is using')
  await close()
  await expect(restore(file, dataDir, true)).resolves.toBeTruthy()
})

test('a server that was killed does not keep the folder locked', { tags: 'slow' }, async () => {
  const file = await makeBackupOf(await openFolder())
  const { dataDir, close } = await openFolder({ name: 'Ravi' })
  await close()
  const script = `const { openDatabase } = await import('#db/sqlite/database.ts')
    await openDatabase(${JSON.stringify(dataDir)}); console.log('open'); setInterval(() => {}, 1e6)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  await once(child.stdout, 'data')
  await expect(restore(file, dataDir, true)).rejects.toThrow('is using')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await expect(restore(file, dataDir, true)).resolves.toBeTruthy()
})

test('no server starts during a restore', { tags: 'slow' }, async () => {
  const { dataDir, close } = await openFolder()
  await close()
  const { haveToItself } = await import('#db/data-folder.ts')
  const release = haveToItself(dataDir)
  const script = `const { openDatabase } = await import('#db/sqlite/database.ts')
    await openDatabase(${JSON.stringify(dataDir)}).catch((error) => console.log(error.message))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  const [said] = await once(child.stdout, 'data')
  release()
  expect(String(said)).toContain('is being restored or moved: wait until that is done')
  enterDataFolder(dataDir)()
})
