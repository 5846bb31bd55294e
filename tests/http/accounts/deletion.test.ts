import { describe, expect, test } from 'vitest'
import { removeDeleted } from '#actions/accounts/deletion.ts'
import { makeExports } from '#actions/accounts/exports.ts'
import { makePageToken } from '#actions/conversations/page-token.ts'
import { remindOfEnds } from '#actions/plans/reminders.ts'
import { getAccount } from '#db/accounts/accounts.ts'
import { COMMAND_LINE, recordAct } from '#db/admin/audit-events.ts'
import type { DbOrTrx } from '#db/client.ts'
import { takeClaim } from '#db/codes/claims.ts'
import { createPageReport } from '#db/conversations/page-reports.ts'
import { decideReport, reopenReport } from '#db/conversations/report-decisions.ts'
import { differencesOf } from '#db/engine.ts'
import { sumRevenuePerMonth } from '#db/plans/revenue.ts'
import type { Tables } from '#db/schema.ts'
import { hashToken } from '#db/secrets.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { TABLES } from '#db/tables/registry.ts'
import { BEING_DELETED } from '#domain/accounts/deletion.ts'
import type { ReportAction } from '#domain/conversations/report.ts'
import { ticketHref } from '#domain/settings.ts'
import { keepSweeping } from '#server/after-start.ts'
import { EMAIL, mailedOtp, WITH_MAIL, wayBackIn } from '#tests/support/accounts.ts'
import { NOW, openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { EVERY_ROW } from '#tests/support/every-row.ts'
import { registeredChild, UNCLAIMED } from '#tests/support/families.ts'
import { openMoney } from '#tests/support/money.ts'
import { plansOf } from '#tests/support/query-plans.ts'
import { countEach, RACERS, raceStatuses } from '#tests/support/races.ts'
import { FRAUD, insertImage } from '#tests/support/reports.ts'
import { keptFor } from '#tests/support/storage.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { insertTicket } from '#tests/support/stored-tickets.ts'
import { fileForm, filesIn, PDF, photoForm, picture } from '#tests/support/uploads.ts'

const DAY = 86_400
const FORM = { 'Sec-Fetch-Site': 'same-origin' }
const NOT_FOUND = /QR Code Not Found/

type As = { bearerToken: string }

async function openInstallation(account: object = {}, env: object = {}) {
  const app = await openTestApp({ env: { ...WITH_MAIL.env, ...env } })
  const owner = await app.signUp({ email: EMAIL, ...account })
  const call = async (method: string, json: object, as?: As) => {
    const answer = await app.ask(method, '/api/account/deletion', { ...(as && { as }), json })
    return { status: answer.status, body: await answer.json() }
  }
  const remove = (email = EMAIL, as: As = owner) => call('POST', { email }, as)
  const wayBack = () => wayBackIn(app)
  const takeBack = (path = wayBack()) => app.ask('POST', path, { headers: FORM })
  const scan = async (qrId: string) => (await app.ask('GET', `/scan/${qrId}`)).text()
  const login = async (contact = EMAIL) => {
    const json = { contact, password: PASSWORD }
    const answer = await app.ask('POST', '/api/auth/login', { json })
    return { status: answer.status, body: await answer.json() }
  }
  const end = async () => {
    app.advance(7 * DAY + 1)
    await removeDeleted(app.deps)
    await app.sender.settled()
  }
  return { ...app, owner, call, remove, wayBack, takeBack, scan, login, end }
}

async function childWithCode(app: Awaited<ReturnType<typeof openInstallation>>) {
  const code = await registeredChild(app, app.owner.id)
  return { ...code, child: await getAccount(app.db, code.child_account_id ?? '') }
}

describe('a deletion', () => {
  test('signs out everywhere, silences keys and codes, and refuses the login in plain words', {
    tags: 'slow',
  }, async () => {
    const app = await openInstallation({ subscription_plan: 'enterprise' })
    const { qr_id } = await insertCode(app.db, app.owner.id)
    const other = { bearerToken: (await app.deps.sessions.start(app.owner)).bearerToken }
    const made = await app.ask('POST', '/api/api-keys', { as: app.owner, json: { name: 'Key' } })
    const { key } = await made.json()
    const codes = async () =>
      (await app.ask('GET', '/api/qr/my-qrs', { as: { bearerToken: key } })).status
    const before = await codes()
    expect(await app.scan(qr_id)).not.toMatch(NOT_FOUND)
    const begun = await app.remove()
    expect(begun).toMatchObject({ status: 200, body: { take_back_url: null } })
    expect(await app.scan(qr_id)).toMatch(NOT_FOUND)
    for (const as of [app.owner, other]) {
      expect((await app.ask('GET', '/api/auth/me', { as })).status).toBe(401)
    }
    expect(before).toBe(200)
    expect(await codes()).toBe(401)
    expect(await app.login()).toMatchObject({
      status: 403,
      body: { detail: BEING_DELETED },
    })
    expect(app.mails.at(-1)).toMatchObject({
      to: EMAIL,
      subject: 'Your DriveQR account is being deleted',
    })
    // The answer is the same for every address with an account: its mailbox gets the news and the
    // link.
    const again = await app.ask('POST', '/api/auth/send-otp', { json: { email: EMAIL } })
    expect(again.status).toBe(200)
    expect(app.mails.at(-1)).toMatchObject({ to: EMAIL })
    expect(app.mails.at(-1)?.subject).toBe('You already have a DriveQR account')
  })

  test('needs the e-mail of the account, or else its number, and shows the way back when there is no e-mail', async () => {
    const app = await openInstallation()
    const mobile = '+919812345678'
    const wrong = await app.remove('other@example.in')
    expect(wrong).toMatchObject({ status: 400 })
    const caller = await app.signUp({ email: null, mobile })
    expect((await app.remove(EMAIL, caller)).status).toBe(400)
    const { status, body } = await app.remove('98123 45678', caller)
    expect(status).toBe(200)
    expect(await app.login(mobile)).toMatchObject({
      status: 403,
      body: { detail: BEING_DELETED },
    })
    const token = String(body.take_back_url).split('/').at(-1) ?? ''
    expect((await app.call('DELETE', { token: 'x'.repeat(43) })).status).toBe(400)
    expect((await app.call('DELETE', { token })).status).toBe(200)
    expect((await app.login(mobile)).status).toBe(200)
  })

  test('is taken back by the button of the mailed page, which changes nothing when it is opened', async () => {
    const app = await openInstallation()
    const { qr_id } = await insertCode(app.db, app.owner.id)
    const off = await insertCode(app.db, app.owner.id, { is_active: 0 })
    const transfer = `/api/qr/${qr_id}/transfer`
    const json = { email: 'meenakshi@example.in' }
    expect((await app.ask('POST', transfer, { as: app.owner, json })).status).toBe(201)
    await app.remove()
    const page = await app.ask('GET', app.wayBack())
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Keep my account')
    expect((await app.login()).status).toBe(403)
    const taken = await app.takeBack()
    expect([taken.status, taken.headers.get('Location')]).toEqual([303, '/login?kept=1'])
    const { status, body } = await app.login()
    expect(status).toBe(200)
    const as = { bearerToken: body.session_token as string }
    expect((await app.ask('DELETE', transfer, { as })).status).toBe(404)
    expect(await app.scan(qr_id)).not.toMatch(NOT_FOUND)
    expect(await app.scan(off.qr_id)).toMatch(NOT_FOUND)
    await app.end()
    expect((await app.login()).status).toBe(200)
    expect((await app.ask('GET', app.wayBack())).status).toBe(404)
  })

  test('is not taken back after 7 days, and the address is free then', async () => {
    const app = await openInstallation()
    await app.remove()
    await removeDeleted(app.deps)
    app.advance(7 * DAY)
    expect((await app.takeBack()).status).toBe(404)
    expect((await app.login()).status).toBe(403)
    await removeDeleted(app.deps)
    expect((await app.login()).status).toBe(401)
    await app.signUp({ email: EMAIL })
    expect((await app.login()).status).toBe(200)
  })

  test('works by the page without script, with the refusal at the field', async () => {
    const app = await openInstallation()
    await insertCode(app.db, app.owner.id)
    const headers = { ...FORM, Cookie: app.owner.cookie }
    const send = (email: string) =>
      app.ask('POST', '/settings/data/deletion', { headers, body: new URLSearchParams({ email }) })
    const page = await (await app.ask('GET', '/settings/data?delete=1', { headers })).text()
    expect(page).toContain('This ends 1 QR code, 0 documents and 0 conversations.')
    expect(page).not.toContain('refund')
    const wrong = await send('other@example.in')
    expect(wrong.status).toBe(400)
    expect(await wrong.text()).toContain('Type the email of your account to confirm')
    const right = await send(` ${EMAIL.toUpperCase()} `)
    expect([right.status, right.headers.get('Location')]).toEqual([303, '/login?deleted=1'])
    expect((await app.ask('GET', '/settings/data', { headers })).status).toBe(303)
  })

  test('says before what goes, also of others', async () => {
    const app = await openInstallation({ subscription_plan: 'premium' })
    await registeredChild(app, app.owner.id)
    await insertCode(app.db, app.owner.id, HELD)
    const headers = { ...FORM, Cookie: app.owner.cookie }
    const page = await (await app.ask('GET', '/settings/data?delete=1', { headers })).text()
    expect(page).toContain('1 child code ends too, and its user is told by mail.')
    expect(page).toContain('1 keeps its account, 1 child code ends')
    expect(page).toContain('Claimed codes')
    expect(page).toContain('Premium, without a refund')
  })

  test('that was due while the server was off is made at its start', async () => {
    const app = await openInstallation()
    await app.remove()
    app.advance(30 * DAY)
    const stop = keepSweeping(app.deps)
    const left = async () => (await app.db.selectFrom('accounts').select('id').execute()).length
    await expect.poll(left).toBe(0)
    await stop()
  })

  test('is refused to the last super admin, also of two at once', async () => {
    const app = await openInstallation({ role: 'super_admin' })
    const last = { status: 409, body: { detail: expect.stringContaining('last super admin') } }
    expect(await app.remove()).toMatchObject(last)
    const second = await app.signUp({ email: 'b@example.in', role: 'super_admin' })
    const answers = await Promise.all([app.remove(), app.remove('b@example.in', second)])
    expect(countEach(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 1 })
  })

  test('leaves a block that is set meanwhile, and no unblocking wakes the account', async () => {
    const app = await openInstallation()
    const admin = await app.signUp({ role: 'admin' })
    const permit = async (permission_type: string) => {
      const json = { user_id: app.owner.id, permission_type }
      return (await app.ask('POST', '/api/admin/users/permissions', { as: admin, json })).status
    }
    await app.remove()
    const set = [await permit('client')]
    expect((await app.login()).body.detail).toContain('being deleted')
    set.push(await permit('blocked'))
    expect(set).toEqual([200, 200])
    expect((await app.takeBack()).status).toBe(303)
    expect((await app.login()).body.detail).toContain('blocked')
  })
})

test('a plan that ends meanwhile is no news to an account that is being deleted, and is if it is kept', async () => {
  const term_ends_at = new Date(Date.parse(NOW) + 9 * DAY * 1000).toISOString()
  const app = await openInstallation()
  await app.db.updateTable('accounts').set({ term_plan: 'premium', term_ends_at }).execute()
  await app.remove()
  app.advance(3 * DAY)
  expect(await remindOfEnds(app.deps)).toBe(0)
  expect((await app.takeBack()).status).toBe(303)
  expect(await remindOfEnds(app.deps)).toBe(1)
})

describe('children', () => {
  test('keep their accounts, are mailed, and their code ends with the removal', async () => {
    const app = await openInstallation({ subscription_plan: 'premium' })
    const email = 'child@example.in'
    const { qr_id, child_account_id } = await registeredChild(app, app.owner.id, {
      contact: { kind: 'email', email },
    })
    const verified = { email_verified_at: new Date().toISOString() }
    const id = child_account_id ?? ''
    await app.db.updateTable('accounts').set(verified).where('id', '=', id).execute()
    await app.remove()
    expect(await app.scan(qr_id)).not.toMatch(NOT_FOUND)
    const toChild = () => app.mails.filter(({ to }) => to === email).map(({ subject }) => subject)
    expect(toChild()).toEqual([expect.stringMatching(/^Your DriveQR code .* ends$/)])
    await app.end()
    expect(toChild()[1]).toMatch(/has ended$/)
    expect(await app.scan(qr_id)).toMatch(NOT_FOUND)
    const child = await app.db.selectFrom('accounts').selectAll().execute()
    expect(child).toMatchObject([{ id, parent_id: null, is_active: 1 }])
  })

  test('who delete theirs leave their owner a code with nothing on it', async () => {
    const app = await openInstallation(
      { subscription_plan: 'premium' },
      { DEFAULT_CONTACT_MODE: 'relay' },
    )
    const mobile = '+919814012345'
    const { qr_id, child } = await childWithCode(app)
    await insertConversation(app.db, { account_id: child.id, qr_id })
    expect((await app.remove(mobile, await app.deps.sessions.start(child))).status).toBe(200)
    expect(await app.scan(qr_id)).toMatch(NOT_FOUND)
    await app.end()
    const codes = await app.db.selectFrom('qr_codes').selectAll().execute()
    expect(codes).toMatchObject([
      { qr_id, owner_name: null, contact_phone: null, child_account_id: null, is_active: 1 },
    ])
    // It looks like a new one.
    expect(codes).toMatchObject([{ contact_mode: 'relay' }])
    expect(await holding(app.db, mobile, child.id)).toEqual([])
  })

  test('who delete theirs leave a code off that a moderator stopped meanwhile', async () => {
    const app = await openInstallation()
    const { qr_id, child } = await childWithCode(app)
    const { id } = await createPageReport(app.db, qr_id, FRAUD, app.deps.clock())
    await app.remove(child.mobile ?? '', await app.deps.sessions.start(child))
    await decideReport(app.db, COMMAND_LINE, id, 'deactivate_code', app.deps.clock())
    await app.end()
    const codes = await app.db.selectFrom('qr_codes').select(['is_active', 'is_ending']).execute()
    expect(codes).toEqual([{ is_active: 0, is_ending: 0 }])
  })

  test.each(['a moderator stopped', 'they had switched off'])(
    'who delete theirs leave a code off that %s, also when their owner’s deletion is taken back',
    async (by) => {
      const app = await openInstallation()
      const { qr_id, child } = await childWithCode(app)
      const { id } = await createPageReport(app.db, qr_id, FRAUD, app.deps.clock())
      if (by.startsWith('they')) {
        await app.db.updateTable('qr_codes').set({ is_active: 0 }).execute()
      }
      await app.remove(child.mobile ?? '', await app.deps.sessions.start(child))
      if (by.startsWith('a mod')) {
        await decideReport(app.db, COMMAND_LINE, id, 'deactivate_code', app.deps.clock())
      }
      app.advance(60)
      expect((await app.remove()).status).toBe(200)
      app.advance(7 * DAY - 30)
      await removeDeleted(app.deps)
      await app.sender.settled()
      expect((await app.takeBack()).status).toBe(303)
      const codes = await app.db.selectFrom('qr_codes').select(['is_active', 'is_ending']).execute()
      expect(codes).toEqual([{ is_active: 0, is_ending: 0 }])
    },
  )

  test.each([1, 0] as const)(
    'who delete theirs are not shown again by the owner of their code, which was on: %s',
    async (is_active) => {
      const app = await openInstallation()
      const { qr_id, child } = await childWithCode(app)
      await app.db.updateTable('qr_codes').set({ is_active }).execute()
      await app.remove(child.mobile ?? '', await app.deps.sessions.start(child))
      const activate = async (method: string, path: string, json: object) => {
        const answer = await app.ask(method, path, { as: app.owner, json })
        return [answer.status, (await answer.json()).detail]
      }
      const refused = [409, 'The account of whoever uses this QR code is being deleted']
      expect(await activate('PUT', `/api/qr/${qr_id}`, { is_active: true })).toEqual(refused)
      const all = { ids: [qr_id], action: 'activate' }
      expect(await activate('POST', '/api/qr/bulk', all)).toEqual(refused)
      expect(await app.scan(qr_id)).toMatch(NOT_FOUND)
    },
  )
})

describe('claimers', () => {
  const CLAIMER = 'claimer@example.in'

  test('are told at the beginning and at the end, about three codes of an address', async () => {
    const app = await openInstallation()
    for (let n = 0; n < 5; n++) {
      await insertCode(app.db, app.owner.id, { ...HELD, claim_email: CLAIMER, claim_lang: 'en' })
    }
    const toClaimer = () => app.mails.splice(0).filter(({ to }) => to === CLAIMER)
    await app.remove()
    const first = toClaimer()
    expect(new Set(first.map(({ text }) => /\w{4}-\w{4}-\w{4}/.exec(text)?.[0])).size).toBe(3)
    expect(first.map(({ subject }) => subject)).toEqual(
      Array(3).fill('Your QR code is switched off'),
    )
    await app.end()
    const last = toClaimer().map(({ subject }) => subject)
    expect(last).toEqual(Array(3).fill('Your QR code is deleted'))
    expect(await holding(app.db, CLAIMER)).toEqual([])
  })
})

describe('a code that another account takes meanwhile', () => {
  const shown = ({ db }: Pick<TestApp, 'db'>, id: string) =>
    db
      .selectFrom('qr_codes')
      .select(['owner_id', 'is_active', 'is_ending'])
      .where('id', '=', id)
      .executeTakeFirst()

  test('by the link of a claim, or by the e-mail of one, is on again', async () => {
    const app = await openInstallation()
    const token = 't'.repeat(43)
    const linked = { ...HELD, claim_email: null, take_token_hash: hashToken(token) }
    const claim_email = 'claimer@example.in'
    const [byLink, byMail] = [
      await insertCode(app.db, app.owner.id, linked),
      await insertCode(app.db, app.owner.id, { ...HELD, claim_email }),
    ]
    const taker = await app.signUp({ email: claim_email })
    await app.remove()
    const headers = { ...FORM, Cookie: taker.cookie }
    expect((await app.ask('POST', `/take/${token}`, { headers })).status).toBe(303)
    const json = { qr_ids: [byMail.qr_id] }
    expect((await app.ask('POST', '/api/claims/take', { as: taker, json })).status).toBe(200)
    for (const { id, qr_id } of [byLink, byMail]) {
      const now = { owner_id: taker.id, is_active: 1, is_ending: 0 }
      expect(await shown(app, id)).toEqual(now)
      expect(await app.scan(qr_id)).not.toMatch(NOT_FOUND)
    }
  })

  test('by a transfer of the child user’s, is nothing of the deletion any more', async () => {
    const app = await openInstallation()
    const { id, qr_id, child } = await childWithCode(app)
    const session = await app.deps.sessions.start(child)
    expect((await app.remove(child.mobile ?? '', session)).status).toBe(200)
    const taker = await app.signUp()
    const wish = { email: taker.email, include_documents: false }
    await app.ask('POST', `/api/qr/${qr_id}/transfer`, { as: app.owner, json: wish })
    const token = /\/transfer\/([\w-]{43})/.exec(app.mails.at(-1)?.text ?? '')?.[1]
    const json = { owner_name: 'Neel', contact_phone: '9812345670' }
    const path = `/api/transfers/${token}/accept`
    expect((await app.ask('POST', path, { as: taker, json })).status).toBe(200)
    expect(await shown(app, id)).toEqual({ owner_id: taker.id, is_active: 1, is_ending: 0 })
  })
})

test('an account that is being deleted takes no code that was claimed with its e-mail', async () => {
  const app = await openInstallation()
  const issuer = await app.signUp()
  const held = await insertCode(app.db, issuer.id, { ...HELD, claim_email: EMAIL })
  await app.remove()
  await app.ask('POST', '/api/auth/send-login-otp', { json: { contact: EMAIL } })
  const json = { contact: EMAIL, otp: mailedOtp(app) }
  expect((await app.ask('POST', '/api/auth/login-otp', { json })).status).toBe(403)
  await app.end()
  const codes = await app.db.selectFrom('qr_codes').select(['id', 'owner_id']).execute()
  expect(codes).toEqual([{ id: held.id, owner_id: issuer.id }])
})

/** The files below a folder that have one of the texts in them, packed ones and the database too. */
function wordsIn(dataDir: string, texts: string[]): string[] {
  const found = keptFor(dataDir).filter(
    ({ name, bytes }) => name.endsWith('.zip') || texts.some((text) => bytes.includes(text)),
  )
  return found.map(({ name }) => name)
}

/** Returns the tables with a row that contains one of the texts. */
async function holding(db: DbOrTrx, ...texts: string[]): Promise<string[]> {
  const found: string[] = []
  for (const table of Object.keys(TABLES) as (keyof Tables)[]) {
    const rows = await db.selectFrom(table).selectAll().execute()
    const all = JSON.stringify(rows)
    if (texts.some((text) => all.includes(text))) found.push(table)
  }
  return found.sort()
}

describe('the removal', () => {
  test('of an account with a row in every table leaves its receipts, and its id in the audit log', async () => {
    const app = await openTestApp(WITH_MAIL)
    await differencesOf(app.db).load(EVERY_ROW)
    const name = 'Zarina Unheard'
    const audited = { actor: name, subject_id: 'a1', before: JSON.stringify({ email: name }) }
    await app.db.updateTable('accounts').set({ name }).where('id', '=', 'a1').execute()
    await app.db.updateTable('audit_events').set(audited).execute()
    const [first] = EVERY_ROW.audit_events ?? []
    for (const subject_id of ['u', 'pr', 'q', 'a1']) {
      const row = { ...first, actor_id: null, actor: 'Nandini', subject_id }
      await app.db
        .insertInto('audit_events')
        .values([
          { ...row, id: `before ${subject_id}`, before: audited.before, after: null },
          { ...row, id: `after ${subject_id}`, before: null, after: audited.before },
        ] as Tables['audit_events'][])
        .execute()
    }
    const [code] = EVERY_ROW.one_time_codes ?? []
    const forNewAddress = { purpose: 'email', contact: 'z@example.in a1' } as const
    await app.db
      .insertInto('one_time_codes')
      .values({ ...code, ...forNewAddress } as Tables['one_time_codes'])
      .execute()
    const of = ['"a1"', 'a@example.in', 'z@example.in', '+919876543210', 'AAAA2222', name]
    expect((await holding(app.db, '"a1"')).length).toBeGreaterThan(40)
    // Otherwise the child user goes too.
    await app.db.deleteFrom('guardian_waits').execute()
    app.advance(365 * DAY)
    await removeDeleted(app.deps)
    expect(await holding(app.db, ...of)).toEqual(['audit_events', 'receipts'])
    const acts = await app.db.selectFrom('audit_events').selectAll().execute()
    expect(acts).toHaveLength(9)
    for (const act of acts) {
      const isFirst = act.id === first?.id
      const expected = isFirst ? { actor_id: null, actor: 'a1', subject_id: 'a1' } : { after: null }
      expect(act).toMatchObject({ ...expected, before: null })
    }
    const receipts = await app.db.selectFrom('receipts').select(['number', 'account_id']).execute()
    expect(receipts).toEqual([{ number: 'R-2026-000001', account_id: null }])
    const left = await app.db.selectFrom('accounts').select(['id', 'parent_id']).execute()
    expect(left).toEqual([{ id: 'a2', parent_id: null }])
  })

  test('of a child user takes all that is on its code, and nothing of another code', async () => {
    const { db, deps, advance } = await openTestApp()
    await differencesOf(db).load(EVERY_ROW)
    const used = { child_account_id: 'a2', claimed_at: null }
    await db.updateTable('qr_codes').set(used).where('qr_id', '=', 'AAAA2222').execute()
    await db.updateTable('account_deletions').set({ account_id: 'a2' }).execute()
    const { qr_id } = await insertCode(db, 'a1')
    const unlike = ['id', 'token_hash', 'document_id', 'stored_name', 'thumbnail_name']
    const names = [...unlike, 'photo_name', 'photo_thumbnail_name']
    const tables = ['documents', 'document_views', 'lost_periods', 'conversations', 'scan_alerts']
    for (const table of tables as (keyof Tables)[]) {
      const ofChild = db
        .selectFrom(table as 'documents')
        .selectAll()
        .where('qr_id', '=', 'AAAA2222')
      const row: object = await ofChild.executeTakeFirstOrThrow()
      const own = names.filter((name) => name in row).map((name) => [name, 'another'])
      await db
        .insertInto(table)
        .values({ ...row, ...Object.fromEntries(own), qr_id })
        .execute()
    }
    advance(365 * DAY)
    await removeDeleted(deps)
    for (const table of tables as ('documents' | 'scan_alerts')[]) {
      const left = db.selectFrom(table).select('qr_id').where('qr_id', 'is not', null)
      expect([table, await left.execute()]).toEqual([table, [{ qr_id }]])
    }
  })

  test('leaves what the account has paid in the revenue', async () => {
    const { db, asha, call, deps, advance } = await openMoney()
    const { body } = await call('POST', '/subscription/upgrade', {}, asha)
    await call('POST', `/admin/upgrade-requests/${body.request_id}/approve`, {
      months: 1,
      payment_seen: true,
    })
    const month = { count: 2, timezone: 'Asia/Kolkata', now: deps.clock() }
    const revenue = [
      { month: '2026-10', amount: 0 },
      { month: '2026-11', amount: 999 },
    ]
    expect(await sumRevenuePerMonth(db, month)).toEqual(revenue)
    const removal = { email: asha.email }
    expect((await call('POST', '/account/deletion', removal, asha)).status).toBe(200)
    advance(8 * DAY)
    await removeDeleted(deps)
    expect(await db.selectFrom('upgrade_requests').selectAll().execute()).toEqual([])
    expect(await sumRevenuePerMonth(db, month)).toEqual(revenue)
  })

  test('takes every kind of file along, and no file has a word of the account after that', {
    tags: 'slow',
  }, async () => {
    const name = 'Zarina Unheard'
    const app = await openInstallation({ name }, { RATE_LIMITS: 'off', UPI_ID: 'keys@examplebank' })
    const { ask, db, deps, dataDir, connection, owner: as } = app
    const plate = 'MH14ZZ9876'
    const { qr_id } = await insertCode(db, as.id, { owner_name: name, vehicle_registration: plate })
    const text = 'Your keys are with the watchman'
    const image = await picture()
    const upload = async (method: string, path: string, body: FormData, from?: As) => {
      const answer = await ask(method, path, { ...(from && { as: from }), body })
      expect([path, answer.status]).toEqual([
        path,
        expect.toSatisfy((it) => [200, 201].includes(it)),
      ])
    }
    const paid = await ask('POST', '/api/subscription/upgrade', { as })
    const { request_id } = await paid.json()
    const screenshot = `/api/subscription/upgrade/${request_id}/screenshot`
    await upload('POST', screenshot, fileForm(image, {}, 'paid.png'), as)
    const enterprise = { subscription_plan: 'enterprise' } as const
    await db.updateTable('accounts').set(enterprise).where('id', '=', as.id).execute()
    const used = await childWithCode(app)
    for (const [id, from] of [
      [qr_id, as],
      [used.qr_id, await deps.sessions.start(used.child)],
    ] as const) {
      const paper = fileForm(image, { document_type: 'puc' }, `${name}.png`)
      await upload('POST', `/api/documents/upload/${id}`, paper, from)
    }
    await upload('POST', '/api/popup-images/upload', fileForm(image), as)
    await upload('PUT', '/api/branding/logo', fileForm(image, {}, 'logo.png'), as)
    const ticket = fileForm(PDF, { subject: name, text }, 'print.pdf', 'attachment')
    await upload('POST', '/api/support/tickets', ticket, as)
    const page_token = makePageToken(
      deps.secretKey,
      qr_id,
      new Date(deps.clock().getTime() - 5_000),
    )
    const found = photoForm(image, { page_token, reason: 'found', text })
    await upload('POST', `/api/scan/${qr_id}/messages`, found)
    await ask('POST', '/api/account/export', { as })
    await makeExports(deps)
    const stored = await listStoredNames(db)
    // Pictures have thumbnails too; the ticket has a PDF.
    expect(stored).toHaveLength(2 + 2 + 1 + 1 + 1 + 1 + 2)
    const words = [EMAIL, name, plate, text]
    expect(wordsIn(dataDir, words).length).toBeGreaterThan(0)
    await app.remove()
    expect(filesIn(app).stored.toSorted()).toEqual(stored.toSorted())
    await app.sender.settled()
    await app.end()
    await app.sender.settled()
    expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
    expect(await holding(db, ...words, as.id, qr_id, used.qr_id)).toEqual([])
    connection?.pragma('wal_checkpoint(TRUNCATE)')
    expect(wordsIn(dataDir, words)).toEqual([])
  })

  test('of a name with signs of a pattern leaves what the audit log has of transfers of others', async () => {
    const names = ['%', '_eel"\\!%', 'Neel"\\!!', 'Meera']
    const app = await openInstallation({ name: names[0] })
    const other = await app.signUp({ name: names[1], email: 'other@example.in' })
    const act = { actor_id: null, actor: 'x', action: 'qr_code.transferred', subject_id: 'gone' }
    for (const name of names) {
      const change = { before: { owner: name }, after: { owner: 'Vikram' } }
      await recordAct(app.db, { ...act, ...change, subject_type: 'qr_code' }, app.deps.clock())
    }
    await app.remove()
    await app.remove(other.email ?? '', other)
    await app.end()
    const acts = await app.db.selectFrom('audit_events').select('before').execute()
    const kept = acts.flatMap(({ before }) => (before ? [JSON.parse(before).owner] : []))
    expect(kept.sort()).toEqual(['Meera', 'Neel"\\!!'])
  })

  test('leaves what an admin answered in tickets without their name', async () => {
    const app = await openInstallation({ name: 'Nandini Rao', role: 'admin' })
    const namesake = await app.signUp({ name: 'Nandini Rao', role: 'admin' })
    const customer = await app.signUp({ name: 'Vikram Deshmukh', subscription_plan: 'enterprise' })
    const { id } = await insertTicket(app.db, customer.id)
    for (const as of [app.owner, namesake]) {
      app.advance(60)
      const path = `/api/admin/support/tickets/${id}/messages`
      expect((await app.ask('POST', path, { as, json: { text: 'Which printer?' } })).status).toBe(
        201,
      )
    }
    const rename = app.db.updateTable('accounts').set({ name: 'N. Rao' })
    await rename.where('id', '=', app.owner.id).execute()
    await app.remove()
    await app.end()
    const { messages } = await (
      await app.ask('GET', `/api/support/tickets/${id}`, { as: customer })
    ).json()
    expect(messages.map(({ author }: { author: string | null }) => author)).toEqual([
      null,
      null,
      'Nandini',
    ])
    const pages = [
      [ticketHref(id), customer.cookie, ['You', 'Support', 'Nandini, Support']],
      [
        `/admin-dashboard?tab=support&ticket=${id}`,
        namesake.cookie,
        ['Vikram', 'Support', 'Nandini'],
      ],
    ] as const
    for (const [path, cookie, writers] of pages) {
      const html = await (await app.ask('GET', path, { headers: { cookie } })).text()
      expect([...html.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, by]) => by).slice(-3)).toEqual(
        writers,
      )
    }
  })

  test('keeps codes that the account made and others own', async () => {
    const app = await openInstallation()
    const other = await app.signUp()
    const { id } = await insertCode(app.db, other.id, { created_by: app.owner.id })
    await app.remove()
    await app.end()
    const codes = await app.db.selectFrom('qr_codes').select(['id', 'created_by']).execute()
    expect(codes).toEqual([{ id, created_by: other.id }])
  })

  test('leaves what a moderator switched off of others a way back', async () => {
    const app = await openInstallation()
    const { db, owner } = app
    const now = app.deps.clock()
    const stop = async (qrId: string, action: ReportAction) => {
      const { id } = await createPageReport(db, qrId, FRAUD, now)
      await decideReport(db, COMMAND_LINE, id, action, now)
      return id
    }
    const token = 't'.repeat(43)
    const held = { ...HELD, take_token_hash: hashToken(token) }
    const taken = await insertCode(db, owner.id, held)
    const stopped = await stop(taken.qr_id, 'deactivate_code')
    const [taker, parent] = [await app.signUp(), await app.signUp()]
    await takeClaim(db, token, taker.id, now)
    const image = await insertImage(app, parent)
    const used = await registeredChild(app, parent.id)
    const hidden = await stop(used.qr_id, 'hide_popup_image')
    const child = await getAccount(db, used.child_account_id ?? '')
    await app.remove()
    await app.remove(child.mobile ?? '', await app.deps.sessions.start(child))
    await app.end()
    expect(await holding(db, owner.id, child.id, child.name)).toEqual([])
    for (const id of [stopped, hidden]) await reopenReport(db, COMMAND_LINE, id, app.deps.clock())
    const code = db.selectFrom('qr_codes').select(['is_active', 'stopped_by_report'])
    expect(await code.where('id', '=', taken.id).executeTakeFirst()).toEqual({
      is_active: 1,
      stopped_by_report: null,
    })
    const images = await db.selectFrom('popup_images').select(['id', 'is_active']).execute()
    expect(images).toEqual([{ id: image.id, is_active: 1 }])
  })

  test('goes on where it was stopped after any of its steps', async () => {
    const app = await openInstallation({ subscription_plan: 'premium' })
    for (let n = 0; n < 3; n++) {
      const { qr_id } = await insertCode(app.db, app.owner.id)
      await insertConversation(app.db, { account_id: app.owner.id, qr_id })
    }
    await app.remove()
    app.advance(7 * DAY + 1)
    const { files } = app.deps
    let rounds = 0
    while ((await holding(app.db, app.owner.id)).length > 0) {
      const stopping = new AbortController()
      let steps = 0
      const remove = async (names: string[]) => {
        if (++steps > rounds) stopping.abort()
        await files.remove(names)
      }
      await removeDeleted({ ...app.deps, files: { ...files, remove } }, stopping.signal)
      rounds++
    }
    expect(rounds).toBeGreaterThan(5)
    expect(await holding(app.db, EMAIL, app.owner.id)).toEqual([])
  })

  test('of one account that fails keeps no other from going, and is tried again', async () => {
    const app = await openInstallation()
    const { child } = await childWithCode(app)
    await app.remove()
    app.advance(1)
    const other = await app.signUp()
    expect((await app.remove(other.email ?? '', other)).status).toBe(200)
    app.advance(7 * DAY + 1)
    const putTo = () => Promise.reject(new Error('No mail can be written'))
    await removeDeleted({ ...app.deps, outbox: { ...app.deps.outbox, putTo } })
    const left = async () =>
      (await app.db.selectFrom('accounts').select('id').execute()).map(({ id }) => id)
    expect((await left()).sort()).toEqual([app.owner.id, child.id].sort())
    await removeDeleted(app.deps)
    expect(await left()).toEqual([child.id])
  })

  testOnSqlite('finds what is the account’s by indexes in tables that grow', async () => {
    const app = await openInstallation()
    await insertCode(app.db, app.owner.id)
    await app.remove()
    app.advance(7 * DAY + 1)
    const steps = (await plansOf(app.connection, () => removeDeleted(app.deps))).flat().join('\n')
    for (const index of [
      'conversations_of_account',
      'reports_by_account',
      'upgrade_requests_by_account',
      'audit_events_by_actor',
    ]) {
      expect(steps).toContain(index)
    }
    expect(steps).not.toMatch(/SCAN (conversations|reports|upgrade_requests|qr_codes|documents)/)
    // Each code is found at once, however many are left.
    expect(steps).not.toMatch(/qr_codes USING .*\nUSE TEMP B-TREE FOR ORDER BY/)
  })

  testOnSqlite('knows every table that refers to an account', async () => {
    const app = await openTestApp()
    for (const [table, { removed }] of Object.entries(TABLES)) {
      const keys = app.connection?.pragma(`foreign_key_list(${table})`) as {
        table: string
        on_delete: string
      }[]
      for (const { table: to, on_delete } of keys) {
        if (to !== 'accounts' || typeof removed !== 'string') continue
        expect([table, on_delete]).not.toEqual([table, 'NO ACTION'])
        if (on_delete === 'CASCADE')
          expect([table, removed]).toEqual([table, expect.stringMatching(/^goes/)])
      }
    }
  })
})

