import { rmSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertAccount, type NewAccount } from '#db/accounts/accounts.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import type { Db } from '#db/client.ts'
import { openEngine } from '#db/open-engine.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { makeDataFolder } from '#tests/support/folders.ts'
import { ask, isOnPostgres, takeDatabase } from '#tests/support/postgres.ts'
import { findPrograms } from '#tests/support/programs.ts'
import { addPromoCode } from '#tests/support/promo.ts'
import { countEach, insist, RACERS } from '#tests/support/races.ts'
import { type Launched, launch } from '#tests/support/server.ts'

const PASSWORD = 'nobody-may-read-this'
const clock = () => new Date()

type Who = { bearerToken: string }
type Answer = { status: number; body: Record<string, unknown>; headers: Headers }

let servers: Launched[] = []
let db: Db
let url: string
const undo: (() => unknown)[] = []

/** Two servers as they are released, with one database and one data folder. */
async function start(): Promise<void> {
  const programs = await findPrograms()
  const taken = await takeDatabase()
  undo.push(taken.giveBack)
  url = taken.url
  const dataDir = makeDataFolder()
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const engine = await openEngine({ dataDir, databaseUrl: url, databasePool: 2 })
  undo.push(engine.close)
  db = await engine.queries()
  const env = {
    DATABASE_URL: url.replace('driveqr@', `driveqr:${PASSWORD}@`),
    RATE_LIMITS: 'off',
  }
  const launched = () => launch({ dataDir, env, program: programs.server })
  servers = await Promise.all([launched(), launched()])
  for (const { kill, ended } of servers) {
    undo.push(async () => {
      kill('SIGTERM')
      await ended
    })
  }
  for (const each of servers) if (!(await each.serves())) throw new Error(each.output())
}

