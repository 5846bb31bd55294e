import { dirname } from 'node:path'
import { insertAccount } from '#db/accounts/accounts.ts'
import { hashPassword } from '#db/secrets.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { copyDatabase, readPaths, startDriveQr } from './scan-page.ts'
import type { Row } from './support/report.ts'
import { openScans, percentile99, scanWhile } from './uploads.ts'

const PEOPLE = 100
const ALONE_MS = 2_000
const PASSWORD = 'bench bench'

/** Simultaneous sign-ins: how many succeed, and how they slow down scans. */
export async function benchLogins(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const database = copyDatabase(seeded, work, 'logins')
  await addPeople(dirname(database))
  const server = await startDriveQr(database, paths[0] ?? '')
  const finders = openScans(server, paths)
  try {
    await login(server.url, 0)
    const alone = await scanWhile(finders, new Promise((done) => setTimeout(done, ALONE_MS)))
    const startedAt = performance.now()
    const all = Promise.all(Array.from({ length: PEOPLE }, (_, n) => login(server.url, n)))
    const meanwhile = await scanWhile(finders, all)
    const seconds = (performance.now() - startedAt) / 1000
    const letIn = (await all).filter((status) => status === 200).length
    const [p99, limit] = [percentile99(meanwhile), percentile99(alone)]
    return [
      {
        what: `${PEOPLE} logins at once: let in`,
        measured: `${letIn} in ${seconds.toFixed(1)} s`,
        limit: `${PEOPLE}`,
        ratio: letIn / PEOPLE,
        budget: { atLeast: 1 },
      },
      {
        what: `${PEOPLE} logins at once: scan p99 ÷ alone`,
        measured: `${p99.toFixed(1)} ms`,
        limit: `${limit.toFixed(1)} ms`,
        ratio: p99 / limit,
        budget: undefined,
      },
    ]
  } finally {
    await finders.stop()
    await server.stop()
  }
}

const emailOf = (n: number) => `person${n}@example.in`

async function addPeople(folder: string): Promise<void> {
  const password_hash = await hashPassword(PASSWORD)
  const { db, close } = await openDatabase(folder)
  for (let n = 0; n < PEOPLE; n++) {
    const person = { name: `Person ${n}`, email: emailOf(n), password_hash }
    await insertAccount(db, person, new Date())
  }
  await close()
}

async function login(url: string, n: number): Promise<number> {
  const { status } = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ contact: emailOf(n), password: PASSWORD }),
  })
  return status
}
