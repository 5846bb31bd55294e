import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { describe, expect, test } from 'vitest'
import { setPassword } from '#db/accounts/passwords.ts'
import { inTransaction } from '#db/transaction.ts'
import { endedSentences } from '#domain/accounts/ended-access.ts'
import { addDays } from '#domain/papers/due.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertPaper } from '#tests/support/papers.ts'

const TODAY = '2026-11-20'
const PUBLIC_URL = 'http://keys.example.in'

async function openCalendar(publicUrl = PUBLIC_URL) {
  const app = await openTestApp({ env: { PUBLIC_URL: publicUrl } })
  const owner = await app.signUp()
  const { db } = app
  const code = await insertCode(db, owner.id, { vehicle_registration: 'KA05ZZ0003' })
  const paper = (expires_on: string, fields: Parameters<typeof insertPaper>[2] = {}) =>
    insertPaper(db, { qr_id: code.qr_id, account_id: owner.id }, { expires_on, ...fields })
  const headers = { Host: 'keys.example.in' }
  const make = async () => {
    const answer = await app.ask('POST', '/api/calendar', { as: owner, headers })
    expect(answer.status).toBe(201)
    const { url } = await answer.json()
    expect(url).toMatch(/^webcal:\/\/keys\.example\.in\/calendar\/[\w-]{43}\.ics$/)
    return url as string
  }
  const read = (url: string, more: Record<string, string> = {}) =>
    app.ask('GET', new URL(url).pathname, { headers: { ...headers, ...more } })
  const text = async (url: string) => (await read(url)).text()
  return { ...app, owner, code, paper, make, read, text }
}

/** Reads a calendar by the library of Thunderbird. */
function byIcalJs(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map((each) => {
    const event = new ICAL.Event(each)
    const alarms = each.getAllSubcomponents('valarm').map((alarm) => {
      const trigger = alarm.getFirstProperty('trigger')
      expect(trigger?.getParameter('related') ?? 'START').toBe('START')
      const at = event.startDate.clone()
      at.isDate = false
      at.addDuration(alarm.getFirstPropertyValue('trigger') as InstanceType<typeof ICAL.Duration>)
      return at.toString()
    })
    const { summary, startDate, duration, uid } = event
    return {
      uid,
      title: summary,
      day: startDate.toString(),
      isDate: startDate.isDate,
      days: duration.toSeconds() / 86_400,
      alarms,
    }
  })
}

/** Reads a calendar by a library for Node. */
function byNodeIcal(text: string) {
  const events = Object.values(nodeIcal.sync.parseICS(text)).filter(
    (each) => each?.type === 'VEVENT',
  )
  return events.map((event) => {
    if (event?.type !== 'VEVENT') throw new Error('There are only events')
    const { start, summary, datetype, uid, alarms = [] } = event
    const [year, month, date] = [start.getFullYear(), start.getMonth() + 1, start.getDate()]
    const two = (n: number) => String(n).padStart(2, '0')
    return {
      uid,
      title: summary,
      day: `${year}-${two(month)}-${two(date)}`,
      isDate: datetype === 'date',
      alarms: alarms.length,
    }
  })
}

