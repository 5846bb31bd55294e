import { describe, expect, test } from 'vitest'
import { addChannel, type NewChannel } from '#db/alerts/channels.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'

const PAGE = '/settings/notifications'
const NTFY: NewChannel = {
  kind: 'ntfy',
  name: 'ntfy.example/keys',
  address: 'https://ntfy.example/keys',
  target: { url: 'https://ntfy.example/keys', token: 'tk_secret' },
}

async function openOwner(
  account: Parameters<Awaited<ReturnType<typeof openTestApp>>['signUp']>[0] = {},
  env: Record<string, string> = { SMTP_URL: 'smtp://127.0.0.1:25' },
) {
  const app = await openTestApp({ env })
  const owner = await app.signUp(account)
  const browser = browserOf(app, owner)
  const read = (path = PAGE) => browser.read(path)
  const send = (path: string, fields?: Record<string, string>) =>
    browser.submit(`${PAGE}${path}`, fields)
  const add = (channel: NewChannel = NTFY) =>
    addChannel(app.db, app.deps.secretKey, owner.id, channel, app.deps.clock())
  const settings = async () =>
    (await app.ask('GET', '/api/notifications/settings', { as: owner })).json()
  const channels = async () =>
    (await (await app.ask('GET', '/api/notifications/channels', { as: owner })).json()).channels
  return { ...app, owner, read, send, add, settings, channels }
}

/** The ticks of the form by their names, and whether they can be changed. */
function ticksIn(html: string): Map<string, { isOn: boolean; isOpen: boolean }> {
  const inputs = html.matchAll(/<input type="checkbox"[^>]* name="([a-z_]+\.[a-z]+)"[^>]*>/g)
  return new Map(
    [...inputs].map(([input, name = '']) => [
      name,
      { isOn: / checked=""/.test(input), isOpen: !/ disabled=""/.test(input) },
    ]),
  )
}

/** Returns the fields that a browser would send. */
function fieldsIn(html: string): Record<string, string> {
  const on = [...ticksIn(html)].filter(([, { isOn, isOpen }]) => isOn && isOpen)
  const shown = /name="shown" value="([^"]*)"/.exec(html)?.[1] ?? ''
  return { shown, ...Object.fromEntries(on.map(([name]) => [name, 'on'])) }
}

describe('the choices', () => {
  test('have a tick for each event and channel that there is', async () => {
    const { read, add } = await openOwner()
    await add()
    const ticks = ticksIn(await read())
    expect(ticks.get('message.email')).toEqual({ isOn: true, isOpen: true })
    expect(ticks.get('message.ntfy')).toEqual({ isOn: true, isOpen: true })
    expect(ticks.get('scan.ntfy')).toEqual({ isOn: false, isOpen: true })
    expect(ticks.get('message.webhook')).toEqual({ isOn: false, isOpen: false })
    expect(ticks.get('due.email')).toEqual({ isOn: true, isOpen: true })
    expect(ticks.get('due.ntfy')).toEqual({ isOn: false, isOpen: true })
  })

  test('say all that an event is about, so that nobody switches off more than they meant', async () => {
    const html = await (await openOwner()).read()
    for (const hint of [
      'A new device signed in, or your password or second step changed. Email cannot be switched off.',
      'Approved or rejected. Also a week and a day before your plan ends, and when it has ended.',
    ]) {
      expect(html.replaceAll('<!-- -->', '')).toContain(hint)
    }
  })

  test('are saved as they are ticked, and nothing else changes', async () => {
    const { read, send, add, settings } = await openOwner()
    await add()
    const before = await settings()
    const fields = fieldsIn(await read())
    delete fields['message.email']
    const { status, to } = await send('', { ...fields, 'scan.ntfy': 'on' })
    expect([status, to]).toEqual([303, `${PAGE}?done=saved&at=save`])
    const { events } = await settings()
    expect(events).toEqual({
      ...before.events,
      message: { ...before.events.message, email: false },
      scan: { ...before.events.scan, ntfy: true },
    })
    expect(await read(`${PAGE}?done=saved`)).toContain('Settings saved')
  })

  test('of a channel that came while the form was open stay as they were', async () => {
    const { read, send, add, settings } = await openOwner()
    const before = fieldsIn(await read())
    await add()
    await send('', before)
    const { events } = await settings()
    expect([events.message.ntfy, events.lost_scan.ntfy]).toEqual([true, true])
  })

  test('cannot switch off mails about security, by any form', async () => {
    const { read, send, settings } = await openOwner()
    expect(ticksIn(await read()).get('security.email')).toEqual({ isOn: true, isOpen: false })
    await send('', { shown: 'email' })
    const { events } = await settings()
    expect([events.security.email, events.message.email]).toEqual([true, false])
  })
})

