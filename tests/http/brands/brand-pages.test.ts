import { expect, test } from 'vitest'
import { getAccount, insertAccount } from '#db/accounts/accounts.ts'
import { setPermission } from '#db/accounts/permission-types.ts'
import { sweepFiles } from '#server/after-start.ts'
import { BRAND, openBrand } from '#tests/support/brands.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { CHILD, registeredChild, UNCLAIMED } from '#tests/support/families.ts'
import { blackPng, filesIn, picture } from '#tests/support/uploads.ts'

const STYLE = '.branded{--g:#0f4c96;--t:#ffffff}'

async function openBranded(options: Parameters<typeof openBrand>[0] = { plan: 'premium' }) {
  const app = await openBrand(options)
  await app.upload()
  await app.save()
  const branded = (html: string) =>
    html.includes(STYLE) && html.includes(BRAND.footer) && html.includes('data:image/webp;base64,')
  return { ...app, branded }
}

test('every page of a code has the brand of its account', async () => {
  const { db, owner, qr_id, look, branded, call: _, ...app } = await openBranded()
  const codeOf = async (fields: object) => (await insertCode(db, owner.id, fields)).qr_id
  const unclaimed = await codeOf(UNCLAIMED)
  const child = await codeOf(CHILD)
  const off = await codeOf({ is_active: 0 })
  const lost = await codeOf({ lost_since: '2026-11-18T08:00:00.000Z' })
  const pages: [string, number][] = [
    [`/scan/${qr_id}`, 200],
    [`/scan/${qr_id}?lang=`, 200],
    [`/scan/${qr_id}?lang=ur`, 200],
    [`/scan/${lost}`, 200],
    [`/scan/${off}`, 404],
    [`/scan/${child}`, 200],
    [`/scan/${qr_id}/message`, 200],
    [`/scan/${qr_id}/report`, 200],
    [`/scan/${qr_id}/report?sent=1`, 200],
    [`/claim?qr=${unclaimed}`, 200],
    [`/claim?qr=${qr_id}`, 409],
    [`/child-register?qr=${child}`, 200],
    [`/police/${qr_id}`, 200],
    [`/police/${off}`, 404],
  ]
  for (const [path, status] of pages) {
    const page = await look(path)
    expect([path, page.status, branded(page.html)]).toEqual([path, status, true])
    expect(page.html).toContain('· NeelRath Cabs</title>')
    expect(page.headers.get('Content-Security-Policy')).toMatch(/style-src (?:'self' )?'sha256-/)
  }
  expect(app.logged.join('')).not.toContain('"level":50')
})

test('the popup, the conversation and its end have it too', async () => {
  const { ask, owner, qr_id, look, branded, deps, db } = await openBranded()
  const { makePageToken } = await import('#actions/conversations/page-token.ts')
  const { fileForm } = await import('#tests/support/uploads.ts')
  const at = new Date(deps.clock().getTime() - 5_000)
  const json = { page_token: makePageToken(deps.secretKey, qr_id, at), reason: 'found', text: 'Hi' }
  const begun = await ask('POST', `/api/scan/${qr_id}/messages`, { json })
  const { pathname } = new URL((await begun.json()).conversation_url)
  for (const path of [pathname, `${pathname}?stop=1`]) {
    expect([path, branded((await look(path)).html)]).toEqual([path, true])
  }
  await ask('POST', `${pathname}/stop`, { headers: { Origin: 'https://driveqr.example' } })
  const ended = await look(pathname)
  expect([ended.status, branded(ended.html)]).toEqual([404, true])
  await ask('POST', '/api/popup-images/upload', { as: owner, body: fileForm(await picture()) })
  const popup = await look(`/scan/${qr_id}`)
  expect(popup.html).toContain('<dialog open')
  expect(branded(popup.html)).toBe(true)
  expect(await db.selectFrom('conversations').selectAll().execute()).toHaveLength(1)
})

test('codes of others, and those that were claimed away, do not have it', async () => {
  const { db, owner, look, branded, signUp } = await openBranded()
  const other = await signUp()
  const held = (await insertCode(db, owner.id, { ...HELD })).qr_id
  const away = (await insertCode(db, other.id, { created_by: owner.id })).qr_id
  for (const path of [
    `/scan/${held}`,
    `/scan/${away}`,
    '/scan/KK7QXD4H8NPT',
    '/police/KK7QXD4H8NPT',
  ]) {
    const { html } = await look(path)
    expect([path, branded(html), html.includes('DriveQR</title>')]).toEqual([path, false, true])
  }
})

test('a code that was claimed away has the brand of its owner', async () => {
  const { db, owner, look, signUp, call } = await openBranded()
  const other = await signUp({ subscription_plan: 'premium' })
  await call('PUT', '', { as: other, json: { brand_name: 'Deccan Keys', colour: '#101010' } })
  const away = (await insertCode(db, other.id, { created_by: owner.id })).qr_id
  const { html } = await look(`/scan/${away}`)
  expect(html).toContain('Deccan Keys')
  expect(html).not.toContain('NeelRath')
})

test('a claim shows in its preview what the page will be: the claimer’s, not the issuer’s', async () => {
  const app = await openBrand()
  await app.save()
  const { qr_id } = await insertCode(app.db, app.owner.id, UNCLAIMED)
  const headOfPreview = async (headers = {}) => {
    const { html } = await app.look(`/claim?qr=${qr_id}`, headers)
    return /<div class="peek">(.*?)<span class="peek-find">/.exec(html)?.[1]
  }
  expect(await headOfPreview()).toContain('<span>DriveQR</span>')
  const claimer = await app.signUp({ subscription_plan: 'premium' })
  const json = { brand_name: 'Deccan Keys', colour: '#101010' }
  await app.call('PUT', '', { as: claimer, json })
  const Cookie = claimer.cookie.replace('driveqr=', '__Host-driveqr=')
  expect(await headOfPreview({ Cookie })).toContain('<span>Deccan Keys</span>')
  await app.save({ hide_product_name: true })
  expect(await headOfPreview()).toBe('')
  expect(await headOfPreview({ Cookie })).toContain('<span>Deccan Keys</span>')
})

test('codes of children have the brand of their parent', async () => {
  const app = await openBranded()
  const child = await registeredChild(app, app.owner.id)
  const own = await insertCode(app.db, child.child_account_id ?? '')
  for (const id of [child.qr_id, own.qr_id]) {
    expect(app.branded((await app.look(`/scan/${id}`)).html)).toBe(true)
  }
})

test('a blocked account’s brand is not shown', async () => {
  const { db, owner, qr_id, look, branded } = await openBranded()
  await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', owner.id).execute()
  expect(branded((await look(`/scan/${qr_id}`)).html)).toBe(false)
})

test('a brand that a temporary permission gave ends with it, before anybody notices', async () => {
  const { db, owner, qr_id, look, branded, setPlan, advance, deps } = await openBranded()
  await setPlan('free')
  const admin = await insertAccount(
    db,
    { name: 'Root', email: 'root@example.in', role: 'super_admin', password_hash: null },
    deps.clock(),
  )
  const until = new Date(deps.clock().getTime() + 3_600_000)
  const permission = { actorId: admin.id, accountId: owner.id, type: 'premium', until } as const
  await setPermission(db, permission, deps.clock())
  expect(branded((await look(`/scan/${qr_id}`)).html)).toBe(true)
  advance(3_599)
  expect(branded((await look(`/scan/${qr_id}`)).html)).toBe(true)
  advance(1)
  for (const path of [`/scan/${qr_id}`, `/police/${qr_id}`, `/scan/${qr_id}/message`]) {
    expect([path, branded((await look(path)).html)]).toEqual([path, false])
  }
  expect(await getAccount(db, owner.id)).toMatchObject({ subscription_plan: 'premium' })
})

test('a page names its own brand, also to a visitor whose own pages have another', async () => {
  const app = await openBrand()
  await app.save({ hide_product_name: true })
  const child = await registeredChild(app, app.owner.id)
  const account = await getAccount(app.db, child.child_account_id ?? '')
  const { cookieToken } = await app.deps.sessions.start(account)
  const other = await app.signUp({ subscription_plan: 'premium' })
  const { qr_id } = await insertCode(app.db, other.id)
  const see = () => app.look(`/scan/${qr_id}`, { Cookie: `__Host-driveqr=${cookieToken}` })
  const plain = await see()
  expect(plain.html).toContain('scanned%20the%20DriveQR%20code')
  await app.call('PUT', '', { as: other, json: { brand_name: 'Deccan Keys', colour: '#101010' } })
  const branded = await see()
  expect(branded.html).toContain('scanned%20the%20Deccan%20Keys%20code')
  expect(branded.html).not.toContain('NeelRath')
})

test('a name with the signs of replacements stands in every text as it was typed', async () => {
  const { save, look, qr_id } = await openBrand()
  await save({ brand_name: "Cash $$ & $& $' Carry", hide_product_name: true })
  const { html } = await look(`/scan/${qr_id}`)
  expect(html).toContain(
    encodeURIComponent("the Cash $$ & $& $' Carry code").replace("'", '&#x27;'),
  )
  expect(html).not.toContain('DriveQR')
})

test('names and footers are shown as they were typed, and are no markup', async () => {
  const { save, look, qr_id } = await openBrand({ plan: 'premium' })
  await save({ brand_name: '<img src=x onerror=alert(1)>', footer: '"&\' <b>चाबी</b>' })
  for (const path of [`/scan/${qr_id}`, `/police/${qr_id}`, `/scan/${qr_id}/message`]) {
    const { html } = await look(path)
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(html).toContain('&lt;b&gt;चाबी&lt;/b&gt;')
    expect(html).not.toContain('<img src=x')
  }
})

test('a change is shown by the next page', async () => {
  const { save, look, qr_id } = await openBranded()
  await look(`/scan/${qr_id}`)
  await save({ colour: '#ffee00', brand_name: 'Neel Two' })
  const { html } = await look(`/scan/${qr_id}`)
  expect(html).toContain('.branded{--g:#ffee00;--t:#000000}')
  expect(html).toContain('Neel Two')
})

test('the logo’s file stays when stray files are swept', async () => {
  const app = await openBranded()
  const before = filesIn(app)
  app.advance(3 * 3600)
  await sweepFiles(app.deps, app.deps.clock())
  expect(filesIn(app)).toEqual(before)
})

test('without a logo and a name the product keeps its place', async () => {
  const { call, look, qr_id } = await openBrand({ plan: 'premium' })
  await call('PUT', '', { json: { colour: '#5a5a5a' } })
  const { html } = await look(`/scan/${qr_id}`)
  expect(html).toContain('class="mark"')
  expect(html).toContain('DriveQR</span>')
})

test('the widest logo is drawn small enough too', async () => {
  const { upload } = await openBrand({ plan: 'premium' })
  expect((await upload(blackPng(4000, 10))).status).toBe(200)
})
