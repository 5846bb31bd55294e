/** Loads the key and the id of many folders, each at a moment that another process is told too. */
import { assertInstallId } from '#db/folder.ts'
import { fingerprint } from '#db/secret-key.ts'
import { loadSecretKey } from '#db/secrets.ts'

const folders = process.argv.slice(2)
const EACH_MS = 4

process.once('message', (start: number) => {
  const keys = folders.map((folder, n) => {
    const moment = start + n * EACH_MS
    while (Date.now() < moment);
    const key = fingerprint(loadSecretKey(folder))
    assertInstallId(folder, 'the id in the database', 'a database')
    return key
  })
  process.send?.(keys)
})
process.send?.('ready')
