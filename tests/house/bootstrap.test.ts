import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hashSources, nameBuild } from '#scripts/bootstrap/build.mjs'
import { whyNotHere } from '#scripts/bootstrap/pinned-node.mjs'
import { testOnLinux } from '#tests/support/database.ts'

const ALONE = pathToFileURL('scripts/bootstrap/alone.mjs').href
/** Takes no folders, not even from the super user. */
const CLOSED = '/sys'

testOnLinux('a service that may not install and build is told by one line who does it', () => {
  const script = `import { alone } from '${ALONE}'; await alone(() => console.log('worked'))`
  const args = ['--input-type=module', '--eval', script]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: CLOSED,
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `driveqr: This user may not install and build in ${CLOSED}: run npm run driveqr -- --help there, as the user who may\n`,
  })
})

testOnLinux('what root installs under umask 077 can be read by the user of the service', () => {
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-bootstrap-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const part of [
    'scripts/bootstrap',
    'scripts/bootstrap.mjs',
    'package.json',
    'package-lock.json',
  ])
    cpSync(part, join(folder, part), { recursive: true })
  // In place of npm, notes the umask that it is called with.
  writeFileSync(join(folder, 'npm'), '#!/bin/sh\numask > umask\nexit 1\n', { mode: 0o755 })
  const run = `umask 077 && exec "${process.execPath}" scripts/bootstrap.mjs driveqr --help`
  const PATH = `${folder}:${process.env.PATH}`
  const { status } = spawnSync('sh', ['-c', run], { cwd: folder, env: { PATH } })
  expect([status, readFileSync(join(folder, 'umask'), 'utf8')]).toEqual([1, '0022\n'])
})

test('a 32-bit system is refused by its name, before anything is installed', () => {
  for (const arch of ['arm', 'ia32', 'mipsel', 'ppc']) {
    expect(whyNotHere(arch)).toBe(`This system is 32-bit (${arch}); DriveQR needs a 64-bit one.`)
  }
  for (const arch of ['x64', 'arm64', 'riscv64']) expect(whyNotHere(arch)).toBeUndefined()
})

test('a build is named by the contents of its sources', () => {
  expect(hashSources()).toMatch(/^[0-9a-f]{64}$/)
  expect(hashSources()).toBe(hashSources())
})

const SOURCES = /^[0-9a-f]{8}$/

test.skipIf(!existsSync('.git'))('a build is named by its commit, and by its sources', () => {
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).slice(0, 8)
  vi.stubEnv('COMMIT', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(nameBuild()).toBe(`${head}.${hashSources().slice(0, 8)}`)
  // In an image the repository is not there.
  vi.stubEnv('COMMIT', '0123456789abcdef0123456789abcdef01234567')
  expect(nameBuild()).toBe(`01234567.${hashSources().slice(0, 8)}`)
})

test.skipIf(!existsSync('.git'))('a release tarball knows its commit without a repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-tarball-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const tarball = execFileSync('git', ['archive', 'HEAD', '.commit', 'scripts/bootstrap'])
  execFileSync('tar', ['-x', '-C', folder], { input: tarball })
  const script = `import { nameBuild } from './scripts/bootstrap/build.mjs'; console.log(nameBuild())`
  const name = (cwd: string) =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    }).trim()
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).slice(0, 8)
  const [commit, sources] = name(folder).split('.')
  expect([commit, sources]).toEqual([head, expect.stringMatching(SOURCES)])
  // A repository has the file as it was before `git archive` wrote into it.
  writeFileSync(join(folder, '.commit'), readFileSync('.commit'))
  expect(name(folder)).toMatch(SOURCES)
})
