// @module-tag slow
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { quarterOf } from '#db/scans/scan-sums.ts'
import type { QrCode } from '#db/schema.ts'
import { verifyPassword } from '#db/secrets.ts'
import { ADMIN_TABS } from '#domain/admin/admin.ts'
import { MANAGEMENT_TABS } from '#domain/admin/management.ts'
import { tabsOf } from '#domain/dashboard.ts'
import { createRandom } from '#scripts/_sample-random.ts'
import { NOW, openCommandLine } from '#tests/cli/support.ts'
import { openTestApp } from '#tests/support/app.ts'
import { testOnDisk, testOnSqlite } from '#tests/support/database.ts'
import { isOnPostgres } from '#tests/support/postgres.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'

const [DAY_MS, YEAR_MS] = [86_400_000, 365 * 86_400_000]
const HOUSEHOLD_SCANS = 1200

const shared = makeQuickFolder()
afterAll(() => rmSync(shared, { recursive: true, force: true }))
let sharedAnswer: Promise<Answer> | undefined

// biome-ignore lint/suspicious/noExplicitAny: tests check the answers of commands
type Answer = any

/** A seeded installation. Without arguments it is shared, because tests only read it. */
async function seeded(...args: string[]) {
  const commandLine = args.length > 0 ? openCommandLine() : openCommandLine(join(shared, 'data'))
  const seed = () => commandLine.json(['seed', ...args])
  if (args.length === 0) sharedAnswer ??= seed()
  const answer: Answer = await (args.length > 0 ? seed() : sharedAnswer)
  const all = await commandLine.withDatabase(async ({ db, connection }) => ({
    accounts: await db.selectFrom('accounts').selectAll().execute(),
    codes: await db
      .selectFrom('qr_codes')
      .selectAll()
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
    scans: await db
      .selectFrom('scans')
      .selectAll()
      .orderBy('qr_id')
      .orderBy('scanned_at')
      .orderBy('n')
      .execute(),
    quarters: await db.selectFrom('scan_quarters').selectAll().orderBy('quarter').execute(),
    messages: await db.selectFrom('admin_messages').selectAll().execute(),
    requests: await db.selectFrom('password_reset_requests').selectAll().execute(),
    broken: isOnPostgres() ? [] : connection.pragma('foreign_key_check'),
  }))
  const accountOf = (name: string) =>
    all.accounts.find(({ email }) => email === `${name}@driveqr.example`)
  return { ...commandLine, answer, ...all, accountOf }
}

test('the sample is a household, its workshop and an admin, all with the printed password', async () => {
  const { answer, accounts, accountOf, codes, messages, requests, broken } = await seeded()
  expect(broken).toEqual([])
  expect(answer.accounts.map(({ email }: { email: string }) => email)).toContain(
    'demo@driveqr.example',
  )
  const [hash = null, ...others] = new Set(accounts.map(({ password_hash }) => password_hash))
  expect([await verifyPassword(hash, answer.password), others]).toEqual([true, []])
  expect(accountOf('admin')).toMatchObject({ role: 'super_admin' })
  const demo = accountOf('demo')
  expect(demo).toMatchObject({ subscription_plan: 'premium', qr_limit: 50, child_qr_quota: 57 })
  const own = codes.filter(({ owner_id }) => owner_id === demo?.id)
  const claimed = own.filter(({ qr_type }) => qr_type === 'normal')
  expect(claimed).toHaveLength(12)
  for (const code of claimed) {
    expect(code.is_claimed).toBe(1)
    expect(code.vehicle_registration).toMatch(/^[A-Z]{2}\d{1,2}[A-Z]{1,2}\d{4}$/)
  }
  const children = own.filter(({ qr_type }) => qr_type === 'child')
  expect(children.map((code) => code.is_child_registered).toSorted()).toEqual([0, 0, 1])
  const blank = codes.filter(({ is_claimed, qr_type }) => qr_type === 'normal' && !is_claimed)
  expect(new Set(blank.map(({ owner_id }) => owner_id))).toEqual(
    new Set([accountOf('workshop')?.id]),
  )
  expect(messages.map(({ is_active }) => is_active).toSorted()).toEqual([0, 1])
  expect(requests.map(({ status }) => status).toSorted()).toEqual(['pending', 'rejected'])
  expect(answer.qr_codes).toBe(codes.length)
})