describe('quiet hours', () => {
  test('are set, shown and ended', async () => {
    const { read, send, settings } = await openOwner()
    const fields = fieldsIn(await read())
    await send('', { ...fields, quiet: 'on', from: '23:30', to: '06:15' })
    expect((await settings()).quiet_hours).toEqual({ from: '23:30', to: '06:15' })
    const html = await read()
    expect(html).toMatch(/name="from" value="23:30"/)
    expect(html).toMatch(/name="to" value="06:15"/)
    expect(html).toContain('Asia/Kolkata')
    expect(await read('/settings')).toContain('quiet from 23:30')
    await send('', { ...fields, from: '23:30', to: '06:15' })
    expect((await settings()).quiet_hours).toBeNull()
  })

  test.each([
    [{ from: 'ten', to: '07:00' }, 'quiet-from'],
    [{ from: '22:00', to: '7' }, 'quiet-to'],
  ])(
    'that are no times are refused beside the field, with all that was typed: %j',
    async (times, at) => {
      const { read, send, settings } = await openOwner()
      const fields = fieldsIn(await read())
      const typed = { ...fields, quiet: 'on', ...times, 'scan.email': 'on' }
      const { status, html } = await send('', typed)
      expect(status).toBe(400)
      expect(html).toMatch(
        new RegExp(`id="${at}-error">(<svg.*?</svg>)?Please enter a time like 22:00`),
      )
      expect(html).toContain(`value="${times.from}"`)
      expect(html).toContain(`value="${times.to}"`)
      expect(ticksIn(html).get('scan.email')?.isOn).toBe(true)
      const { events, quiet_hours } = await settings()
      expect([events.scan.email, quiet_hours]).toEqual([false, null])
    },
  )
})

describe('the list of channels', () => {
  test('shows the address of the account, and whether something is sent to it', async () => {
    const { read, owner } = await openOwner()
    const html = await read()
    expect(html).toContain(owner.email)
    expect(html).toContain('Verified')
    expect(html).toContain(`action="${PAGE}/channels/email/test"`)
  })

  test('says what to do about an address that is not verified, and sends no test to it', async () => {
    const { read } = await openOwner({ email_verified_at: null })
    const html = await read()
    expect(html).toContain('Not verified')
    expect(html).toContain('one-time code')
    expect(html).not.toContain(`action="${PAGE}/channels/email/test"`)
    expect(ticksIn(html).get('message.email')).toEqual({ isOn: false, isOpen: false })
  })

  test('has no e-mail for an account without an address, nor without a mail server', async () => {
    const child = await openOwner({ email: null, mobile: '+919876543210' })
    const installation = await openOwner({}, {})
    for (const { read } of [child, installation]) {
      expect(ticksIn(await read()).has('message.email')).toBe(false)
    }
  })

  test('offers Telegram only where the installation has a bot', async () => {
    const without = await openOwner()
    expect(await without.read()).not.toContain('Telegram')
  })

  test('never shows a token or a secret', async () => {
    const { read, add, channels } = await openOwner()
    await add()
    expect(await read()).toContain('ntfy.example/keys')
    expect(await read()).not.toContain('tk_secret')
    expect(JSON.stringify(await channels())).not.toContain('tk_secret')
  })

  test('says since when a channel is not reachable', async () => {
    const { read, add, db } = await openOwner()
    await add()
    const since = { unreachable_since: '2026-11-19T20:00:00.000Z' }
    const failing = { failures: 3, failing_since: '2026-11-18T20:00:00.000Z' }
    await db
      .updateTable('alert_channels')
      .set({ ...since, ...failing })
      .execute()
    expect(await read()).toContain('Not reachable since 20 Nov 2026')
  })
})

describe('removing a channel', () => {
  test('asks first, and then it is gone', async () => {
    const { read, send, add, channels } = await openOwner()
    const { id } = await add()
    expect(await read()).toContain(`href="${PAGE}?disconnect=${id}"`)
    const question = await read(`${PAGE}?disconnect=${id}`)
    expect(question).toContain('Remove ntfy?')
    expect(question).toContain('Keep ntfy')
    const { status, to } = await send(`/channels/${id}/remove`)
    expect([status, to]).toEqual([303, `${PAGE}?done=removed`])
    expect((await channels()).map((each: { type: string }) => each.type)).toEqual(['email'])
    expect((await send(`/channels/${id}/remove`)).status).toBe(404)
  })

  test('never removes the address of the account', async () => {
    const { send, read, ask, owner } = await openOwner()
    expect((await send('/channels/email/remove')).status).toBe(404)
    expect(await read()).not.toContain('disconnect=email')
    const answer = await ask('DELETE', '/api/notifications/channels/email', { as: owner })
    expect(answer.status).toBe(404)
  })
})
