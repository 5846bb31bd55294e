import { describe, expect, test } from 'vitest'
import { deleteQrCode } from '#db/codes/qr-changes.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import { decideReport } from '#db/conversations/report-decisions.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { FRAUD, insertImage, openReports } from '#tests/support/reports.ts'
import { storeFile } from '#tests/support/storage.ts'
import { picture } from '#tests/support/uploads.ts'

async function open() {
  const app = await openReports()
  const page = (path: string, as = app.moderator) => app.browse('GET', path, undefined, as)
  const html = async (path: string, as = app.moderator) => (await page(path, as)).html
  const form = (path: string, action: string, as = app.moderator) =>
    app.browse('POST', path, new URLSearchParams({ action }), as)
  const call = async (method: string, path: string, json?: object, as = app.moderator) => {
    const answer = await app.ask(method, `/api/reports${path}`, { as, ...(json && { json }) })
    return { status: answer.status, body: await answer.json() }
  }
  return { ...app, page, html, form, call }
}

describe('the calls', () => {
  test('list a page of the reports with their snapshots, and decide one', async () => {
    const { call, reportPage, reportTalk, qr_id, image } = await open()
    const id = await reportPage()
    await reportTalk()
    const { status, body } = await call('GET', '?status=open&limit=1&page=2')
    expect([status, body.total_count, body.reports.length]).toEqual([200, 2, 1])
    const { reports } = (await call('GET', '')).body
    const [page] = reports.filter((each: { id: string }) => each.id === id)
    expect(page).toMatchObject({
      kind: 'page',
      ...FRAUD,
      qr_id,
      status: 'open',
      action: null,
      decided_by: null,
      snapshot: {
        fields: { public_message: 'Pay first.' },
        images: [{ id: image.id, url: `/api/files/${image.stored_name}` }],
      },
    })
    const decided = await call('PUT', `/${id}`, { action: 'hide_popup_image' })
    expect(decided.status).toBe(200)
    expect(decided.body).toMatchObject({
      id,
      status: 'decided',
      action: 'hide_popup_image',
      decided_by: 'Kavita Joshi',
    })
    expect((await call('GET', '?status=open')).body.total_count).toBe(1)
  })

  test('are refused by their words', async () => {
    const { call, reportPage, owner } = await open()
    const id = await reportPage()
    expect(await call('GET', '', undefined, owner)).toEqual({
      status: 403,
      body: { detail: 'Moderator access required' },
    })
    expect(await call('PUT', `/${id}`, { action: 'block_account' })).toEqual({
      status: 403,
      body: { detail: 'Admin access required' },
    })
    expect(await call('PUT', `/${id}`, { action: 'burn' })).toEqual({
      status: 400,
      body: {
        detail:
          'action must be one of dismiss, block_sender, hide_popup_image, deactivate_code, block_account, hold_code, answer',
      },
    })
    expect(await call('PUT', '/none', { action: 'dismiss' })).toEqual({
      status: 404,
      body: { detail: 'Report not found' },
    })
    await call('PUT', `/${id}`, { action: 'dismiss' })
    expect(await call('PUT', `/${id}`, { action: 'dismiss' })).toEqual({
      status: 409,
      body: { detail: 'This report has already been decided' },
    })
    expect((await call('GET', '?status=new')).body).toEqual({
      detail: 'status must be open or decided',
    })
  })
})