testOnSqlite('scans of a year are of claimed codes, busier by day, and summed up', async () => {
  const { answer, scans, quarters, codes } = await seeded()
  expect(scans).toHaveLength(answer.scans)
  const madeAt = new Map(codes.map((code) => [code.qr_id, code.is_claimed && code.created_at]))
  const counted: Record<string, number> = {}
  let byNight = 0
  for (const { qr_id, scanned_at } of scans) {
    expect(scanned_at > (madeAt.get(qr_id) || 'never')).toBe(true)
    const age = NOW.getTime() - Date.parse(scanned_at)
    expect(age).toBeGreaterThan(0)
    expect(age).toBeLessThanOrEqual(YEAR_MS)
    const quarter = quarterOf(scanned_at)
    counted[quarter] = (counted[quarter] ?? 0) + 1
    const hour = (new Date(scanned_at).getUTCHours() + 5.5) % 24
    if (hour < 6) byNight++
  }
  expect(Object.fromEntries(quarters.map(({ quarter, scans: count }) => [quarter, count]))).toEqual(
    counted,
  )
  expect(byNight).toBeLessThan(scans.length / 10)
  const oldest = scans.map(({ scanned_at }) => scanned_at).toSorted()[0] ?? ''
  expect(NOW.getTime() - Date.parse(oldest)).toBeGreaterThan(200 * DAY_MS)
})

/** The pages that a server on the seeded data shows. */
async function browse(email: string) {
  const dataDir = makeQuickFolder()
  cpSync((await seeded()).dataDir, dataDir, { recursive: true })
  const app = await openTestApp({ dataDir, now: NOW.toISOString() })
  const account = await app.db
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const { cookieToken } = await app.deps.sessions.start(account)
  const get = (path: string) =>
    app.ask('GET', path, { headers: { cookie: `driveqr=${cookieToken}` } })
  async function open(path: string) {
    const answer = await get(path)
    const html = await answer.text()
    expect([path, answer.status, html.match(/class="(?:sheet )?empty"/)]).toEqual([path, 200, null])
    return html
  }
  return { ...app, get, open }
}

