import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { end, type Folder, makeFolder, serve } from '#lab/drills/_folder.ts'
import { SERVER, withoutGuard } from '#lab/drills/_guards.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'

const KEYS = 'routes/api/_idempotency.ts'
const REPEATS = 3
const DIE = "process.kill(process.pid, 'SIGKILL')"

/** Servers that kill themselves in the middle of a call, once its key is reserved, and how many codes it made by then. */
const DEATHS = [
  [withoutGuard('dying-before-the-act', [[KEYS, 'await next()', DIE]]), 0],
  [
    withoutGuard('dying-before-the-answer', [
      [KEYS, 'await settle(c, call, secrets)', `${DIE}\n    await settle(c, call, secrets)`],
    ]),
    1,
  ],
] as const

export const repeatedCall: Drill = {
  name: 'repeated-call',
  promise:
    'A call with an `Idempotency-Key` that kill -9 interrupts makes at most one code, however often it is repeated',
  trial: repeatAfterDeaths,
  without: 'reserving the key before the call',
  guardless: withoutGuard('reserving-no-key', [
    [KEYS, '!known && (await reserve(c, call))', '!known?.answered_at'],
  ]),
}

/** Interrupts a call at each moment, and repeats it on the server of `program`. */
async function repeatAfterDeaths(work: string, program = SERVER): Promise<Outcome> {
  const folder = await makeFolder(work, { codes: 0, uploaders: 0 })
  const found: { before: number; after: number; isKept: boolean; statuses: number[] }[] = []
  for (const [dying, expected] of DEATHS) {
    const name = `Asha ${'AB'[found.length]}`
    const mortal = await serve({ dataDir: folder.dataDir, program: await dying() })
    const answer = await create(mortal.url, folder, name).catch(() => undefined)
    if (answer) throw new Error(`The server did not die: ${answer}`)
    await mortal.ended
    const before = await countCodes(folder, name)
    const server = await serve({ dataDir: folder.dataDir, program })
    const statuses: number[] = []
    for (let n = 0; n < REPEATS; n++) statuses.push(await create(server.url, folder, name))
    await end(server)
    const after = await countCodes(folder, name)
    found.push({ before, after, isKept: before === expected && after === expected, statuses })
  }
  const figure = found.map(
    ({ before, after, statuses }) =>
      `${count(before, 'code')} at the kill, ${after} after ${count(REPEATS, 'repeat')}, answered ${statuses.join(', ')}`,
  )
  return { figure: figure.join('; '), isKept: found.every(({ isKept }) => isKept) }
}

/** Makes a code with its name as the key. Resolves with the status; rejects when the connection is lost. */
async function create(url: string, { token }: Folder, owner_name: string): Promise<number> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': owner_name.replace(' ', '-'),
  }
  const body = JSON.stringify({ owner_name, contact_phone: '98765 43210' })
  return (await fetch(`${url}/api/qr/create`, { method: 'POST', headers, body })).status
}

async function countCodes(folder: Folder, name: string): Promise<number> {
  const { db, close } = await openDatabaseOf(folder)
  const codes = await db
    .selectFrom('qr_codes')
    .select('id')
    .where('owner_name', '=', name)
    .execute()
  await close()
  return codes.length
}
