import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { makePageToken } from '#routes/_http/conversations/page-token.ts'
import { openBrand, PUBLIC_URL } from '#tests/support/brands.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, registeredChild, UNCLAIMED } from '#tests/support/families.ts'

/** The name, and what only the mark is drawn with. */
const TRACE =
  /driveqr(?!\.example|=|-domain)|M4\.2 15a11\.8|icon\.svg|icon-\d+|manifest\.webmanifest/i
/** Scripts and what names them, the cookie and the address of the service apart. */
const APART =
  /<script[^>]*>.*?<\/script>|<link[^>]* rel="(?:prefetch|modulepreload)"[^>]*>|<drive-island name|<\/drive-island>|https:\/\/driveqr\.example|driveqr\.example/gs

function traceIn(text: string): string | undefined {
  const at = TRACE.exec(text.replaceAll(APART, ''))
  if (!at) return undefined
  return text.replaceAll(APART, '').slice(Math.max(0, at.index - 60), at.index + 60)
}

const SMTP = { SMTP_URL: 'smtp://127.0.0.1:25', PUBLIC_URL }

async function openAlone() {
  const app = await openBrand({ env: SMTP })
  await app.upload()
  await app.save({ hide_product_name: true })
  return app
}

test('the search finds the product where it is not hidden', async () => {
  const { look, qr_id } = await openBrand()
  expect(traceIn((await look(`/scan/${qr_id}`)).html)).toContain('DriveQR')
  expect(traceIn('<link rel="manifest" href="/manifest.webmanifest">')).toBeDefined()
})

test('no page of a code has the product’s name, mark or a link to it', async () => {
  const { db, owner, qr_id, look, ask, deps } = await openAlone()
  const codeOf = async (fields: object) => (await insertCode(db, owner.id, fields)).qr_id
  const unclaimed = await codeOf(UNCLAIMED)
  const child = await codeOf(CHILD)
  const off = await codeOf({ is_active: 0 })
  await db
    .insertInto('admin_messages')
    .values({
      id: 'm',
      title: 'T',
      content: 'C',
      is_active: 1,
      created_at: deps.clock().toISOString(),
    })
    .execute()
  const at = new Date(deps.clock().getTime() - 5_000)
  const json = { page_token: makePageToken(deps.secretKey, qr_id, at), reason: 'found', text: 'Hi' }
  const begun = await ask('POST', `/api/scan/${qr_id}/messages`, { json })
  const { pathname } = new URL((await begun.json()).conversation_url)
  const paths = [
    `/scan/${qr_id}`,
    `/scan/${qr_id}?lang=`,
    `/scan/${qr_id}?lang=hi`,
    `/scan/${qr_id}?seen=1`,
    `/scan/${off}`,
    `/scan/${child}`,
    `/scan/${qr_id}/message`,
    `/scan/${qr_id}/report`,
    `/scan/${qr_id}/report?sent=1`,
    pathname,
    `${pathname}?stop=1`,
    `/claim?qr=${unclaimed}`,
    `/claim?qr=${qr_id}`,
    `/child-register?qr=${child}`,
    `/child-register?qr=${child}&forgot=1`,
    `/police/${qr_id}`,
    `/police/${off}`,
  ]
  for (const path of paths) {
    for (const lang of ['en', 'ta']) {
      const { html, headers } = await look(path, { 'Accept-Language': lang })
      expect([path, traceIn(html)]).toEqual([path, undefined])
      expect([path, traceIn(JSON.stringify([...headers]))]).toEqual([path, undefined])
      expect([path, /href="\/"/.test(html)]).toEqual([path, false])
    }
  }
  const refusedForm = await ask('POST', `/scan/${qr_id}/message`, {
    body: new URLSearchParams({ reason: 'none' }),
    headers: { Host: 'driveqr.example' },
  })
  expect(traceIn(await refusedForm.text())).toBeUndefined()
  await ask('POST', `${pathname}/stop`)
  expect(traceIn((await look(pathname)).html)).toBeUndefined()
})

test('what a finder sends names the brand', async () => {
  const { look, qr_id } = await openAlone()
  const { html } = await look(`/scan/${qr_id}`)
  expect(html).toContain('I%20scanned%20the%20NeelRath%20Cabs%20code')
})