testOnDisk('every tab of the dashboard has something to show, and its files open', async () => {
  const { open, get, db } = await browse('demo@driveqr.example')
  const pages = new Map<string, string>()
  const found = await db
    .selectFrom('conversations')
    .select('id')
    .where('photo_name', 'is not', null)
    .executeTakeFirstOrThrow()
  for (const { id } of tabsOf('client')) {
    pages.set(id, await open(`/dashboard?tab=${id}&conversation=${found.id}`))
  }
  const page = (tab: string) => pages.get(tab) ?? ''
  for (const text of ['RC book', 'Insurance policy.pdf', 'PUC.pdf', 'Licence.png']) {
    expect([text, page('documents').includes(text)]).toEqual([text, true])
  }
  expect(page('messages')).toContain('Juice shop beside gate 2')
  expect(page('gallery').includes('garage@driveqr.example')).toBe(true)
  expect(page('popup-images').match(/<img /g)?.length).toBe(2)
  expect(page('password-requests').includes('Aarav Deshpande')).toBe(true)
  const documents = await db.selectFrom('documents').selectAll().execute()
  expect(documents.length).toBeGreaterThan(10)
  for (const { stored_name, content_type, is_public } of documents) {
    if (!is_public) continue
    const answer = await get(`/api/files/${stored_name}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, content_type])
  }
  // Unregistered child codes.
  expect(page('analytics').split('No scans yet').length - 1).toBeLessThanOrEqual(2)
})

testOnSqlite('finders wrote and reported, and each state can be seen', async () => {
  const { open, db } = await browse('moderator@driveqr.example')
  const reports = await open('/dashboard?tab=reports')
  for (const text of ['Fraud', 'Threat', 'Popup image of the page', 'I wait at B2 every night']) {
    expect([text, reports.includes(text)]).toEqual([text, true])
  }
  expect(await open('/dashboard?tab=reports&status=decided')).toContain(
    'Report dismissed by Ishita Ghosh',
  )
  const conversations = await db.selectFrom('conversations').selectAll().execute()
  const states = conversations.map(({ status, is_unread, ended_at }) =>
    ended_at ? 'ended' : `${status}${is_unread ? ' unread' : ''}`,
  )
  expect(new Set(states)).toEqual(new Set(['open', 'open unread', 'closed', 'returned', 'ended']))
  expect(conversations.filter(({ photo_name }) => photo_name)).toHaveLength(1)
  const lost = await db.selectFrom('lost_periods').select(['qr_id', 'since', 'until']).execute()
  const codes = db.selectFrom('qr_codes').select(['qr_id', 'lost_since', 'contact_mode'])
  expect(lost).toEqual([{ qr_id: expect.any(String), since: expect.any(String), until: null }])
  expect((await codes.execute()).filter(({ lost_since }) => lost_since)).toMatchObject([
    { qr_id: lost[0]?.qr_id, lost_since: lost[0]?.since },
  ])
  expect((await codes.execute()).some(({ contact_mode }) => contact_mode === 'relay')).toBe(true)
})

testOnSqlite('every tab of both administrations has something to show', async () => {
  const { open, db } = await browse('admin@driveqr.example')
  const ticket = await db
    .selectFrom('conversations')
    .select('id')
    .where('kind', '=', 'support')
    .executeTakeFirstOrThrow()
  // Some tabs need a selection first.
  for (const { id } of ADMIN_TABS) await open(`/admin?tab=${id}&ticket=${ticket.id}`)
  const parent = await db
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', 'Rohan Deshpande')
    .executeTakeFirstOrThrow()
  for (const { id } of MANAGEMENT_TABS) {
    await open(`/admin-dashboard?tab=${id}&user=${parent.id}&ticket=${ticket.id}`)
  }
  const statuses = async (table: 'upgrade_requests' | 'promo_redemptions') =>
    new Set((await db.selectFrom(table).select('status').execute()).map(({ status }) => status))
  const all = new Set(['pending', 'approved', 'rejected'])
  expect(await statuses('upgrade_requests')).toEqual(all)
  expect(await statuses('promo_redemptions')).toEqual(all)
  const [waiting] = await db
    .selectFrom('upgrade_requests')
    .selectAll()
    .where('status', '=', 'pending')
    .execute()
  expect(waiting?.screenshot_name).toMatch(/\.webp$/)
  expect((await open('/admin?tab=system')).includes('Thank you for stopping')).toBe(true)
  const held = await db
    .selectFrom('qr_codes')
    .selectAll()
    .where('claimed_at', 'is not', null)
    .execute()
  expect(held).toMatchObject([{ owner_name: 'Kavita Joshi' }])
  for (const table of [
    'api_keys',
    'share_links',
    'document_views',
    'temporary_permissions',
    'active_days',
    'sessions',
    'audit_events',
  ] as const) {
    const rows = await db.selectFrom(table).selectAll().execute()
    expect([table, rows.length > 0]).toEqual([table, true])
  }
})

const LARGE = ['--codes', '100', '--scans', '2500']
let large: ReturnType<typeof seeded> | undefined
const seededLarge = () => (large ??= seeded(...LARGE, '--seed', '7'))

test('phone numbers of samples belong to nobody: North America keeps their ranges for fiction', {
  tags: 'slow',
}, async () => {
  const { codes, accounts } = await seededLarge()
  const phones = [
    ...codes.flatMap((code) => [code.contact_phone, code.emergency_contact_phone]),
    ...accounts.map(({ mobile }) => mobile),
  ].filter((phone) => phone !== null)
  expect(phones.length).toBeGreaterThan(30)
  for (const phone of phones) expect(phone).toMatch(/^\+1\d{3}55501\d{2}$/)
})

test('large sample data is the same for the same seed, but for the password', {
  tags: 'slow',
}, async () => {
  const [first, second, third] = [
    await seededLarge(),
    await seeded(...LARGE, '--seed', '7'),
    await seeded(...LARGE, '--seed', '8'),
  ]
  const fleet = first.accountOf('fleet')
  expect(fleet).toMatchObject({ subscription_plan: 'enterprise', qr_limit: -1 })
  expect(first.codes.filter(({ owner_id }) => owner_id === fleet?.id)).toHaveLength(100)
  const scans = HOUSEHOLD_SCANS + 2500
  expect(first.scans).toHaveLength(scans)
  expect(first.answer).toMatchObject({ qr_codes: first.codes.length, scans })
  // The claimer's link is a random secret.
  const withoutLinks = (codes: QrCode[]) =>
    codes.map((code) => ({ ...code, take_token_hash: code.take_token_hash !== null }))
  expect(withoutLinks(second.codes)).toEqual(withoutLinks(first.codes))
  expect(second.scans).toEqual(first.scans)
  expect(third.codes).not.toEqual(first.codes)
  expect(second.answer.password).not.toBe(first.answer.password)
  expect(first.quarters.reduce((sum, { scans: count }) => sum + count, 0)).toBe(scans)
})

testOnSqlite('a second time it is refused, with a remedy', async () => {
  const { run, codes, withDatabase } = await seeded()
  expect(await run(['seed', '--codes', '5'])).toEqual({
    code: 1,
    out: '',
    err: 'driveqr: There is sample data already. To begin again, stop the server and give it an empty data folder and an empty database.\n',
  })
  const after = await withDatabase(({ db }) => db.selectFrom('qr_codes').select('id').execute())
  expect(after).toHaveLength(codes.length)
})

test('a sample with an account that exists already is refused as a whole', async () => {
  const { run, withDatabase } = openCommandLine()
  const prepared = await run(['user', 'create', 'fleet@driveqr.example', '--name', 'Fleet'], {
    stdin: 'correct horse',
  })
  expect(prepared).toMatchObject({ code: 0 })
  const rows = () =>
    withDatabase(async ({ db }) => [
      await db.selectFrom('accounts').select('email').execute(),
      await db.selectFrom('promo_codes').select('code').execute(),
      await db.selectFrom('qr_codes').select('id').execute(),
      await db.selectFrom('scans').select('n').execute(),
      await db.selectFrom('audit_events').select('action').execute(),
    ])
  const before = await rows()
  expect(await run(['seed', '--codes', '5'])).toMatchObject({ code: 1, out: '' })
  expect(await rows()).toEqual(before)
})

testOnSqlite('a fleet that fails says how to begin again', { tags: 'slow' }, async () => {
  const { run, withDatabase } = openCommandLine()
  await withDatabase(async ({ connection }) =>
    connection.exec(`create trigger full before insert on qr_codes
      when new.company_fleet_name is not null begin select raise(abort, 'disk'); end`),
  )
  expect(await run(['seed', '--codes', '5'])).toEqual({
    code: 1,
    out: '',
    err: 'driveqr: The sample data is incomplete: disk. To begin again, stop the server and give it an empty data folder and an empty database.\n',
  })
})

const PRODUCTION: Record<string, string>[] = [
  { NODE_ENV: 'production' },
  { PUBLIC_URL: 'https://keys.example.in' },
]

test.each(PRODUCTION)('in production (%j) it is refused', async (env) => {
  const { run, json } = openCommandLine()
  expect(await run(['seed'], { env })).toEqual({
    code: 1,
    out: '',
    err: 'driveqr: Sample data is refused in production\n',
  })
  expect(await json(['user', 'list'], { env })).toEqual([])
})

test.each([[['--scans', '10']], [['--codes', 'many']], [['--seed', '-1']]])(
  '%j is wrong usage',
  async (args) => {
    const { run } = openCommandLine()
    expect(await run(['seed', ...args])).toMatchObject({ code: 2, out: '' })
  },
)

test('the text has the password, the login address and a code to scan', async () => {
  const { run } = openCommandLine()
  const earlier = ['user', 'create', 'asha@example.in', '--name', 'Asha']
  expect(await run(earlier, { stdin: 'correct horse' })).toMatchObject({ code: 0 })
  const { code, out } = await run(['seed'])
  expect(code).toBe(0)
  expect(out).toMatch(/^E-MAIL +NAME +ROLE +PLAN\n/)
  // Its password is another one.
  expect(out).not.toContain('asha@example.in')
  expect(out).toMatch(/Sign in at http:\/\/localhost:3000\/login .* the password [\w-]{14}\n/)
  expect(out).toMatch(/http:\/\/localhost:3000\/scan\/[0-9A-Z]{12}\n$/)
})

test('no id of sample data begins with a hyphen, which a command would read as an option', () => {
  const { id } = createRandom(1)
  const ids = Array.from({ length: 500 }, id)
  expect(ids.filter((each) => each.startsWith('-'))).toEqual([])
})
