import { describe, expect, test } from 'vitest'
import { sweepTables } from '#actions/retention.ts'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { decideReport, reopenReport } from '#db/conversations/report-decisions.ts'
import { insertCode } from '#tests/support/codes.ts'
import { openConversations } from '#tests/support/conversations.ts'
import { race } from '#tests/support/races.ts'

const DAY = 86_400
const SMTP = { SMTP_URL: 'smtp://127.0.0.1:25' }
const REFUSED = { status: 403, body: { detail: 'The owner takes no messages from here' } }

type Staff = { bearerToken: string }

async function open(env: Record<string, string> = SMTP) {
  const app = await openConversations({ env })
  const { db, ask, call, signUp } = app
  const moderator = await signUp({ name: 'Kavita Joshi', role: 'moderator' })
  const stranger = await signUp({ name: 'Zoya Khan' })
  const { qr_id: others } = await insertCode(db, stranger.id)
  /** Reports a conversation as its owner, and returns the report. */
  async function report(id: string, as = app.owner) {
    await call('POST', `/${id}/report`, { json: { reason: 'threat', text: 'He waits.' }, as })
    const row = db.selectFrom('reports').select('id').where('conversation_id', '=', id)
    return (await row.executeTakeFirstOrThrow()).id
  }
  async function act(id: string, json: object, as: Staff = moderator) {
    const answer = await ask('PUT', `/api/reports/${id}`, { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const acts = () => db.selectFrom('audit_events').select(['action', 'actor', 'after']).execute()
  return { ...app, moderator, stranger, others, report, act, acts }
}

describe('the sender of a reported conversation', () => {
  test('is blocked by a moderator for the codes of everybody, for 30 days', async () => {
    const { begin, send, seen, call, report, act, acts, others, openBrowser, advance } =
      await open()
    const cookie = await openBrowser()
    const { id, token } = await begin({}, { cookie })
    const answer = await act(await report(id), { action: 'block_sender' })
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'decided', action: 'block_sender', decided_by: 'Kavita Joshi' },
    })
    expect(await seen(token)).toBeUndefined()
    expect(await call('GET', `/${id}`)).toMatchObject({
      body: { has_ended: true, blocked: false, ended_by_moderator: true },
    })
    for (const where of [{}, { of: others }, { of: others, peer: '198.51.100.9' }]) {
      expect(await send({}, { cookie, ...where })).toMatchObject(REFUSED)
    }
    expect(await send({ reason: 'accident' }, { cookie, of: others })).toMatchObject(REFUSED)
    expect(await acts()).toMatchObject([{ action: 'report.decided', actor: 'Kavita Joshi' }])
    advance(30 * DAY - 60)
    expect(await send({}, { cookie, of: others })).toMatchObject(REFUSED)
    advance(60)
    expect((await send({}, { cookie, of: others })).status).toBe(201)
  })

  test('cannot go on in other conversations, while others at the same IPv4 address can', async () => {
    const { begin, report, act, others, ask, openBrowser, send, mails } = await open()
    const cookie = await openBrowser()
    const first = await begin({}, { cookie })
    const second = await begin({}, { cookie, of: others })
    const write = (token: string) =>
      ask('POST', `/c/${token}`, {
        headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ text: 'Still here' }),
      })
    await act(await report(first.id), { action: 'block_sender' })
    expect((await write(first.token)).status).toBe(404)
    expect((await write(second.token)).status).toBe(403)
    const before = mails.length
    expect((await send({}, { cookie: await openBrowser(), of: others })).status).toBe(201)
    expect((await send({}, { of: others })).status).toBe(201)
    await expect.poll(() => mails.length).toBe(before + 2)
  })

  test('is blocked at an IPv6 address, which is one phone’s, and not at its neighbour’s', async () => {
    const { begin, report, act, others, send, advance } = await open()
    const { id } = await begin({}, { peer: '2001:db8:1:2::7' })
    advance(6 * DAY)
    await act(await report(id), { action: 'block_sender' })
    advance(29 * DAY)
    expect(await send({}, { peer: '2001:DB8:1:2:0::7', of: others })).toMatchObject(REFUSED)
    expect((await send({}, { peer: '2001:db8:1:2::8', of: others })).status).toBe(201)
  })

  test('is known for 7 days only', async () => {
    const { begin, report, act, advance, deps } = await open()
    const { id } = await begin()
    const reported = await report(id)
    advance(7 * DAY)
    await sweepTables(deps)
    expect(await act(reported, { action: 'block_sender' })).toEqual({
      status: 409,
      body: { detail: 'Nobody knows any more who sent this: that is forgotten after 7 days' },
    })
    expect(await act(reported, { action: 'dismiss' })).toMatchObject({ status: 200 })
  })

  test('can write again when the report is opened again, in the same conversation', async () => {
    const { begin, report, act, send, seen, others, openBrowser, db, deps } = await open()
    const cookie = await openBrowser()
    const [first, second] = [await begin({}, { cookie }), await begin({}, { cookie })]
    const [one, other] = [await report(first.id), await report(second.id)]
    await act(one, { action: 'block_sender' })
    await act(other, { action: 'block_sender' })
    await reopenReport(db, COMMAND_LINE, one, deps.clock())
    expect(await seen(first.token)).toMatchObject({ status: 'open' })
    expect(await send({}, { cookie, of: others })).toMatchObject(REFUSED)
    await reopenReport(db, COMMAND_LINE, other, deps.clock())
    expect((await send({}, { cookie, of: others })).status).toBe(201)
    expect(await db.selectFrom('service_blocks').selectAll().execute()).toEqual([])
  })

  test('is blocked by nobody for a conversation of their own, and by nobody but moderators', async () => {
    const { begin, report, act, owner, stranger, db, others } = await open()
    const { id } = await begin({}, { of: others })
    const reported = await report(id, stranger)
    expect(await act(reported, { action: 'block_sender' }, owner)).toMatchObject({
      status: 403,
      body: { detail: 'Moderator access required' },
    })
    await db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', stranger.id).execute()
    for (const json of [{ action: 'block_sender' }, { action: 'answer', text: 'Well done' }]) {
      expect(await act(reported, json, stranger)).toMatchObject({
        status: 403,
        body: { detail: 'Another moderator must act on your own report; you can only dismiss it' },
      })
    }
    expect(await act(reported, { action: 'dismiss' }, stranger)).toMatchObject({ status: 200 })
  })

  test('is blocked once by twenty at once', async () => {
    const { begin, report, db, deps } = await open()
    const { id } = await begin()
    const reported = await report(id)
    const { won, refused } = await race(() =>
      decideReport(db, COMMAND_LINE, reported, 'block_sender', deps.clock()),
    )
    expect(won).toHaveLength(1)
    expect(refused).toEqual({ 'conflict: This report has already been decided': 19 })
    expect(await db.selectFrom('service_blocks').selectAll().execute()).toHaveLength(1)
  })
})