describe('the calendar', () => {
  test('holds all-day events with the alarms of the reminders, for two readers', async () => {
    const { db, paper, make, text } = await openCalendar()
    await paper('2026-12-03')
    await db
      .updateTable('qr_codes')
      .set({ next_service_due: '2027-03-01', insurance_expiry_date: addDays(TODAY, -3) })
      .execute()
    const file = await text(await make())
    const read = byIcalJs(file)
    expect(read).toMatchObject([
      { title: 'Insurance ends: KA 05 ZZ 0003', day: '2026-11-17', isDate: true, days: 1 },
      { title: 'PUC ends: KA 05 ZZ 0003', day: '2026-12-03', isDate: true, days: 1 },
      { title: 'Service due: KA 05 ZZ 0003', day: '2027-03-01', isDate: true, days: 1 },
    ])
    expect(read[1]?.alarms).toEqual([
      '2026-11-03T09:00:00',
      '2026-11-18T09:00:00',
      '2026-11-26T09:00:00',
      '2026-12-02T09:00:00',
      '2026-12-03T09:00:00',
      '2026-12-10T09:00:00',
      '2026-12-17T09:00:00',
      '2026-12-24T09:00:00',
      '2026-12-31T09:00:00',
    ])
    expect(byNodeIcal(file)).toEqual(
      read.map(({ uid, title, day, isDate, alarms }) => ({
        uid,
        title,
        day,
        isDate,
        alarms: alarms.length,
      })),
    )
  })

  test('says the paper and the plate, and nothing more', async () => {
    const { db, owner, code, paper, make, text } = await openCalendar()
    await paper('2026-12-03', { file_name: 'private-name.pdf' })
    await insertCode(db, owner.id, { owner_name: 'Nobody Else', next_service_due: '2026-12-09' })
    const file = await text(await make())
    expect(byIcalJs(file).map(({ title }) => title)).toEqual([
      'PUC ends: KA 05 ZZ 0003',
      'Service due',
    ])
    expect(file).toContain('TRANSP:TRANSPARENT')
    expect(file).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT12H')
    const secrets = [code.qr_id, owner.id, 'Ramesh', '9876543210', 'private-name', 'Nobody', 'Asha']
    for (const secret of secrets) expect(file).not.toContain(secret)
  })

  test('follows the dates: a renewal is another event', async () => {
    const { db, paper, make, text } = await openCalendar()
    await paper('2026-12-03')
    const url = await make()
    const [before] = byIcalJs(await text(url))
    await db.updateTable('documents').set({ expires_on: '2027-12-03' }).execute()
    const after = byIcalJs(await text(url))
    expect(after).toMatchObject([{ day: '2027-12-03' }])
    expect(after[0]?.uid).not.toBe(before?.uid)
  })

  test('leaves out what ended more than four weeks ago', async () => {
    const { paper, make, text } = await openCalendar()
    await paper(addDays(TODAY, -29))
    await paper(addDays(TODAY, -28), { document_type: 'road_tax' })
    expect(byIcalJs(await text(await make()))).toMatchObject([{ day: addDays(TODAY, -28) }])
  })

  test('ends each line by CR and LF, the last one too, and folds long ones', async () => {
    const { db, make, text } = await openCalendar()
    const dates = { vehicle_registration: 'क'.repeat(30), next_service_due: '2026-12-09' }
    await db.updateTable('qr_codes').set(dates).execute()
    const file = await text(await make())
    expect(file.endsWith('END:VCALENDAR\r\n')).toBe(true)
    expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    const lengths = file.split('\r\n').map((line) => Buffer.byteLength(line))
    expect(Math.max(...lengths)).toBeLessThanOrEqual(75)
  })

  test('without anything is a calendar too', async () => {
    const { make, text } = await openCalendar()
    const file = await text(await make())
    expect([byIcalJs(file), byNodeIcal(file)]).toEqual([[], []])
  })

  test('keeps a plate that looks like syntax in its line', async () => {
    const { db, make, text } = await openCalendar()
    const odd = 'KA;05,"Z\\'
    const dates = { vehicle_registration: odd, next_service_due: '2026-12-09' }
    await db.updateTable('qr_codes').set(dates).execute()
    const file = await text(await make())
    expect(byIcalJs(file)).toMatchObject([{ title: `Service due: ${odd}` }])
    expect(byNodeIcal(file)).toMatchObject([{ title: `Service due: ${odd}` }])
  })

  test('is unchanged until something of it changes', async () => {
    const { paper, make, read, advance } = await openCalendar()
    await paper('2026-12-03')
    const url = await make()
    const first = await read(url)
    expect(first.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
    expect(first.headers.get('Cache-Control')).toBe('private, no-cache')
    expect(first.headers.get('X-Robots-Tag')).toContain('noindex')
    const etag = first.headers.get('ETag') ?? ''
    advance(86_400)
    const again = await read(url, { 'If-None-Match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    await paper('2026-12-09', { document_type: 'road_tax' })
    expect((await read(url, { 'If-None-Match': etag })).status).toBe(200)
  })
})

describe('the address', () => {
  test('is replaced by a new one, and removed', async () => {
    const { ask, owner, make, read } = await openCalendar()
    const first = await make()
    const second = await make()
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200])
    const headers = { Host: 'keys.example.in' }
    const removed = await ask('DELETE', '/api/calendar', { as: owner, headers })
    expect(await removed.json()).toEqual({ message: 'Calendar removed' })
    expect((await read(second)).status).toBe(404)
  })

  test('stands in the settings, and in the database and the log it does not', async () => {
    const { db, ask, owner, make, text, logged } = await openCalendar()
    const url = await make()
    await text(url)
    const [, token = ''] = /calendar\/(.*)\.ics/.exec(url) ?? []
    const headers = { Host: 'keys.example.in', Cookie: owner.cookie }
    const html = await (await ask('GET', '/settings/calendar', { headers })).text()
    expect(html).toContain(`href="${url}"`)
    expect(html).toContain(url.replace('webcal:', 'http:'))
    // Google could not read it without being read along.
    expect(html).not.toContain('calendar.google')
    const rows = await db.selectFrom('calendars').selectAll().execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(logged.join('')).toContain('/calendar/:calendar')
    expect(logged.join('')).not.toContain(token)
  })

  test('is given to Google by a link, encoded, without a referrer', async () => {
    const { ask, owner, make } = await openCalendar('https://keys.example.in')
    const address = (await make()).replace('webcal:', 'https:')
    const headers = { Host: 'keys.example.in', Cookie: `__Host-${owner.cookie}` }
    const html = await (await ask('GET', '/settings/calendar', { headers })).text()
    const [link = '', href] = /<a [^>]*href="(https:..calendar.google[^"]*)"[^>]*>/.exec(html) ?? []
    expect(href).toBe(`https://calendar.google.com/calendar/r?cid=${encodeURIComponent(address)}`)
    expect(link).toContain('rel="noopener noreferrer"')
  })

  test('opens nothing for a blocked account', async () => {
    const { db, owner, make, read } = await openCalendar()
    const url = await make()
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', owner.id).execute()
    expect((await read(url)).status).toBe(404)
  })

  test('ends with a new password, and the account is told', async () => {
    const { db, deps, owner, make, read } = await openCalendar()
    const url = await make()
    const set = { accountId: owner.id, passwordHash: null }
    const ended = await inTransaction(db, (trx) => setPassword(trx, deps.secretKey, set))
    expect(endedSentences(ended)).toEqual([
      'The address of your calendar has ended. You can make a new one in the settings.',
    ])
    expect((await read(url)).status).toBe(404)
  })

  test.each(['x.ics', 'x', `${'a'.repeat(43)}.ics`, '..%2f.ics', '.ics'])(
    '%s is none',
    async (name) => {
      const { ask } = await openCalendar()
      const headers = { Host: 'keys.example.in' }
      expect((await ask('GET', `/calendar/${name}`, { headers })).status).toBe(404)
    },
  )

  test('is read 120 times in an hour, and guessed 60 times in ten minutes', async () => {
    const { make, read, ask, advance } = await openCalendar()
    const url = await make()
    for (let n = 0; n < 120; n++) expect((await read(url)).status).toBe(200)
    expect((await read(url)).status).toBe(429)
    advance(3600)
    expect((await read(url)).status).toBe(200)
    const guess = async (n: number) =>
      (await ask('GET', `/calendar/${n}.ics`, { headers: { Host: 'keys.example.in' } })).status
    for (let n = 0; n < 60; n++) expect(await guess(n)).toBe(404)
    expect(await guess(60)).toBe(429)
    expect((await read(url)).status).toBe(200)
  })
})

