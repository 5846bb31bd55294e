/** Loads the key and the id of many folders, each at a moment that another process knows too, and prints them. */
import { assertInstallId } from '#db/folder.ts'
import { fingerprint } from '#db/secret-key.ts'
import { loadSecretKey } from '#db/secrets.ts'

const [start = '0', ...folders] = process.argv.slice(2)
const EACH_MS = 4

const keys = folders.map((folder, n) => {
  const moment = Number(start) + n * EACH_MS
  while (Date.now() < moment);
  const key = fingerprint(loadSecretKey(folder))
  assertInstallId(folder, 'the id in the database', 'a database')
  return key
})
console.log(JSON.stringify(keys))
