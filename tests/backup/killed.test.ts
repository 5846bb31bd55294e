// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openFolder, temporaryFolder } from '#tests/backup/support.ts'
import { testOnDisk } from '#tests/support/database.ts'
import { findPrograms } from '#tests/support/programs.ts'

const MANY_BYTES = 32 * 1024 * 1024
/** Files of others, some of them with names much like those of half archives. */
const OTHERS = [
  'photos.tar.partial',
  'driveqr.tar.partial',
  'driveqr-20261118.tar.partial',
  'driveqr-20261118T100000Z.tar.partial.txt',
  'driveqr-20261118T100000Z.tar.gz',
  'notes.txt',
]
const HALF = /^driveqr-\d{8}T\d{6}Z\.tar\.partial$/

testOnDisk(
  'the run after a killed backup removes its half from BACKUP_DIR, and nothing else',
  async () => {
    const { dataDir, close } = await openFolder({ bytes: MANY_BYTES })
    await close()
    const archives = join(temporaryFolder(), 'archives')
    mkdirSync(archives)
    for (const name of OTHERS) writeFileSync(join(archives, name), name)
    const { commandLine } = await findPrograms()
    const backUp = () =>
      spawn(process.execPath, [commandLine, 'backup'], {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir, BACKUP_DIR: archives },
        stdio: 'ignore',
      })
    const halves = () => readdirSync(archives).filter((name) => HALF.test(name))
    const killed = backUp()
    await expect.poll(halves, { interval: 5, timeout: 30_000 }).toHaveLength(1)
    killed.kill('SIGKILL')
    expect(await once(killed, 'close')).toEqual([null, 'SIGKILL'])
    expect([halves().length, existsSync(join(dataDir, 'backups/working'))]).toEqual([1, true])
    expect(await once(backUp(), 'close')).toEqual([0, null])
    const made = readdirSync(archives).filter((name) => !OTHERS.includes(name))
    expect(made).toEqual([expect.stringMatching(/^driveqr-\d{8}T\d{6}Z\.tar$/)])
    expect(readdirSync(archives)).toEqual(expect.arrayContaining(OTHERS))
    expect(existsSync(join(dataDir, 'backups/working'))).toBe(false)
  },
)
