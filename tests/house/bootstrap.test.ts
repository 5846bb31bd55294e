import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
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