describe('a reported code', () => {
  /** Hands the code over by the rows that a transfer changes. */
  async function open2() {
    const app = await open()
    const second = await app.signUp({ name: 'Second Account' })
    const hand = () =>
      app.db
        .updateTable('qr_codes')
        .set({ owner_id: second.id, created_by: second.id })
        .where('qr_id', '=', app.qr_id)
        .execute()
    const isActive = async () => {
      const code = app.db.selectFrom('qr_codes').select('is_active').where('qr_id', '=', app.qr_id)
      return (await code.executeTakeFirstOrThrow()).is_active === 1
    }
    return { ...app, second, hand, isActive }
  }

  test('escapes its report by no transfer to a second account', async () => {
    const { call, reportPage, hand, isActive, admin, owner, second, db } = await open2()
    const [code, account, seconds] = [await reportPage(), await reportPage(), await reportPage()]
    await hand()
    expect(await call('PUT', `/${code}`, { action: 'deactivate_code' })).toMatchObject({
      status: 200,
    })
    expect(await isActive()).toBe(false)
    expect(await call('PUT', `/${account}`, { action: 'block_account' }, admin)).toMatchObject({
      status: 200,
    })
    const blocked = db.selectFrom('accounts').select('id').where('is_active', '=', 0)
    expect(await blocked.execute()).toEqual([{ id: owner.id }])
    await db
      .updateTable('accounts')
      .set({ role: 'moderator' })
      .where('id', '=', second.id)
      .execute()
    expect(await call('PUT', `/${seconds}`, { action: 'dismiss' }, second)).toMatchObject({
      status: 403,
    })
  })

  test('escapes no block of its account by its deletion', async () => {
    const { call, reportPage, admin, owner, db, qr_id, deps } = await open2()
    const id = await reportPage()
    await deleteQrCode(db, owner, qr_id, deps.clock())
    expect(await call('PUT', `/${id}`, { action: 'block_account' }, admin)).toMatchObject({
      status: 200,
    })
    const blocked = db.selectFrom('accounts').select('id').where('is_active', '=', 0)
    expect(await blocked.execute()).toEqual([{ id: owner.id }])
  })

  test('blocks no issuer for the page of a claimer without an account, also after the code was taken, given back or deleted', async () => {
    const { call, reportPage, admin, second, db, qr_id, owner, deps } = await open2()
    const set = (change: { owner_id?: string; claimed_at?: string | null }) =>
      db.updateTable('qr_codes').set(change).where('qr_id', '=', qr_id).execute()
    await set({ claimed_at: deps.clock().toISOString() })
    const id = await reportPage()
    const block = () => call('PUT', `/${id}`, { action: 'block_account' }, admin)
    const refused = {
      status: 409,
      body: { detail: 'This QR code was claimed by somebody without an account' },
    }
    expect(await block()).toEqual(refused)
    await set({ owner_id: second.id, claimed_at: null })
    expect(await block()).toEqual(refused)
    await set({ owner_id: owner.id })
    expect(await block()).toEqual(refused)
    await deleteQrCode(db, owner, qr_id, deps.clock())
    expect(await block()).toEqual(refused)
    const blocked = db.selectFrom('accounts').select('id').where('is_active', '=', 0)
    expect(await blocked.execute()).toEqual([])
  })

  test('is held for seven days: it is neither transferred nor replaced', async () => {
    const { call, reportPage, ask, owner, qr_id, advance, db, deps } = await open2()
    const id = await reportPage()
    expect(await call('PUT', `/${id}`, { action: 'hold_code' })).toMatchObject({
      status: 200,
      body: { status: 'open', action: null },
    })
    const HELD = { detail: 'This QR code is being looked at' }
    const transfer = () =>
      ask('POST', `/api/qr/${qr_id}/transfer`, { as: owner, json: { email: 'b@example.in' } })
    const replace = () => ask('POST', `/api/qr/${qr_id}/replace`, { as: owner, json: {} })
    for (const act of [transfer, replace]) {
      const answer = await act()
      expect([answer.status, await answer.json()]).toEqual([409, HELD])
    }
    const acts = db.selectFrom('audit_events').select('action')
    expect(await acts.execute()).toContainEqual({ action: 'report.held' })
    advance(7 * 86_400)
    expect((await replaceQrCode(db, owner, qr_id, deps.clock())).qr_id).not.toBe(qr_id)
  })
})

describe('the image of a reported page', () => {
  test('is shown to moderators when it is hidden, and no other hidden image is', async () => {
    const app = await open()
    const { reportPage, image, db, owner, moderator, admin, dataDir, call } = app
    const id = await reportPage()
    const other = await insertImage(app, owner)
    const bytes = await picture()
    for (const { stored_name } of [image, other]) {
      await storeFile(dataDir, stored_name, bytes)
    }
    await call('PUT', `/${id}`, { action: 'hide_popup_image' })
    await db.updateTable('popup_images').set({ is_active: 0 }).execute()
    const stranger = await app.signUp()
    const look = async (name: string, as: typeof owner) =>
      (await app.ask('GET', `/api/files/${name}`, { as })).status
    expect(await look(image.stored_name, moderator)).toBe(200)
    expect(await look(image.stored_name, admin)).toBe(200)
    expect(await look(image.stored_name, owner)).toBe(200)
    expect(await look(image.stored_name, stranger)).toBe(404)
    expect(await look(other.stored_name, moderator)).toBe(404)
    expect((await app.ask('GET', `/api/files/${image.stored_name}`)).status).toBe(404)
  })
})