describe('an answer to a report', () => {
  test('is mailed once to the account that reported a conversation, which stays reported', async () => {
    const { begin, report, act, acts, owner, mails } = await open()
    const { id } = await begin({ text: 'I wait at B2.' })
    const reported = await report(id)
    const before = mails.length
    const text = 'Show this to the police: www.example.in\nThey can ask us for more.'
    expect(await act(reported, { action: 'answer', text })).toMatchObject({
      status: 200,
      body: { status: 'open', action: null, answer: text },
    })
    await expect.poll(() => mails.length).toBe(before + 1)
    const mail = mails.at(-1)
    expect(mail).toMatchObject({
      to: owner.email,
      subject: 'About your report · MH 12 QX 4827',
    })
    expect(mail?.text).toContain('> They can ask us for more.')
    expect(mail?.text).toContain('Call 112 first.')
    expect(mail?.text).not.toContain('Kavita')
    expect(mail?.html).not.toContain('href="http://www.example.in')
    expect(await acts()).toMatchObject([{ action: 'report.answered', actor: 'Kavita Joshi' }])
    expect(JSON.stringify(await acts())).not.toContain('police')
    expect(await act(reported, { action: 'answer', text })).toEqual({
      status: 409,
      body: { detail: 'This report has already been answered' },
    })
    expect(await act(reported, { action: 'dismiss' })).toMatchObject({ status: 200 })
    expect(await act(reported, { action: 'answer', text })).toMatchObject({ status: 409 })
  })

  test('needs a text, a verified address of the reporter and mail', async () => {
    const { begin, report, act, db, owner } = await open()
    const { id } = await begin()
    const reported = await report(id)
    for (const [text, detail] of [
      [undefined, 'Please write a message'],
      [' \n', 'Please write a message'],
      ['x'.repeat(1001), 'Text must be at most 1000 characters'],
    ]) {
      expect(await act(reported, { action: 'answer', text })).toEqual({
        status: 400,
        body: { detail },
      })
    }
    const unproven = { email_verified_at: null }
    await db.updateTable('accounts').set(unproven).where('id', '=', owner.id).execute()
    expect(await act(reported, { action: 'answer', text: 'Hello' })).toEqual({
      status: 409,
      body: { detail: 'The account that reported it has no verified email' },
    })
    const silent = await open({ SMTP_URL: '' })
    const other = await silent.report((await silent.begin()).id)
    expect(await silent.act(other, { action: 'answer', text: 'Hello' })).toMatchObject({
      status: 503,
    })
  })

  test('of twenty at once is one, with one mail', async () => {
    const { begin, report, act, mails } = await open()
    const { id } = await begin()
    const reported = await report(id)
    const before = mails.length
    const { won } = await race((n) => act(reported, { action: 'answer', text: `Answer ${n}` }))
    const statuses = won.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    await expect.poll(() => mails.length).toBe(before + 1)
  })
})

