import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tests/cli/support.ts'

test.runIf(process.getuid?.() === 0)(
  'a folder that root made for a container is refused with the command that gives it to its user',
  () => {
    const dataDir = temporaryFolder()
    // Another user may not read the sources, so the process becomes one after it has read them.
    const script = `
      import { makeDataFolder } from '#db/folder.ts'
      process.setgid(10001)
      process.setuid(10001)
      try {
        makeDataFolder('${dataDir}')
      } catch ({ message }) {
        console.log(message)
      }`
    const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
    const args = [...flags, '--input-type=module', '--eval', script]
    expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({
      stdout: `The data folder ${dataDir} cannot be written to: it belongs to user 0, and DriveQR runs as user 10001: run chown -R 10001:10001 on it, as root\n`,
      stderr: '',
    })
  },
)