describe.each([
  ['a moderator', '/dashboard', 'moderator'],
  ['an admin', '/admin-dashboard', 'admin'],
] as const)('the tab of %s', (_who, on, role) => {
  test('shows each open report with its snapshot of the page', async () => {
    const { html, reportPage, reportTalk, image, db, ...app } = await open()
    await db.updateTable('qr_codes').set({ vehicle_registration: 'KA05MN7310' }).execute()
    const page = await reportPage()
    const talk = await reportTalk('<b>I wait</b>\u202e for you')
    await db.updateTable('qr_codes').set({ vehicle_registration: 'MH12QX4827' }).execute()
    const text = await html(`${on}?tab=reports`, app[role])
    expect(text.match(/class="plate"[^>]*><span>KA 05 MN 7310</g)).toHaveLength(2)
    expect(text).not.toContain('MH 12 QX 4827')
    expect(text).toContain(`id="report-${page}"`)
    expect(text).toContain(`id="report-${talk}"`)
    expect(text).toContain('“Pay first.”')
    expect(text).toContain(`src="/api/files/${image.stored_name}"`)
    expect(text).toContain('&lt;b&gt;I wait&lt;/b&gt;')
    expect(text).toContain('A conversation, reported by the owner')
    expect(text).toContain('2<span class="vh"> open</span>')
    expect(text.includes('Block account')).toBe(role === 'admin')
  })

  test('decides by forms, and shows the moderator and the time', async () => {
    const { html, form, reportPage, db, ...app } = await open()
    const id = await reportPage()
    const { status, to } = await form(`${on}/reports/${id}`, 'hide_popup_image', app[role])
    const at = `kept=${id}&done=hide_popup_image&at=report-${id}`
    expect([status, to]).toEqual([303, `${on}?tab=reports&${at}`])
    expect(await html(to ?? '', app[role])).toContain('Popup image hidden')
    const decided = await html(`${on}?tab=reports&status=decided`, app[role])
    expect(decided).toContain(`Popup image hidden by ${app[role].name}, `)
    expect(decided).not.toContain('Dismiss<')
    const again = await form(`${on}/reports/${id}`, 'dismiss', app[role])
    expect(again.status).toBe(409)
    expect(again.html).toContain('This report has already been decided')
  })

  test('asks before a code is switched off, and names the effects', async () => {
    const { html, page, form, reportPage, ...app } = await open()
    const id = await reportPage()
    const ask = `${on}?tab=reports&deactivate-code=${id}`
    expect(await html(ask, app[role])).toContain('Finders see that there is no such code')
    await form(`${on}/reports/${id}`, 'deactivate_code', app[role])
    expect((await page(ask, app[role])).status).toBe(409)
    expect((await page(`${on}?tab=reports&deactivate-code=none`, app[role])).status).toBe(404)
  })

  test('has pages, an empty state and the place after a decision', async () => {
    const { html, form, reportPage, ...app } = await open()
    expect(await html(`${on}?tab=reports`, app[role])).toContain('No open reports')
    expect(await html(`${on}?tab=reports&status=decided`, app[role])).toContain(
      'No decided reports',
    )
    const ids: string[] = []
    for (let n = 0; n < 13; n++) ids.push(await reportPage())
    const text = await html(`${on}?tab=reports&page=2`, app[role])
    expect(text).toContain('Page 2 of 2')
    expect(text).toContain('data-dialog="dismiss"')
    const dialog = await html(`${on}?tab=reports&page=2&dismiss=${ids[0]}`, app[role])
    expect(dialog).toContain(`action="${on}/reports/${ids[0]}?page=2"`)
    expect(dialog).toContain('It asks to pay first.')
    const { to } = await form(`${on}/reports/${ids[0]}?page=2`, 'dismiss', app[role])
    const kept = `kept=${ids[0]}&done=dismiss&at=report-${ids[0]}`
    expect(to).toBe(`${on}?tab=reports&page=2&${kept}`)
  })
})

