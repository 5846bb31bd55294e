// @module-tag slow
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { SOURCE_FILES, SOURCE_FOLDERS } from '#scripts/bootstrap/build.mjs'
import { testOnDisk } from '#tests/support/database.ts'
import { launch } from '#tests/support/server.ts'

/** Links between files, which copy no bytes, must stay on one disk. */
function newFolder(): string {
  mkdirSync('test-results', { recursive: true })
  const folder = mkdtempSync(resolve('test-results/paths-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A clone with its packages installed, in a folder with spaces and letters of other scripts. */
function makeClone(folder: string): string {
  const clone = join(folder, "Asha's keys आशा की चाबी 🔑", '#1 100% ड्राइव')
  const packages = join(clone, 'node_modules')
  mkdirSync(packages, { recursive: true })
  for (const name of [...SOURCE_FILES, ...SOURCE_FOLDERS, 'tsconfig.json'])
    cpSync(name, join(clone, name), { recursive: true })
  const installed = readdirSync('node_modules').filter((name) => !name.startsWith('.driveqr-test'))
  const paths = installed.map((name) => join('node_modules', name))
  execFileSync('cp', ['-al', ...paths, packages])
  return clone
}

testOnDisk(
  'a clone and a data folder may have any letters in their paths',
  async () => {
    const folder = newFolder()
    const clone = makeClone(folder)
    const dataDir = join(folder, 'डेटा of the family 🚗', "it's here")
    const run = (...args: string[]) => {
      const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
      const program = join(clone, 'scripts/bootstrap/driveqr.mjs')
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
        cwd: folder,
        env,
        input: 'lost & found\n',
        encoding: 'utf8',
      })
      return { status, stdout, stderr }
    }
    const start = async () => {
      const program = join(clone, 'scripts/bootstrap.mjs')
      const server = await launch({ dataDir, program, args: ['start'] })
      onTestFinished(() => void server.child.kill('SIGKILL'))
      expect(await server.serves(), server.output()).toBe(true)
      expect((await fetch(`${server.url}/login`)).status).toBe(200)
      server.child.kill('SIGTERM')
      await server.ended
    }
    // Builds first, in the clone.
    await start()
    const create = ['user', 'create', 'asha@example.in', '--name', 'Asha']
    expect(run(...create)).toMatchObject({ status: 0, stderr: '' })
    const { file } = JSON.parse(run('backup', '--json').stdout)
    expect(file).toBe(join(dataDir, 'backups', file.split('/').at(-1)))
    const elsewhere = join(folder, 'एक प्रति 💾.tar')
    expect(run('backup', elsewhere)).toMatchObject({ status: 0, stderr: '' })
    for (const archive of [file, elsewhere])
      expect(run('restore', archive, '--replace')).toMatchObject({ status: 0 })
    expect(run('user', 'list').stdout).toContain('asha@example.in')
    expect(run('doctor').stdout).toContain(`${dataDir}: only its owner can read it`)
    await start()
    expect(existsSync(join(clone, 'data'))).toBe(false)
  },
  120_000,
)
