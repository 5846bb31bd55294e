import { describe, expect, test } from 'vitest'
import { WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertInvitation, insertShare } from '#tests/support/people.ts'

const PAGE = '/settings/people'
const INVITED = { email: 'meera@example.in', role: 'viewer', scope: 'all' }
const SWIFT = {
  vehicle_make_model: 'Maruti Suzuki Swift',
  vehicle_registration: 'MH12QX4827',
  company_fleet_name: 'Sai Motors',
}

/** An owner with a car of a company, and a browser of it. */
async function openPage(
  options: Parameters<typeof openTestApp>[0] = {},
  plan: 'free' | 'premium' = 'premium',
) {
  const app = await openTestApp(options)
  const owner = await app.signUp({ subscription_plan: plan, name: 'Ramesh Kulkarni' })
  const code = await insertCode(app.db, owner.id, SWIFT)
  const ravi = await app.signUp({ name: 'Ravi Menon' })
  const help = (fields = {}) =>
    insertShare(app.db, { owner_id: owner.id, person_id: ravi.id }, fields)
  const shares = () => app.db.selectFrom('shares').selectAll().execute()
  return { ...app, owner, code, ravi, help, shares, ...browserOf(app, owner) }
}

function scopeOf(scope: object): string {
  return JSON.stringify(scope)
}

function escaped(text: string): string {
  return text.replaceAll('"', '&quot;')
}

