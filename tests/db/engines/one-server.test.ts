import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { enterAsServer, enterDataFolder } from '#db/data-folder.ts'
import { testOnDisk } from '#tests/support/database.ts'
import { makeDataFolder } from '#tests/support/folders.ts'
import { findPrograms } from '#tests/support/programs.ts'
import { launch } from '#tests/support/server.ts'

test('a second server of a data folder is refused, and a command is not', () => {
  const dataDir = makeDataFolder()
  const leave = enterAsServer(dataDir)
  expect(() => enterAsServer(dataDir)).toThrow(`Another server uses ${dataDir}`)
  enterDataFolder(dataDir)()
  leave()
  enterAsServer(dataDir)()
})

testOnDisk(
  'a server that is killed leaves nothing to clean before the next one may start',
  { tags: 'slow' },
  async () => {
    const dataDir = makeDataFolder()
    const { server: program } = await findPrograms()
    const start = async () => {
      const server = await launch({ dataDir, program })
      onTestFinished(() => void server.child.kill('SIGKILL'))
      return server
    }
    const first = await start()
    expect(await first.serves(), first.output()).toBe(true)
    const files = readdirSync(dataDir)
    const second = await start()
    expect(await second.ended).toEqual({ code: 3, signal: null })
    expect(second.output()).toBe(
      `DriveQR cannot start: Another server uses ${dataDir}: stop it, or set another DATA_DIR. With SQLite one process does everything\n`,
    )
    expect(readdirSync(dataDir)).toEqual(files)
    first.kill('SIGKILL')
    await first.ended
    const third = await start()
    expect(await third.serves(), third.output()).toBe(true)
    third.kill('SIGTERM')
    expect(await third.ended).toEqual({ code: 0, signal: null })
  },
)
