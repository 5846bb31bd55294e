import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertAccount } from '#db/accounts/accounts.ts'
import { readNewPasskey, type StoredPasskey } from '#db/passkeys/ceremonies.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { makeSoftwarePasskey } from '#tests/support/software-passkey.ts'
import { copyDatabase, readPaths, SETTLED_MS, startDriveQr } from './scan-page.ts'
import { startServer } from './support/processes.ts'
import { median, type Row } from './support/report.ts'

/** Below the limit of an account's sign-ins. */
const SIGN_INS = 50
const WARM_UP = 10

type Passkey = ReturnType<typeof makeSoftwarePasskey>

/** A sign-in with a passkey, from the challenge to the session, compared with its cryptography alone. */
export async function benchPasskeys(seeded: string, work: string): Promise<Row[]> {
  const database = copyDatabase(seeded, work, 'passkeys')
  const key = makeSoftwarePasskey()
  const stored = await store(dirname(database), key)
  const ours = await startDriveQr(database, readPaths(seeded)[0] ?? '')
  const limit = await startServer(['dist/bench/passkeys.js'], '/', {
    PASSKEY: JSON.stringify(stored),
  })
  try {
    await sleep(SETTLED_MS)
    const taken: Record<string, number[]> = { [ours.url]: [], [limit.url]: [] }
    // In turn, because a shared machine has slow seconds.
    for (let n = 0; n < SIGN_INS; n++) {
      for (const { url } of [ours, limit]) taken[url]?.push(await signIn(url, key))
    }
    const [measured = Number.NaN, alone = Number.NaN] = [ours, limit].map(({ url }) =>
      median((taken[url] ?? []).slice(WARM_UP)),
    )
    return [
      {
        what: 'sign-in with a passkey ÷ its cryptography alone',
        measured: `${measured.toFixed(2)} ms`,
        limit: `${alone.toFixed(2)} ms`,
        ratio: measured / alone,
        budget: { atMost: 1.2 },
      },
    ]
  } finally {
    await limit.stop()
    await ours.stop()
  }
}

async function store(folder: string, key: Passkey): Promise<StoredPasskey> {
  const place = { rpId: 'localhost', origin: 'http://localhost:3000' }
  const challenge = Buffer.from('bench').toString('base64url')
  const answer = key.create({ challenge })
  const { challenge: _, ...passkey } = await readNewPasskey(place, answer, () => true)
  const { db, close } = await openDatabase(folder)
  const person = { name: 'Person', email: 'passkey@example.in', password_hash: null }
  const { id } = await insertAccount(db, person, new Date())
  const row = { id: 'bench', account_id: id, name: 'Phone', last_used_at: null }
  await db
    .insertInto('passkeys')
    .values({ ...row, ...passkey, created_at: new Date().toISOString() })
    .execute()
  await close()
  return passkey
}

/** Milliseconds of both calls; the authenticator's own work is not counted. */
async function signIn(url: string, key: Passkey): Promise<number> {
  const origin = `http://localhost:${new URL(url).port}`
  const beganAt = performance.now()
  const { challenge } = await post(`${url}/api/auth/passkey/options`)
  const askedFor = performance.now() - beganAt
  const answer = key.get({ challenge, origin })
  const answeredAt = performance.now()
  await post(`${url}/api/auth/passkey/verify`, answer)
  return askedFor + performance.now() - answeredAt
}

async function post(url: string, json?: object): Promise<{ challenge: string }> {
  const headers = { 'Content-Type': 'application/json' }
  const sent = await fetch(url, { method: 'POST', headers, body: JSON.stringify(json ?? {}) })
  if (!sent.ok) throw new Error(`${url} answered ${sent.status}: ${await sent.text()}`)
  return sent.json()
}
