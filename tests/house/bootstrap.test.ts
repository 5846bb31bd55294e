import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { hashSources } from '#scripts/bootstrap/build.mjs'
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