describe('files', () => {
  test('labels name it neither in their text nor in their properties', async () => {
    const { ask, owner, qr_id } = await openAlone()
    for (const sheet of ['a4', 'l7163']) {
      const answer = await ask('GET', `/api/qr/labels.pdf?ids=${qr_id}&sheet=${sheet}`, {
        as: owner,
      })
      expect(answer.status).toBe(200)
      expect(traceIn(JSON.stringify([...answer.headers]))).toBeUndefined()
      const pdf = Buffer.from(await answer.arrayBuffer())
      const text = pdf.toString('latin1')
      const utf16 = text.replaceAll('\0', '')
      expect([traceIn(text), traceIn(utf16)]).toEqual([undefined, undefined])
      const streams = [...text.matchAll(/stream\n/g)].flatMap(({ index }) => {
        try {
          return [inflateSync(pdf.subarray(index + 7)).toString('latin1')]
        } catch {
          return []
        }
      })
      expect(streams.length).toBeGreaterThan(0)
      for (const stream of streams) expect(traceIn(stream)).toBeUndefined()
    }
  })

  test('pictures and the ZIP of them name it nowhere', async () => {
    const { ask, owner, qr_id } = await openAlone()
    for (const query of ['format=svg', 'format=png', 'format=svg&frame=1', 'format=png&frame=1']) {
      const answer = await ask('GET', `/api/qr/${qr_id}/download?${query}`, { as: owner })
      expect([query, answer.status]).toEqual([query, 200])
      const body = await answer.json()
      const bytes = Buffer.from(body.image_data ?? '', 'base64').toString('latin1')
      expect([query, traceIn(body.filename + (body.svg_content ?? '') + bytes)]).toEqual([
        query,
        undefined,
      ])
    }
    const zip = await ask('GET', `/api/qr/codes.zip?ids=${qr_id}`, { as: owner })
    expect(traceIn(JSON.stringify([...zip.headers]))).toBeUndefined()
    expect(traceIn(Buffer.from(await zip.arrayBuffer()).toString('latin1'))).toBeUndefined()
  })
})

describe('mails', () => {
  test('to a finder come from the brand', async () => {
    const { ask, deps, owner, qr_id, mails, db, sender } = await openAlone()
    const at = new Date(deps.clock().getTime() - 5_000)
    const token = makePageToken(deps.secretKey, qr_id, at)
    const json = { page_token: token, reason: 'found', text: 'Hi', reply_to: 'ravi@example.in' }
    await ask('POST', `/api/scan/${qr_id}/messages`, { json })
    const { id } = await db.selectFrom('conversations').select('id').executeTakeFirstOrThrow()
    await ask('POST', `/api/conversations/${id}/messages`, { as: owner, json: { text: 'Coming' } })
    await sender.settled()
    const mail = mails.find(({ to }) => to === 'ravi@example.in')
    expect(mail?.sender).toBe('NeelRath Cabs')
    expect(mail?.html).toContain('src="data:image/png;base64,')
    expect(mail?.html).toContain('background-color: #0f4c96; color: #ffffff')
    expect(traceIn(JSON.stringify(mail))).toBeUndefined()
  })

  test('to a child user name it nowhere either', async () => {
    const app = await openAlone()
    const email = 'gurleen@example.in'
    await registeredChild(app, app.owner.id, { contact: { kind: 'email', email } })
    await app.ask('POST', '/api/auth/send-login-otp', { json: { contact: email } })
    const mail = app.mails.find(({ to }) => to === email)
    expect(mail?.subject).toBe('Your NeelRath Cabs login OTP')
    expect(mail?.sender).toBe('NeelRath Cabs')
    expect(traceIn(JSON.stringify(mail))).toBeUndefined()
  })

  test('to the owner stay as they are', async () => {
    const { ask, owner, mails } = await openAlone()
    await ask('POST', '/api/auth/send-login-otp', { json: { contact: owner.email } })
    expect(mails.at(-1)?.subject).toBe('Your DriveQR login OTP')
  })
})

test('the pages of a child user name it nowhere', async () => {
  const app = await openAlone()
  const child = await registeredChild(app, app.owner.id)
  const account = await app.db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', child.child_account_id)
    .executeTakeFirstOrThrow()
  const { cookieToken } = await app.deps.sessions.start(account)
  const cookie = `__Host-driveqr=${cookieToken}`
  const paths = [
    '/dashboard',
    `/dashboard?show=${child.qr_id}`,
    `/dashboard?edit=${child.qr_id}`,
    `/dashboard?labels=${child.qr_id}`,
    '/dashboard?tab=documents',
    '/dashboard?tab=messages',
    '/dashboard?tab=popup-images',
    '/dashboard?upgrade=1',
    '/settings',
    '/settings/notifications',
    '/settings/branding',
    '/settings/api-keys',
    `/scan/${child.qr_id}`,
    `/scan/${child.qr_id}?preview=1`,
    '/scan/KK7QXD4H8NPT',
  ]
  for (const path of paths) {
    const { html, status } = await app.look(path, { Cookie: cookie })
    expect([path, status, traceIn(html)]).toEqual([
      path,
      path.includes('KK7Q') ? 404 : 200,
      undefined,
    ])
  }
})
