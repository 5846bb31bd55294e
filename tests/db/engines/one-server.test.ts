import { expect, test } from 'vitest'
import { enterAsServer, enterDataFolder } from '#db/data-folder.ts'
import { makeDataFolder } from '#tests/support/folders.ts'

test('a second server of a data folder is refused, and a command is not', () => {
  const dataDir = makeDataFolder()
  const leave = enterAsServer(dataDir)
  expect(() => enterAsServer(dataDir)).toThrow(`Another server uses ${dataDir}`)
  enterDataFolder(dataDir)()
  leave()
  enterAsServer(dataDir)()
})