/** Sends a call to one server or the other. */
async function call(n: number, path: string, json: object, as?: Who): Promise<Answer> {
  const answer = await fetch(`${servers[n % 2]?.url}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(as && { Authorization: `Bearer ${as.bearerToken}` }),
    },
    body: JSON.stringify(json),
  })
  return { status: answer.status, body: await answer.json(), headers: answer.headers }
}

function race(act: (n: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: RACERS }, (_, n) => insist(() => act(n))))
}

const tally = (answers: Answer[]) => countEach(answers.map(({ status }) => status))

let people = 0

async function signUp(account: Partial<NewAccount> = {}) {
  const person = {
    name: 'Asha Patil',
    email: `person${++people}@example.in`,
    email_verified_at: clock().toISOString(),
    password_hash: null,
    ...account,
  }
  const row = await insertAccount(db, person, clock())
  return { ...row, ...(await createSessions(db, clock, 'Asia/Kolkata').start(row)) }
}

const stored = (qr_id: string) =>
  db.selectFrom('qr_codes').selectAll().where('qr_id', '=', qr_id).executeTakeFirstOrThrow()

describe.skipIf(!isOnPostgres())('of twenty calls to two servers', () => {
  beforeAll(start)
  afterAll(async () => {
    for (const each of undo.toReversed()) await each()
  })
  beforeEach(async () => {
    // Both have loaded the application, so neither is late.
    for (const each of servers) await fetch(`${each.url}/login`)
  })

  test('one claims a code', async () => {
    const { qr_id } = await insertCode(db, (await signUp()).id, UNCLAIMED)
    const claim = { qr_id, contact_phone: '98450 12345' }
    const answers = await race((n) =>
      call(n, '/api/qr/claim', { ...claim, owner_name: `Claimer ${n}` }),
    )
    expect(tally(answers)).toEqual({ 200: 1, 409: 19 })
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await stored(qr_id)).toMatchObject({ is_claimed: 1, owner_name: `Claimer ${winner}` })
  })

  test('one registers a child', async () => {
    const parent = await signUp({ subscription_plan: 'premium' })
    const { qr_id } = await insertCode(db, parent.id, CHILD)
    const answers = await race((n) =>
      call(n, '/api/qr/child-register', {
        qr_id,
        name: `Child ${n}`,
        contact: `98140123${String(n).padStart(2, '0')}`,
        password: 'first horse',
      }),
    )
    expect(tally(answers)).toEqual({ 201: 1, 409: 19 })
    const children = await db
      .selectFrom('accounts')
      .select(['id', 'name'])
      .where('parent_id', '=', parent.id)
      .execute()
    const winner = answers.findIndex(({ status }) => status === 201)
    expect(children).toEqual([{ id: expect.any(String), name: `Child ${winner}` }])
    expect(await stored(qr_id)).toMatchObject({ child_account_id: children[0]?.id })
  })

  test('as many redeem a promo code as may', async () => {
    await addPromoCode({ db }, { usage_limit: 7 })
    const crowd = await Promise.all(Array.from({ length: RACERS }, () => signUp()))
    const answers = await race((n) =>
      call(n, '/api/promo/redeem', { promo_code: 'MONSOON50' }, crowd[n]),
    )
    expect(tally(answers)).toEqual({ 200: 7, 400: 13 })
    const promos = await db.selectFrom('promo_codes').select('usage_count').execute()
    expect(promos).toEqual([{ usage_count: 7 }])
    const redeemers = await db.selectFrom('promo_redemptions').select('account_id').execute()
    const lucky = crowd.filter((_, n) => answers[n]?.status === 200).map(({ id }) => id)
    expect(redeemers.map(({ account_id }) => account_id).toSorted()).toEqual(lucky.toSorted())
  })

  test('one makes the last code of a plan', async () => {
    const owner = await signUp({ subscription_plan: 'premium' })
    for (let n = 0; n < 49; n++) await insertCode(db, owner.id)
    const code = { owner_name: 'Asha Patil', contact_phone: '98765 43210' }
    const answers = await race((n) => call(n, '/api/qr/create', code, owner))
    expect(tally(answers)).toEqual({ 201: 1, 402: 19 })
    const own = db.selectFrom('qr_codes').select('id').where('owner_id', '=', owner.id)
    expect(await own.execute()).toHaveLength(50)
  })

  test('one decides about an upgrade', async () => {
    const [owner, admin] = [await signUp(), await signUp({ role: 'admin' })]
    const wish = await call(0, '/api/subscription/upgrade', { requested_plan: 'premium' }, owner)
    const { request_id } = wish.body
    const answers = await race((n) => {
      const action = n % 4 < 2 ? 'approve' : 'reject'
      return call(
        n,
        `/api/admin/upgrade-requests/${request_id}/${action}`,
        { payment_seen: true },
        admin,
      )
    })
    expect(tally(answers)).toEqual({ 200: 1, 409: 19 })
    const isApproved = answers.findIndex(({ status }) => status === 200) % 4 < 2
    const requests = await db.selectFrom('upgrade_requests').select('status').execute()
    expect(requests).toEqual([{ status: isApproved ? 'approved' : 'rejected' }])
    const { subscription_plan } = await db
      .selectFrom('accounts')
      .select('subscription_plan')
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow()
    expect(subscription_plan).toBe(isApproved ? 'premium' : 'free')
  })

  test('one is let in by a one-time code', async () => {
    const { id, email } = await signUp()
    const { body } = await call(0, '/api/auth/send-login-otp', { contact: email })
    const answers = await race((n) =>
      call(n, '/api/auth/login-otp', { contact: email, otp: body.test_otp }),
    )
    expect(tally(answers)).toEqual({ 200: 1, 400: 19 })
    const sessions = db.selectFrom('sessions').select('id').where('account_id', '=', id)
    // One was started by the test.
    expect(await sessions.execute()).toHaveLength(2)
  })

  test('as many begin a conversation as may, and a stream of the other server tells of each', async () => {
    const owner = await signUp()
    const { qr_id } = await insertCode(db, owner.id)
    const answer = await fetch(`${servers[1]?.url}/api/conversations/events`, {
      headers: { Authorization: `Bearer ${owner.bearerToken}` },
    })
    const events: string[] = []
    void (async () => {
      for await (const piece of answer.body ?? []) {
        events.push(...(new TextDecoder().decode(piece).match(/"conversation_id":"[^"]+"/g) ?? []))
      }
    })()
    const asked = await fetch(`${servers[0]?.url}/api/scan/${qr_id}/message`)
    const { page_token } = await asked.json()
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const answers = await race((n) =>
      call(n, `/api/scan/${qr_id}/messages`, { page_token, reason: 'found', text: `${n}` }),
    )
    expect(tally(answers)).toEqual({ 201: 20 })
    await expect.poll(() => new Set(events).size).toBe(20)
    const blocked = await db.selectFrom('conversations').select(['id', 'token_hash']).execute()
    expect(new Set(blocked.map(({ token_hash }) => token_hash)).size).toBe(20)
    const { id } = blocked[0] ?? {}
    const ends = await race((n) =>
      n === 10
        ? call(n, `/api/conversations/${id}/block`, {}, owner)
        : call(n, `/api/scan/${qr_id}/messages`, { page_token, reason: 'found' }),
    )
    // A block refuses a browser, and not the others at its address.
    expect(tally(ends)).toEqual({ 200: 1, 201: 19 })
    const kept = await db.selectFrom('conversations').select('id').execute()
    expect(kept).toHaveLength(39)
  })

  test('each is ready and counts its own scans, both together all of them', async () => {
    const { qr_id } = await insertCode(db, (await signUp()).id)
    const committed = async ({ url: server }: Launched) => {
      const text = await (await fetch(`${server}/metrics`)).text()
      return Number(/^scans_committed_total (\d+)$/m.exec(text)?.[1])
    }
    const before = await Promise.all(servers.map(committed))
    const finder = { headers: { 'User-Agent': 'Mozilla/5.0 (Linux; Android 14)' } }
    await Promise.all(
      Array.from({ length: RACERS }, (_, n) =>
        fetch(`${servers[n % 2]?.url}/scan/${qr_id}`, finder),
      ),
    )
    const after = await Promise.all(servers.map(committed))
    expect(after.map((scans, n) => scans - (before[n] ?? 0))).toEqual([RACERS / 2, RACERS / 2])
    const kept = await db.selectFrom('scans').select('n').where('qr_id', '=', qr_id).execute()
    expect(kept).toHaveLength(RACERS)
    for (const each of servers) {
      const ready = await fetch(`${each.url}/readyz`)
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }])
    }
  })

  test('with their connections cut, each is answered or told when to retry', async () => {
    const owner = await signUp({ subscription_plan: 'enterprise' })
    const code = { owner_name: 'Asha Patil', contact_phone: '98765 43210' }
    const answers: Answer[] = []
    let isOver = false
    const owners = Array.from({ length: RACERS }, async (_, n) => {
      while (!isOver) answers.push(await call(n, '/api/qr/create', code, owner))
    })
    const cut = () =>
      ask(
        url,
        `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'driveqr' and datname = current_database()`,
      )
    for (let n = 0; n < 10; n++) {
      const before = answers.length
      await expect.poll(() => answers.length).toBeGreaterThan(before + RACERS)
      await cut()
    }
    isOver = true
    await Promise.all(owners)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, headers, body } of refused) {
      expect([status, headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^[15]$/)])
      expect(body.detail).toMatch(
        /^The database (does not answer|is busy)\. Try again in a moment\.$/,
      )
    }
    const kept = await db.selectFrom('qr_codes').select('qr_id').execute()
    const known = new Set(kept.map(({ qr_id }) => qr_id))
    const made = answers.filter(({ status }) => status === 201)
    expect(made.filter(({ body }) => !known.has(String(body.qr_id)))).toEqual([])
    expect(tally(await race((n) => call(n, '/api/qr/create', code, owner)))).toEqual({ 201: 20 })
    for (const { output } of servers) {
      expect(output()).toContain('PostgreSQL cannot be reached')
      expect(output()).not.toContain(PASSWORD)
    }
  })
})
