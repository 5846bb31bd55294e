import { describe, expect, test } from 'vitest'
import { insertCode } from '#tests/support/codes.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { insertTicket } from '#tests/support/stored-tickets.ts'
import { openTickets } from '#tests/support/tickets.ts'
import { filesIn, PDF, picture } from '#tests/support/uploads.ts'

const PAGE = '/settings/support'

async function openPages(env: Record<string, string> = {}) {
  const opened = await openTickets({ env })
  const { customer, admin, form } = opened
  type Sent = { as?: { cookie: string }; fields?: Record<string, string>; file?: Uint8Array }
  async function browse(method: string, path: string, { as = customer, fields, file }: Sent = {}) {
    const words = fields && new URLSearchParams(fields)
    const body = file && fields ? form(file, fields) : words
    const answer = await opened.browse(method, path, body, as)
    return { ...answer, to: answer.to ?? '' }
  }
  const chief = await opened.signUp({ role: 'super_admin' })
  return { ...opened, browse, admin, chief }
}

/** Returns the text of a page, without its tags. */
function textOf(html: string): string {
  return html
    .replaceAll(/<svg hidden.*?<\/svg>|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#x27;', "'")
}

describe('Settings, Support', () => {
  test('on other plans says how the operator is reached, and takes no ticket', async () => {
    const env = { SUPPORT_EMAIL: 'help@example.in', SUPPORT_PHONE: '+91 98765 43210' }
    const { browse, signUp, TICKET } = await openPages(env)
    const as = await signUp({ subscription_plan: 'premium' })
    const { html } = await browse('GET', PAGE, { as })
    expect(html).toContain('help@example.in')
    expect(html).toContain('href="tel:+919876543210"')
    expect(textOf(html)).toContain('Dedicated support is available on the Enterprise plan.')
    expect(html).not.toContain('<textarea')
    const refused = await browse('POST', PAGE, { as, fields: TICKET })
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('help@example.in')
  })

  test('says so where the operator has named no contact', async () => {
    const { browse, signUp } = await openPages()
    const { html } = await browse('GET', PAGE, { as: await signUp() })
    expect(textOf(html)).toContain('No contact yet.')
  })

  test('promises an answer within one hour in the words for one', async () => {
    const { browse, TICKET } = await openPages({ SUPPORT_HOURS: '1' })
    const { to } = await browse('POST', PAGE, { fields: TICKET })
    expect(textOf((await browse('GET', to)).html)).toContain('Ticket 1 · answered within 1 hour ')
  })

  test('begins with the form, opens a ticket by it and leads there', async () => {
    const { browse, TICKET } = await openPages()
    expect((await browse('GET', PAGE)).html).toContain('name="subject"')
    const opened = await browse('POST', PAGE, { fields: TICKET, file: PDF })
    expect(opened.status).toBe(303)
    const { html } = await browse('GET', opened.to)
    const text = textOf(html)
    expect(text).toContain('Ticket opened')
    expect(text).toContain('Labels print too low')
    expect(text).toContain('Ticket 1 · answered within 24 hours')
    expect(text).toContain('print.pdf (new window) 1 KB')
    expect(textOf((await browse('GET', PAGE)).html)).toContain('Ticket 1 By 2 mm')
  })

  test('keeps what was typed when it is refused, and says where it is wrong', async () => {
    const app = await openPages()
    const { browse } = app
    const fields = { subject: '', text: 'Since <b>Monday' }
    const refused = await browse('POST', PAGE, { fields })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('Since &lt;b&gt;Monday')
    expect(refused.html).toMatch(/id="subject-error".*Please enter a subject/s)
    const noPdf = { fields: { subject: 'A', text: 'Kept' }, file: Buffer.from('text') }
    const file = await browse('POST', PAGE, noPdf)
    expect(file.status).toBe(415)
    expect(file.html).toMatch(/id="attachment-error".*Only PDF, JPG and PNG/s)
    expect(file.html).toContain('Kept')
    expect(filesIn(app).stored).toEqual([])
  })

  test('shows the messages as they are, without links', async () => {
    const { browse, open, answer } = await openPages()
    const evil = '<script>alert(1)</script> https://evil.example'
    const { id } = await open({ subject: evil, text: evil })
    await answer(id, evil)
    const { html } = await browse('GET', `${PAGE}/${id}`)
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('href="https://evil.example')
    expect(html.match(/&lt;script&gt;alert\(1\)/g)?.length).toBeGreaterThan(2)
    expect(textOf(html)).toContain('Nandini, Support')
  })

  test('calls its window by the subject of its ticket', async () => {
    const { browse, open, admin, chief } = await openPages()
    const { id } = await open()
    const subject = 'Labels print too low · DriveQR</title>'
    expect((await browse('GET', `${PAGE}/${id}`)).html).toContain(`<title>${subject}`)
    const at = `?tab=support&ticket=${id}`
    const managed = await browse('GET', `/admin-dashboard${at}`, { as: admin })
    expect(managed.html).toContain(`<title>${subject}`)
    const { html } = await browse('GET', `/admin${at}`, { as: chief })
    expect(html).toContain(`<title>Admin · ${subject}`)
  })

  test('answers, closes and opens a ticket again by forms', async () => {
    const { browse, open, call } = await openPages()
    const { id } = await open()
    const page = `${PAGE}/${id}`
    const status = async () => (await call('GET', `/${id}`)).body.status
    const answered = await browse('POST', `${page}/answer`, { fields: { text: 'More' } })
    expect(answered).toMatchObject({ status: 303, to: `${page}?done=ticket-answered&at=send` })
    await browse('POST', `${page}/status`, { fields: { status: 'closed' } })
    expect(await status()).toBe('closed')
    const closed = textOf((await browse('GET', page)).html)
    expect(closed).toContain('An answer opens the ticket again.')
    expect(closed).toContain('Open again')
    await browse('POST', `${page}/status`, { fields: { status: 'open' } })
    expect(await status()).toBe('open')
    const unknown = await browse('POST', `${page}/status`, { fields: { status: 'waiting' } })
    expect(unknown.status).toBe(400)
    expect((await browse('POST', `${page}/answer`, { fields: { text: ' ' } })).html).toContain(
      'Please write a message',
    )
    for (const path of ['none', 'none/answer', 'none/status']) {
      const method = path === 'none' ? 'GET' : 'POST'
      const sent = method === 'POST' ? { fields: { text: 'A', status: 'open' } } : {}
      expect((await browse(method, `${PAGE}/${path}`, sent)).status).toBe(404)
    }
  })

  test('lists tickets with pages and a search, which may find nothing', async () => {
    const { browse, db, customer } = await openPages()
    for (let n = 0; n < 21; n++) await insertTicket(db, customer.id, { subject: `Matter ${n}` })
    expect(textOf((await browse('GET', PAGE)).html)).toContain('Page 1 of 2')
    const beyond = await browse('GET', `${PAGE}?page=9`)
    expect(beyond).toMatchObject({ status: 302, to: `${PAGE}?page=2` })
    expect(textOf((await browse('GET', `${PAGE}?q=matter+20`)).html)).not.toContain('Page 1')
    const nothing = textOf((await browse('GET', `${PAGE}?q=xyz`)).html)
    expect(nothing).toContain('Nothing matches “xyz” in your tickets.')
  })

  test('after the plan has ended shows the messages, and no form', async () => {
    const { browse, open, db, customer } = await openPages()
    const { id } = await open()
    const free = { subscription_plan: 'free' } as const
    await db.updateTable('accounts').set(free).where('id', '=', customer.id).execute()
    const list = textOf((await browse('GET', PAGE)).html)
    expect(list).toContain('Ticket 1')
    expect(list).not.toContain('New ticket')
    const { html } = await browse('GET', `${PAGE}/${id}`)
    expect(html).not.toContain('<textarea')
    expect(textOf(html)).toContain('What was written stays here.')
    expect(textOf(html)).toContain('Close ticket')
    const refused = await browse('POST', `${PAGE}/${id}/answer`, { fields: { text: 'More' } })
    expect(refused.status).toBe(403)
  })

  test('the index shows the number of new answers', async () => {
    const { browse, open, answer } = await openPages()
    const state = async () => textOf((await browse('GET', '/settings')).html)
    expect(await state()).toContain('Support No tickets')
    const { id } = await open()
    expect(await state()).toContain('Support Nothing new')
    await answer(id)
    expect(await state()).toContain('Support 1 ticket with a new answer')
  })
})

describe('a form that is sent again because its answer was lost', () => {
  test('opens its ticket once, with its file, and leads there', async () => {
    const app = await openPages()
    const { browse, call, TICKET } = app
    const send = async (file: Uint8Array = PDF) =>
      (await browse('POST', PAGE, { fields: TICKET, file })).to
    const first = await send()
    expect(await send()).toBe(first)
    expect(filesIn(app).stored).toHaveLength(1)
    const id = first.match(/[^/]+(?=\?)/)?.[0] as string
    expect((await call('GET', `/${id}`)).body.messages).toHaveLength(1)
    const others = [
      await send(await picture()),
      (await browse('POST', PAGE, { fields: TICKET })).to,
    ]
    expect(new Set([first, ...others]).size).toBe(3)
  })

  test('opens another once the first one was closed', async () => {
    const { browse, call, TICKET } = await openPages()
    const send = async () => (await browse('POST', PAGE, { fields: TICKET })).to
    const first = await send()
    const [{ id }] = (await call('GET', '')).body.tickets
    await browse('POST', `${PAGE}/${id}/status`, { fields: { status: 'closed' } })
    expect(await send()).not.toBe(first)
  })

  test.each(['customer', 'admin'] as const)('writes the answer of a %s once', async (who) => {
    const app = await openPages()
    const { browse, call, open, [who]: as } = app
    const { id } = await open()
    const path = who === 'admin' ? '/admin-dashboard/support' : PAGE
    const read = async () => (await call('GET', `/${id}`)).body.messages
    const send = async (text: string, file?: Uint8Array) => {
      const said = { as, fields: { text }, ...(file && { file }) }
      expect((await browse('POST', `${path}/${id}/answer`, said)).status).toBe(303)
    }
    const answers = [['See'], ['See', PDF], ['See', await picture()], ['No'], ['See']] as const
    for (const [n, [text, file]] of answers.entries()) {
      for (let i = 0; i < 2; i++) await send(text, file)
      expect(await read()).toHaveLength(n + 2)
    }
    // The picture has a thumbnail.
    expect(filesIn(app).stored).toHaveLength(3)
  })

  test.each(['customer', 'admin'] as const)('is no answer too many of a %s', async (who) => {
    const app = await openPages({ RATE_LIMITS: 'on' })
    const { browse, call, adminCall, open, form, [who]: as } = app
    const { id } = await open()
    const write = who === 'admin' ? adminCall : call
    const path = who === 'admin' ? '/admin-dashboard/support' : PAGE
    const had = who === 'admin' ? 0 : 1
    for (let n = had; n < 19; n++)
      await write('POST', `/${id}/messages`, { json: { text: `${n}` } })
    const send = async (text: string) =>
      (await browse('POST', `${path}/${id}/answer`, { as, fields: { text }, file: PDF })).status
    expect([await send('Last'), await send('Last'), await send('More')]).toEqual([303, 303, 429])
    expect(filesIn(app).stored).toHaveLength(1)
    const again = { body: form(PDF, { text: 'Last' }) }
    expect((await write('POST', `/${id}/messages`, again)).status).toBe(429)
  })
})

describe.each(['/admin', '/admin-dashboard'] as const)('Support on %s', (root) => {
  const who = root === '/admin' ? ('chief' as const) : ('admin' as const)

  test('lists open tickets with how long they wait, and the others', async () => {
    const { browse, db, customer, ...people } = await openPages()
    const as = people[who]
    const hours = (n: number) => new Date(Date.now() - n * 3_600_000).toISOString()
    const empty = textOf((await browse('GET', `${root}?tab=support`, { as })).html)
    expect(empty).toContain('No open tickets')
    await insertTicket(db, customer.id, { created_at: hours(1), subject: 'New one' })
    await insertTicket(db, customer.id, { created_at: hours(27), subject: 'Late one' })
    await insertTicket(db, customer.id, { status: 'waiting', subject: 'Answered' })
    const { qr_id } = await insertCode(db, customer.id)
    await insertConversation(db, { account_id: customer.id, qr_id })
    const { html } = await browse('GET', `${root}?tab=support`, { as })
    const rows = [...html.matchAll(/<li id="thread-.*?<\/li>/gs)].map(([row]) => textOf(row).trim())
    expect(rows).toEqual([
      'V New one Vikram Deshmukh They print 2 mm too low. 1 h',
      'V Late one Vikram Deshmukh They print 2 mm too low. 27 h Over 24 h',
    ])
    expect(textOf(html)).toContain('Support 2 open')
    expect(textOf(html)).toContain('Open (2) Waiting (1) Closed')
    const waiting = textOf((await browse('GET', `${root}?tab=support&status=waiting`, { as })).html)
    expect(waiting).toContain('Answered')
    const none = textOf((await browse('GET', `${root}?tab=support&q=xyz`, { as })).html)
    expect(none).toContain('Nothing matches “xyz” among the open tickets.')
    const closed = textOf((await browse('GET', `${root}?tab=support&status=closed`, { as })).html)
    expect(closed).toContain('No closed tickets')
  })

  test('answers and closes by forms, and leads back to the place', async () => {
    const { browse, open, call, ...people } = await openPages()
    const as = people[who]
    const { id } = await open()
    const place = `q=labels`
    const shown = await browse('GET', `${root}?tab=support&${place}&ticket=${id}`, { as })
    expect(shown.html).toContain(`${root}/support/${id}/answer?${place}`)
    const fields = { text: 'Which printer?' }
    const answered = await browse('POST', `${root}/support/${id}/answer?${place}`, {
      as,
      fields,
      file: PDF,
    })
    expect(answered.to).toBe(`${root}?tab=support&${place}&ticket=${id}&done=answered&at=send`)
    expect(textOf((await browse('GET', answered.to, { as })).html)).toContain('Answer sent')
    const { body } = await call('GET', `/${id}`)
    expect(body).toMatchObject({ status: 'waiting', messages: [{}, { attachment: {} }] })
    await browse('POST', `${root}/support/${id}/status`, { as, fields: { status: 'closed' } })
    expect((await call('GET', `/${id}`)).body.status).toBe('closed')
    const refused = await browse('POST', `${root}/support/${id}/answer`, {
      as,
      fields: { text: '' },
    })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('Please write a message')
    const wrong = await browse('POST', `${root}/support/${id}/status`, { as, fields: {} })
    expect(wrong.status).toBe(400)
    const gone = await browse('GET', `${root}?tab=support&ticket=none`, { as })
    expect(gone.status).toBe(404)
  })
})