describe('the acts on a conversation', () => {
  test('are none of a page, nor those of a page of a conversation', async () => {
    const { begin, report, act, ask, qr_id, db } = await open()
    await ask('POST', `/api/scan/${qr_id}/report`, { json: { reason: 'fraud' } })
    const page = await db.selectFrom('reports').select('id').executeTakeFirstOrThrow()
    for (const json of [{ action: 'block_sender' }, { action: 'answer', text: 'Hello' }]) {
      expect(await act(page.id, json)).toEqual({
        status: 400,
        body: {
          detail: 'Only a report about a conversation has a sender to block or somebody to answer',
        },
      })
    }
    const talk = await report((await begin()).id)
    expect(await act(talk, { action: 'hold_code' })).toMatchObject({ status: 400 })
  })

  test('are asked for on the Reports tab, and the card keeps its place and shows the answer', async () => {
    const { begin, report, browse, moderator, owner } = await open()
    const ids = [await report((await begin()).id), await report((await begin()).id)].reverse()
    const page = async (path: string) => (await browse('GET', path, undefined, moderator)).html
    const order = (html: string) =>
      [...html.matchAll(/<article[^>]*id="report-([^"]+)"/g)].map(([, id]) => id)
    const list = await page('/dashboard?tab=reports')
    const before = order(list)
    expect([...before].sort()).toEqual([...ids].sort())
    expect(list).toContain('href="tel:112"')
    const [id = ''] = ids
    const block = await page(`/dashboard?tab=reports&block-sender=${id}`)
    for (const words of ['For 30 days', 'The conversation ends', 'He waits.', 'Block sender']) {
      expect(block).toContain(words)
    }
    const question = await page(`/dashboard?tab=reports&answer=${id}`)
    expect(question).toContain('The report stays open')
    expect(question).not.toContain(owner.email ?? 'none')
    const form = (fields: Record<string, string>) =>
      browse('POST', `/dashboard/reports/${id}`, new URLSearchParams(fields), moderator)
    const { to } = await form({ action: 'answer', text: 'Go to the <police>.' })
    expect(to).toBe(`/dashboard?tab=reports&kept=${id}&done=answer&at=report-${id}`)
    const answered = await page(to ?? '')
    expect(answered).toContain('Go to the &lt;police&gt;.')
    expect(answered).not.toContain(`answer=${id}`)
    const done = (await form({ action: 'block_sender' })).to ?? ''
    const decided = await page(done)
    expect(order(decided)).toEqual(before)
    expect(decided).toContain('Sender blocked for 30 days by Kavita Joshi')
    expect(order(await page('/dashboard?tab=reports'))).toHaveLength(1)
  })

  test('tell the owner how the conversation ended', async () => {
    const { begin, report, act, browse, owner } = await open()
    const { id } = await begin()
    await act(await report(id), { action: 'block_sender' })
    const path = `/dashboard?tab=messages&conversation=${id}`
    const { html } = await browse('GET', path, undefined, owner)
    expect(html).toContain('<b>A moderator ended this conversation</b>')
    expect(html).not.toContain('>Unblock<')
    expect(html).not.toContain('Reopen')
  })
})
