// @module-tag slow
import { expect, test } from 'vitest'
import { insertAccount, type NewAccount } from '#db/accounts/accounts.ts'
import { ADMIN_TABS, adminHref } from '#domain/admin/admin.ts'
import { MANAGEMENT_TABS, managementHref } from '#domain/admin/management.ts'
import { tabHref, tabsOf } from '#domain/dashboard.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { readSections } from '#tests/support/authorisation.ts'
import { callOn } from '#tests/support/calls.ts'
import { thingsOf } from '#tests/support/things.ts'

const OFF = { PLANS: 'off', RATE_LIMITS: 'off' }
const WORDS =
  /\b(plans?|pric(e|es|ing)|upgrad\w*|premium|enterprise|promo|receipts?|rupees?|revenue)\b|₹/gi

const openOff = (env = {}) => openTestApp({ env: { ...OFF, ...env } })

/** What a page says, also to a screen reader and to its scripts. */
function wordsIn(html: string): string[] {
  const said = html.replaceAll(/<style.*?<\/style>/gs, '').replaceAll(/ class="[^"]*"/g, '')
  return [...said.matchAll(new RegExp(`.{0,60}(${WORDS.source}).{0,40}`, 'gi'))].map(([at]) => at)
}

const WALKERS: Record<string, Partial<NewAccount>> = {
  owner: {},
  'premium user': { role: 'premium', subscription_plan: 'premium' },
  moderator: { role: 'moderator' },
  admin: { role: 'admin' },
  'super admin': { role: 'super_admin' },
}

async function signUpAs(app: TestApp, walker: string) {
  if (walker !== 'child') return app.signUp(WALKERS[walker])
  const { id } = await app.signUp()
  return app.signUp({ parent_id: id })
}

/** The tabs and dialogs of the pages, which are queries. */
function queriesFor(qrId: string, accountId: string): string[] {
  const dialogs = ['create', 'bulk', 'child', 'import'].map((name) => `/dashboard?${name}=1`)
  const ofCode = ['edit', 'labels', 'lost', 'transfer'].map((name) => `/dashboard?${name}=${qrId}`)
  return [
    ...tabsOf('moderator').map(({ id }) => tabHref(id)),
    ...MANAGEMENT_TABS.map(({ id }) => managementHref(id)),
    ...ADMIN_TABS.map(({ id }) => adminHref(id)),
    ...[...dialogs, ...ofCode, '/dashboard?upgrade=1', '/dashboard?upgrade=limit'],
    ...['/settings/data?delete=1', '/admin?tab=users&plan=premium&q=nobody'],
    managementHref('users', { permissions: accountId }),
  ]
}

test.each(['nobody', 'child', ...Object.keys(WALKERS)])(
  'no page tells %s of plans where there are none',
  async (walker) => {
    const app = await openOff()
    const someone = await insertAccount(
      app.db,
      { name: 'Ravi', email: 'ravi@example.in', password_hash: null, role: 'premium' },
      new Date(),
    )
    const account = await signUpAs(app, walker)
    const things = thingsOf(app, account)
    const pages = readSections()
      .flatMap(({ rows }) => rows)
      .map(({ call }) => call)
      .filter((call) => /^GET \/(?!api\/(?!docs)|internal|metrics)/.test(call))
    const paths = queriesFor(await things.code(), someone.id)
    for (const call of pages) paths.push((await callOn(things, call)).path)
    let seen = 0
    const found: string[] = []
    for (const path of paths) {
      const { cookie } = await signUpAgain(app, account)
      const headers = walker === 'nobody' ? {} : { Cookie: cookie }
      const answer = await app.ask('GET', path, { headers })
      if (!answer.headers.get('Content-Type')?.startsWith('text/html')) {
        await answer.body?.cancel()
        continue
      }
      const html = await answer.text()
      seen += 1
      found.push(...wordsIn(html).map((words) => `${path}: ${words}`))
    }
    expect(found).toEqual([])
    expect(seen).toBeGreaterThan(walker === 'nobody' ? 10 : 20)
  },
)

/** A new session, because a page may end one. */
async function signUpAgain({ deps }: TestApp, account: Parameters<typeof deps.sessions.start>[0]) {
  const { cookieToken } = await deps.sessions.start(account)
  return { cookie: `driveqr=${cookieToken}` }
}