describe('the page', () => {
  test('makes the address, replaces it and removes it by forms', async () => {
    const { ask, owner, paper, db } = await openCalendar()
    await paper('2026-12-03')
    const headers = { Host: 'keys.example.in', Cookie: owner.cookie }
    const html = async () => (await ask('GET', '/settings/calendar', { headers })).text()
    const send = async (path: string, fields: Record<string, string> = {}) => {
      const form = {
        headers: { ...headers, 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams(fields),
      }
      return (await ask('POST', `/settings/calendar${path}`, form)).headers.get('Location')
    }
    expect(await html()).toContain('Make calendar')
    expect(await send('')).toBe('/settings/calendar?done=calendar-made&at=address')
    const [, first] = /href="(webcal:[^"]*)"/.exec(await html()) ?? []
    // A page that says Make calendar still.
    expect(await send('')).toBe('/settings/calendar?done=calendar-made&at=address')
    expect(await html()).toContain(first)
    expect(await html()).toContain('href="/settings/calendar?renew=1"')
    const renew = { renew: '1' }
    expect(await send('', renew)).toBe('/settings/calendar?done=calendar-moved&at=address')
    const page = await html()
    expect(page).not.toContain(first)
    expect(page).toContain('PUC ends: KA 05 ZZ 0003')
    expect(await send('/remove')).toBe('/settings/calendar?done=removed')
    expect(await html()).toContain('Make calendar')
    expect(await db.selectFrom('calendars').selectAll().execute()).toEqual([])
  })
})