describe('Settings → People', () => {
  test('names roles and codes in words, invitations, and the owners whom one helps', async () => {
    const { db, owner, code, help, read, signUp } = await openPage()
    await help({ role: 'member', code_id: code.id })
    const asha = await signUp({ name: 'Asha Patil' })
    await insertShare(
      db,
      { owner_id: owner.id, person_id: asha.id },
      { company_fleet_name: 'Sai Motors' },
    )
    await insertInvitation(db, owner.id, 'aarav@example.in', new Date())
    const html = await read(PAGE)
    expect(html).toContain('Ravi Menon')
    expect(html).toContain('Member · Maruti Suzuki Swift MH 12 QX 4827 · since 20 Nov 2026')
    expect(html).toContain('Manager · codes of Sai Motors · since 20 Nov 2026')
    expect(html).toContain('aarav@example.in')
    expect(html).toContain('Manager · all QR codes · the link works until')
    expect(html).toContain('>3 of 5<')
    expect(html).not.toContain('Whom you help')
  })

  test('lists the owner for the person, who leaves after a question', async () => {
    const app = await openPage()
    const { ravi, help, shares } = app
    const { id } = await help({ role: 'viewer' })
    const { read, submit } = browserOf(app, ravi)
    const html = await read(PAGE)
    expect(html).toContain('Whom you help')
    expect(html).toContain('Viewer · all QR codes · since 20 Nov 2026')
    expect(html).toContain('Nobody yet.')
    expect(await read(`${PAGE}?leave=${id}`)).toContain('Stop helping?')
    expect((await submit(`${PAGE}/${id}/remove`)).status).toBe(404)
    expect(await shares()).toHaveLength(1)
    expect((await submit(`${PAGE}/${id}/leave`)).to).toBe(`${PAGE}?done=left`)
    expect(await shares()).toHaveLength(0)
  })

  test('invites by mail, and says so', async () => {
    const { submit, read, mails } = await openPage(WITH_MAIL)
    const { to } = await submit(PAGE, INVITED)
    expect(to).toBe(`${PAGE}?done=invited`)
    expect(await read(to ?? '')).toContain('We sent the invitation')
    expect(mails.at(-1)).toMatchObject({ to: INVITED.email })
  })

  test('without mail shows the link once, and a new one ends it', async () => {
    const app = await openPage()
    const { code, submit, read, shares } = app
    const linkIn = (html: string) => /\/invite\/[\w-]{43}/.exec(html)?.[0] ?? ''
    const made = await submit(PAGE, { ...INVITED, scope: scopeOf({ qr_id: code.qr_id }) })
    expect(made.headers.get('Cache-Control')).toBe('no-store')
    const [{ id, code_id } = { id: '', code_id: '' }] = await shares()
    expect(code_id).toBe(code.id)
    expect(linkIn(await read(PAGE))).toBe('')
    const renewed = await submit(`${PAGE}/${id}/link`)
    const { open } = browserOf(app)
    expect((await open(linkIn(made.html))).status).toBe(404)
    expect((await open(linkIn(renewed.html))).status).toBe(200)
    expect((await submit(`${PAGE}/${id}/remove`)).to).toBe(`${PAGE}?done=removed`)
    expect(await shares()).toHaveLength(0)
  })

  test.each([
    ['no address', { email: 'nobody' }, 400, 'Please enter a valid email address'],
    ['the own address', { email: 'ramesh@example.in' }, 400, 'You cannot invite yourself'],
    [
      'a company without codes',
      { scope: scopeOf({ company_fleet_name: 'Other' }) },
      404,
      'No code has this company',
    ],
  ])('keeps the typed form for %s', async (_, fields, status, reason) => {
    const { db, owner, submit, shares } = await openPage()
    const email = 'ramesh@example.in'
    await db.updateTable('accounts').set({ email }).where('id', '=', owner.id).execute()
    const wish = { ...INVITED, ...fields }
    const refused = await submit(PAGE, wish)
    expect(refused.status).toBe(status)
    expect(refused.html).toMatch(new RegExp(`role="alert"[\\s\\S]*${reason}`))
    expect(refused.html).toContain(`value="${wish.email}"`)
    expect(refused.html).toMatch(/checked="" value="viewer"|value="viewer" checked=""/)
    expect(refused.html).toContain(`value="${escaped(wish.scope)}" selected=""`)
    expect(await shares()).toHaveLength(0)
  })

  test('says the limit of the plan, and offers no more invitations than it allows', async () => {
    const { help, read, submit } = await openPage({}, 'free')
    expect(await read(PAGE)).toContain('Invite a person')
    await help()
    const html = await read(PAGE)
    expect(html).toContain('People limit reached (1/1)')
    expect(html).toContain('href="/dashboard?upgrade=1"')
    expect(html).not.toContain('Invite a person')
    const refused = await submit(PAGE, INVITED)
    expect(refused.status).toBe(402)
    expect(refused.html).toContain(`value="${INVITED.email}"`)
  })

  test('without plans has no limit', async () => {
    const { help, read } = await openPage({ env: { PLANS: 'off' } }, 'free')
    await help()
    const html = await read(PAGE)
    expect(html).toContain('Invite a person')
    expect(html).not.toMatch(/1 of|limit|Upgrade/)
  })

  test('says which people sleep', async () => {
    const { db, owner, help, read, signUp } = await openPage({}, 'free')
    await help()
    const late = { created_at: '2026-11-21T10:00:00.000Z' }
    await insertShare(db, { owner_id: owner.id, person_id: (await signUp()).id }, late)
    const asleep = (await read(PAGE)).match(/asleep until your plan allows more people/g)
    expect(asleep).toHaveLength(1)
  })

  test('changes and removes a person, after a question that names the consequence', async () => {
    const { help, read, submit, shares } = await openPage()
    const { id } = await help()
    expect(await read(`${PAGE}?change=${id}`)).toContain('Change Ravi Menon')
    const scope = scopeOf({ company_fleet_name: 'Sai Motors' })
    const changed = await submit(`${PAGE}/${id}`, { role: 'viewer', scope })
    expect(changed.to).toBe(`${PAGE}?done=saved`)
    expect(await shares()).toMatchObject([{ role: 'viewer', company_fleet_name: 'Sai Motors' }])
    const refused = await submit(`${PAGE}/${id}`, { role: 'owner', scope })
    expect([refused.status, refused.html.includes('Change Ravi Menon')]).toEqual([400, true])
    const question = await read(`${PAGE}?remove=${id}`)
    expect(question).toContain('no longer sees your codes and messages')
    expect((await submit(`${PAGE}/${id}/remove`)).to).toBe(`${PAGE}?done=removed`)
    const gone = await submit(`${PAGE}/${id}`, { role: 'member', scope: 'all' })
    expect([gone.status, gone.html.includes('Person not found')]).toEqual([404, true])
  })

  test('shows what people did, with the code', async () => {
    const app = await openPage()
    const { code, ravi, help, ask, read } = app
    await help()
    const path = `/api/qr/${code.qr_id}`
    await ask('PUT', path, { as: ravi, json: { ...SWIFT, owner_name: 'Ramesh' } })
    const html = await read(PAGE)
    expect(html).toContain('What they did for you')
    expect(html).toMatch(/<b>QR code changed<\/b>[\s\S]*?Ravi Menon · \w{4}-\w{4}-\w{4} · /)
  })

  test('opens the form with the code of a card, and shares no code of others', async () => {
    const app = await openPage()
    const { code, ravi, help, read, shares } = app
    const chosen = escaped(scopeOf({ qr_id: code.qr_id }))
    expect(await read(`${PAGE}?invite=${code.qr_id}`)).toContain(`value="${chosen}" selected=""`)
    const link = `href="${PAGE}?invite=${code.qr_id}"`
    expect(await read('/dashboard?tab=my-qrs')).toContain(link)
    await help()
    const { read: readAsRavi, submit } = browserOf(app, ravi)
    const theirs = await readAsRavi('/dashboard?tab=my-qrs')
    expect([theirs.includes(code.qr_id), theirs.includes(link)]).toEqual([true, false])
    const refused = await submit(PAGE, { ...INVITED, scope: scopeOf({ qr_id: code.qr_id }) })
    expect(refused.status).toBe(404)
    expect(refused.html).toContain('QR code not found')
    expect(await shares()).toHaveLength(1)
  })

  test.each(['{"qr_id":5}', '{"qr_id":"\\u0000"}', '[]', 'null', '{', ''])(
    'refuses the scope %j in the form',
    async (scope) => {
      const { submit } = await openPage()
      const { status, html } = await submit(PAGE, { ...INVITED, scope })
      expect([400, 404]).toContain(status)
      expect(html).toContain(`value="${INVITED.email}"`)
    },
  )
})