describe('the Reports tab', () => {
  test('is not on the dashboard of a client or an admin', async () => {
    const { html, owner, admin, moderator, form, reportPage } = await open()
    for (const as of [owner, admin]) {
      const text = await html('/dashboard?tab=reports', as)
      expect(text).toContain('tabindex="-1">My QR Codes</h1>')
      expect(text).not.toContain('>Reports<')
    }
    expect(await html('/dashboard', moderator)).toContain('Reports')
    const refused = await form(`/dashboard/reports/${await reportPage()}`, 'dismiss', owner)
    expect([refused.status, refused.to]).toEqual([303, '/dashboard'])
  })

  test('lets nobody decide about their own page', async () => {
    const { html, form, db, owner, reportPage } = await open()
    await db.updateTable('accounts').set({ role: 'moderator' }).where('id', '=', owner.id).execute()
    const id = await reportPage()
    const text = await html('/dashboard?tab=reports', owner)
    const OWN = 'Another moderator must decide a report about your own page'
    expect(text).toContain(OWN)
    expect(text).not.toContain('data-dialog="dismiss"')
    const { status, html: answer } = await form(`/dashboard/reports/${id}`, 'dismiss', owner)
    expect([status, answer.includes(OWN)]).toEqual([403, true])
  })

  test('leaves a report about the page of an admin to admins', async () => {
    const { html, form, db, owner, moderator, admin, reportPage } = await open()
    await db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', owner.id).execute()
    const id = await reportPage()
    const ADMINS = 'An admin must decide a report about the page of an admin'
    const text = await html('/dashboard?tab=reports', moderator)
    expect(text).toContain(ADMINS)
    expect(text).not.toContain('data-dialog="dismiss"')
    const { status, html: answer } = await form(`/dashboard/reports/${id}`, 'dismiss', moderator)
    expect([status, answer.includes(ADMINS)]).toEqual([403, true])
    expect(await html('/admin-dashboard?tab=reports', admin)).toContain('data-dialog="dismiss"')
  })

  test('names the account that an admin is going to block', async () => {
    const { html, admin, owner, reportPage, form, db } = await open()
    const id = await reportPage()
    const ask = `/admin-dashboard?tab=reports&block-account=${id}`
    const text = await html(ask, admin)
    // Not all of its codes show a number.
    const consequence = 'finders can call where they see a number, but not write'
    for (const words of ['Block this account?', owner.name, owner.email ?? '', consequence]) {
      expect(text).toContain(words)
    }
    const { status } = await form(`/admin-dashboard/reports/${id}`, 'block_account', admin)
    expect(status).toBe(303)
    const account = db.selectFrom('accounts').select('is_active').where('id', '=', owner.id)
    expect(await account.executeTakeFirst()).toEqual({ is_active: 0 })
    expect(await html('/admin-dashboard?tab=reports&status=decided', admin)).toContain(
      'Account blocked by Nandini Rao',
    )
  })

  test('tells admins alone whose code it was that is deleted by now', async () => {
    const { html, admin, moderator, owner, qr_id, reportPage, db, deps } = await open()
    await reportPage()
    await deleteQrCode(db, owner, qr_id, deps.clock())
    const said = `The QR code was deleted since. Its account: Ravi Menon, ${owner.email}.`
    expect(await html('/admin-dashboard?tab=reports', admin)).toContain(said)
    const shown = await html('/dashboard?tab=reports', moderator)
    expect(shown).toContain('The QR code was deleted since.')
    expect(shown).not.toContain(owner.email ?? 'none')
    expect(shown).not.toContain('Deactivate code')
  })

  test('tells Recent Activity what was decided', async () => {
    const { html, db, deps, moderator, qr_id, reportPage, ...app } = await open()
    const id = await reportPage()
    const actor = { actor_id: moderator.id, actor: moderator.name }
    await decideReport(db, actor, id, 'deactivate_code', deps.clock())
    const root = await app.signUp({ role: 'super_admin' })
    const text = await html('/admin', root)
    expect(text).toContain('Report decided')
    expect(text).toContain(
      `${formatQrId(qr_id)} · decision: none → deactivate code · status: Active → Inactive · by Kavita Joshi`,
    )
  })
})
