import { expect, test } from 'vitest'
import { quarterOf } from '#db/scans/scan-sums.ts'
import { verifyPassword } from '#db/secrets.ts'
import { NOW, openCommandLine } from '#tests/cli/support.ts'

const MONTH_MS = 30 * 86_400_000

async function seeded(...args: string[]) {
  const house = openCommandLine()
  const answer = await house.json(['seed', ...args])
  const all = await house.withDatabase(async ({ db, connection }) => ({
    accounts: await db.selectFrom('accounts').selectAll().execute(),
    codes: await db.selectFrom('qr_codes').selectAll().orderBy('created_at').execute(),
    scans: await db.selectFrom('scans').selectAll().execute(),
    quarters: await db.selectFrom('scan_quarters').selectAll().orderBy('quarter').execute(),
    messages: await db.selectFrom('admin_messages').selectAll().execute(),
    requests: await db.selectFrom('password_reset_requests').selectAll().execute(),
    broken: connection.pragma('foreign_key_check'),
  }))
  const accountOf = (name: string) =>
    all.accounts.find(({ email }) => email === `${name}@driveqr.example`)
  return { ...house, answer, ...all, accountOf }
}

test('the sample is a household, its workshop and an admin, all with the password told', async () => {
  const { answer, accounts, accountOf, codes, messages, requests, broken } = await seeded()
  expect(broken).toEqual([])
  expect(answer.accounts.map(({ email }: { email: string }) => email)).toContain(
    'demo@driveqr.example',
  )
  for (const { password_hash } of accounts) {
    expect(await verifyPassword(password_hash, answer.password)).toBe(true)
  }
  expect(accountOf('admin')).toMatchObject({ role: 'super_admin' })
  const demo = accountOf('demo')
  expect(demo).toMatchObject({ subscription_plan: 'premium', qr_limit: 50, child_qr_quota: 47 })
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
  expect(messages).toMatchObject([{ is_active: 1 }])
  expect(requests).toMatchObject([{ status: 'pending' }])
  expect(answer.qr_codes).toBe(codes.length)
})

test('scans are of the last 30 days, of claimed codes, busier by day, and counted by quarter of an hour', async () => {
  const { answer, scans, quarters, codes } = await seeded()
  expect(scans).toHaveLength(answer.scans)
  const claimed = new Set(codes.filter((code) => code.is_claimed).map(({ qr_id }) => qr_id))
  const counted: Record<string, number> = {}
  let byNight = 0
  for (const { qr_id, scanned_at } of scans) {
    expect(claimed).toContain(qr_id)
    const age = NOW.getTime() - Date.parse(scanned_at)
    expect(age).toBeGreaterThan(0)
    expect(age).toBeLessThanOrEqual(MONTH_MS)
    const quarter = quarterOf(scanned_at)
    counted[quarter] = (counted[quarter] ?? 0) + 1
    const hour = (new Date(scanned_at).getUTCHours() + 5.5) % 24
    if (hour < 6) byNight++
  }
  expect(Object.fromEntries(quarters.map(({ quarter, scans: count }) => [quarter, count]))).toEqual(
    counted,
  )
  expect(byNight).toBeLessThan(scans.length / 10)
})

test('phone numbers of samples belong to nobody: no Indian one begins with 5', async () => {
  const { codes, accounts } = await seeded('--codes', '20')
  const phones = [
    ...codes.flatMap((code) => [code.contact_phone, code.emergency_contact_phone]),
    ...accounts.map(({ mobile }) => mobile),
  ].filter((phone) => phone !== null)
  expect(phones.length).toBeGreaterThan(30)
  for (const phone of phones) expect(phone).toMatch(/^\+915\d{9}$/)
})

test('large sample data is the same for the same seed, but for the password', async () => {
  const args = ['--codes', '300', '--scans', '7000']
  const [first, second, third] = [
    await seeded(...args, '--seed', '7'),
    await seeded(...args, '--seed', '7'),
    await seeded(...args, '--seed', '8'),
  ]
  const fleet = first.accountOf('fleet')
  expect(fleet).toMatchObject({ subscription_plan: 'enterprise', qr_limit: -1 })
  expect(first.codes.filter(({ owner_id }) => owner_id === fleet?.id)).toHaveLength(300)
  expect(first.scans).toHaveLength(460 + 7000)
  expect(first.answer).toMatchObject({ qr_codes: first.codes.length, scans: 7460 })
  expect(second.codes).toEqual(first.codes)
  expect(second.scans).toEqual(first.scans)
  expect(third.codes).not.toEqual(first.codes)
  expect(second.answer.password).not.toBe(first.answer.password)
  expect(first.quarters.reduce((sum, { scans }) => sum + scans, 0)).toBe(7460)
})

test('a second time it is refused, and says what to do', async () => {
  const { run, codes, withDatabase } = await seeded()
  expect(await run(['seed', '--codes', '5'])).toEqual({
    code: 1,
    out: '',
    err: 'driveqr: Sample data is here already: to begin anew, stop the server and remove the data folder\n',
  })
  const after = await withDatabase(({ db }) => db.selectFrom('qr_codes').select('id').execute())
  expect(after).toHaveLength(codes.length)
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
    err: 'driveqr: Sample data does not belong into production\n',
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

test('people read the password, where to sign in and whose keys to find', async () => {
  const { run } = openCommandLine()
  const { code, out } = await run(['seed'])
  expect(code).toBe(0)
  expect(out).toMatch(/^E-MAIL +NAME +ROLE +PLAN\n/)
  expect(out).toMatch(/Sign in at http:\/\/localhost:3000\/login .* the password [\w-]{14}\n/)
  expect(out).toMatch(/http:\/\/localhost:3000\/scan\/[0-9A-Z]{12}\n$/)
})
