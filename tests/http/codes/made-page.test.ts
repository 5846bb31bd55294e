import { describe, expect, test } from 'vitest'
import { addChannel } from '#db/alerts/channels.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import { WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { UNCLAIMED } from '#tests/support/families.ts'
import { race } from '#tests/support/races.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

type CodeFields = Parameters<typeof insertCode>[2]

const PHONE = {
  kind: 'push',
  name: 'Chrome on Android',
  address: 'https://push.example/1',
} as const

async function openMade(fields: CodeFields = {}) {
  const app = await openTestApp(WITH_MAIL)
  const owner = await app.signUp()
  const code = await insertCode(app.db, owner.id, fields)
  const { open, read } = browserOf(app, owner)
  const href = `/dashboard/qr/${code.qr_id}/made`
  const made = () => read(href)
  const scan = () => app.ask('GET', `/scan/${code.qr_id}`)
  const scanAsOwner = (query = '') => open(`/scan/${code.qr_id}${query}`)
  const scans = async () =>
    (await app.db.selectFrom('scans').selectAll().where('qr_id', '=', code.qr_id).execute()).length
  const connect = () => {
    const channel = { ...PHONE, target: { endpoint: PHONE.address } }
    return addChannel(app.db, app.deps.secretKey, owner.id, channel, app.deps.clock())
  }
  return { ...app, owner, code, open, read, href, made, scan, scanAsOwner, scans, connect }
}

const isDone = (html: string, title: string) =>
  new RegExp(`<li class="done"[^>]*><div><h2><span class="vh">Done: </span>${title}`).test(html)

describe('the page of a new code', () => {
  test('names the next steps, the first one as the current one', async () => {
    const { made, code } = await openMade({ vehicle_registration: 'MH12AB1234' })
    const html = await made()
    expect(html).toContain('Your code is ready')
    expect(html).toContain('Ramesh Kulkarni · Finders can call you')
    expect(html).toContain('MH 12 AB 1234')
    expect(html).toMatch(/<li aria-current="step"><div><h2>Print it/)
    expect(html).toContain('Waiting for the first scan')
    expect(html).toContain(`data-awaited="code=${code.qr_id}&amp;done=0"`)
    for (const label of ['Print label sheet', 'PNG', 'SVG', 'Copy Link', 'Upload Document']) {
      expect(html).toContain(label)
    }
  })

  test.each(['labels.pdf?ids=ID', 'ID/image?format=png', 'ID/image?format=svg'])(
    'is told of a print by %s',
    async (path) => {
      const { made, open, code } = await openMade()
      expect(isDone(await made(), 'Print it')).toBe(false)
      const { status } = await open(`/dashboard/qr/${path.replace('ID', code.qr_id)}`)
      expect(status).toBe(200)
      expect(isDone(await made(), 'Print it')).toBe(true)
    },
  )

  test('says that the code works once a stranger has scanned it', async () => {
    const { made, scan, advance, code } = await openMade()
    await scan()
    const html = await made()
    expect(html).toContain('It works. Scanned just now')
    expect(html).toContain(`data-awaited="code=${code.qr_id}&amp;done=1"`)
    expect(isDone(html, 'Try it')).toBe(true)
    advance(300)
    expect(await made()).toContain('It works. Scanned 5 min ago')
  })

  test('says so after a scan of the signed-in owner too, which is counted nowhere', async () => {
    const { made, scanAsOwner, scans } = await openMade()
    await scanAsOwner('?preview=1')
    expect(await made()).toContain('Waiting for the first scan')
    await race(() => scanAsOwner())
    expect(await made()).toContain('It works. Scanned just now')
    expect(await scans()).toBe(0)
  })

  test('leads to the card when all is done', async () => {
    const { open, href, scan, code, owner, connect, ask } = await openMade()
    await open(`/dashboard/qr/${code.qr_id}/image`)
    await scan()
    await connect()
    await ask('PUT', '/api/notifications/settings', {
      as: owner,
      json: { events: { scan: { push: true } } },
    })
    const { html } = await open(href)
    expect(html).not.toContain('offer-push')
    expect(html).toContain('offer-papers')
    const form = fileForm(PDF, { document_type: 'puc' })
    await ask('POST', `/api/documents/upload/${code.qr_id}`, { as: owner, body: form })
    const { status, to } = await open(href)
    expect([status, to]).toEqual([303, `/dashboard?tab=my-qrs&q=${code.qr_id}`])
  })

  test('begins anew for a replaced code', async () => {
    const { read, db, owner, code, deps, open, scanAsOwner } = await openMade()
    await open(`/dashboard/qr/${code.qr_id}/image`)
    await scanAsOwner()
    const viewer = { id: owner.id, parent_id: null }
    const { qr_id } = await replaceQrCode(db, viewer, code.qr_id, deps.clock())
    const html = await read(`/dashboard/qr/${qr_id}/made`)
    expect(isDone(html, 'Print it')).toBe(false)
    expect(html).toContain('Waiting for the first scan')
  })

  test.each([
    ['of another account', {}],
    ['that is unclaimed', UNCLAIMED],
    ['that a claimer holds', HELD],
  ])('is not found for a code %s', async (what, fields) => {
    const { open, href, signUp, ...app } = await openMade(fields)
    const viewer = what === 'of another account' ? browserOf(app, await signUp()) : { open }
    expect((await viewer.open(href)).status).toBe(404)
    expect((await open('/dashboard/qr/nonsense/made')).status).toBe(404)
  })
})

describe('the line about alerts', () => {
  const LINE = 'Alerts reach you by e-mail only'

  test('stands on both pages while finders can only write and nothing else is connected', async () => {
    const { made, read, connect } = await openMade({ contact_mode: 'relay' })
    const pages = async () => [await made(), await read('/dashboard')]
    for (const html of await pages()) expect(html).toContain(LINE)
    await connect()
    for (const html of await pages()) expect(html).not.toContain(LINE)
  })

  test('is not for codes whose number finders see', async () => {
    const { made, read } = await openMade()
    for (const html of [await made(), await read('/dashboard')]) expect(html).not.toContain(LINE)
  })

  test('says that nothing arrives where the address is not verified', async () => {
    const { made, db, owner } = await openMade({ contact_mode: 'relay' })
    await db
      .updateTable('accounts')
      .set({ email_verified_at: null })
      .where('id', '=', owner.id)
      .execute()
    expect(await made()).toContain('No alerts reach you yet')
  })
})
