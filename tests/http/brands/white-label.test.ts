import { describe, expect, test } from 'vitest'
import { makePageToken } from '#actions/conversations/page-token.ts'
import { inTransaction } from '#db/transaction.ts'
import { openAlone, openBrand, traceIn, traceInAnswer } from '#tests/support/brands.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { wordsIn } from '#tests/support/pdf.ts'

test('the search finds the product where it is not hidden', async () => {
  const { ask, owner, look, qr_id } = await openBrand()
  expect(traceIn((await look(`/scan/${qr_id}`)).html)).toContain('DriveQR')
  expect(traceIn('<link rel="manifest" href="/manifest.webmanifest">')).toBeDefined()
  const labels = await ask('GET', `/api/qr/labels.pdf?ids=${qr_id}`, { as: owner })
  const pdf = Buffer.from(await labels.arrayBuffer())
  expect(traceInAnswer(new Headers(), pdf)).toBeDefined()
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
  expect((await look(`/claim?qr=${qr_id}`)).html).not.toContain('href="/login')
  const claimed = await ask('POST', `/claim?qr=${unclaimed}`, {
    body: new URLSearchParams({ owner_name: 'Asha Patil', contact_phone: '9876543210' }),
  })
  expect(claimed.status).toBe(303)
  expect(traceIn(JSON.stringify([...claimed.headers]))).toBeUndefined()
  const refusedForm = await ask('POST', `/scan/${qr_id}/message`, {
    body: new URLSearchParams({ reason: 'none' }),
    headers: { Host: 'driveqr.example' },
  })
  expect(traceIn(await refusedForm.text())).toBeUndefined()
  await ask('POST', `${pathname}/stop`)
  expect(traceIn((await look(pathname)).html)).toBeUndefined()
})

test('a mail about a message of a finder names the brand', async () => {
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
      const pdf = Buffer.from(await answer.arrayBuffer())
      expect(wordsIn(pdf)).toContain('NeelRath Cabs')
      expect(traceInAnswer(answer.headers, pdf)).toBeUndefined()
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
  type Alone = Awaited<ReturnType<typeof openAlone>>

  /** Writes as a finder who wants an answer, and answers. */
  async function answerFinder({ ask, deps, owner, qr_id, db }: Alone) {
    const at = new Date(deps.clock().getTime() - 5_000)
    const token = makePageToken(deps.secretKey, qr_id, at)
    const json = { page_token: token, reason: 'found', text: 'Hi', reply_to: 'ravi@example.in' }
    await ask('POST', `/api/scan/${qr_id}/messages`, { json })
    const { id } = await db.selectFrom('conversations').select('id').executeTakeFirstOrThrow()
    return ask('POST', `/api/conversations/${id}/messages`, { as: owner, json: { text: 'Coming' } })
  }

  test('to a finder come from the brand', async () => {
    const app = await openAlone()
    const { mails, sender } = app
    await answerFinder(app)
    await sender.settled()
    const mail = mails.find(({ to }) => to === 'ravi@example.in')
    expect(mail?.sender).toBe('NeelRath Cabs')
    expect(mail?.html).toContain('src="data:image/png;base64,')
    expect(mail?.html).toContain('background-color: #0f4c96; color: #ffffff')
    expect(traceIn(JSON.stringify(mail))).toBeUndefined()
  })

  test('to a finder hold up nobody while their logo is read', async () => {
    const app = await openAlone()
    const { db, deps, mails, sender } = app
    const { size } = deps.files
    deps.files.size = async (name) => {
      await inTransaction(db, (trx) => trx.selectFrom('accounts').select('id').execute())
      return size(name)
    }
    expect((await answerFinder(app)).status).toBe(201)
    await sender.settled()
    expect(mails.find(({ to }) => to === 'ravi@example.in')?.html).toContain('src="data:image/png')
  })

  test('to the owner stay as they are', async () => {
    const { ask, owner, mails } = await openAlone()
    await ask('POST', '/api/auth/send-login-otp', { json: { contact: owner.email } })
    expect(mails.at(-1)?.subject).toMatch(/^\d{6} is your DriveQR login OTP$/)
  })
})