describe('at once', () => {
  const OFF = { RATE_LIMITS: 'off' }

  test('of twenty deletions of an account one begins', async () => {
    const app = await openInstallation({}, OFF)
    expect(await raceStatuses(() => app.remove())).toEqual({ 200: 1, 401: RACERS - 1 })
    expect((await app.takeBack()).status).toBe(303)
  })

  test('of twenty uses of the link one works', async () => {
    const app = await openInstallation({}, OFF)
    await app.remove()
    const path = app.wayBack()
    expect(await raceStatuses(() => app.takeBack(path))).toEqual({ 303: 1, 404: RACERS - 1 })
    expect((await app.login()).status).toBe(200)
  })

  test('no session outlives a deletion, in either order', async () => {
    const app = await openInstallation({}, OFF)
    const [begun] = await Promise.all([
      app.remove(),
      ...Array.from({ length: 6 }, () => app.login()),
    ])
    expect(begun.status).toBe(200)
    const sessions = await app.db
      .selectFrom('sessions')
      .select('id')
      .where('account_id', '=', app.owner.id)
      .execute()
    expect(sessions).toEqual([])
  })

  test('a claim, a scan and an export meet a deletion', async () => {
    const app = await openInstallation({}, OFF)
    const { qr_id } = await insertCode(app.db, app.owner.id, UNCLAIMED)
    const claim = { qr_id, owner_name: 'Neel', contact_phone: '9812345670' }
    const [begun, claimed, scanned, exported] = await Promise.all([
      app.remove(),
      app.ask('POST', '/api/qr/claim', { json: claim }),
      app.ask('GET', `/scan/${qr_id}`),
      app.ask('POST', '/api/account/export', { as: app.owner }),
    ])
    expect(begun.status).toBe(200)
    expect([200, 400, 404]).toContain(claimed.status)
    expect([200, 302, 303, 404]).toContain(scanned.status)
    expect([200, 401]).toContain(exported.status)
    expect(await app.scan(qr_id)).toMatch(NOT_FOUND)
    expect(await app.db.selectFrom('exports').select('id').execute()).toEqual([])
    await app.end()
    expect(await holding(app.db, qr_id, app.owner.id)).toEqual([])
  })
})
