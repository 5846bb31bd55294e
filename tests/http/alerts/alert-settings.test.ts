import { describe, expect, test } from 'vitest'
import { CHANNEL_KINDS } from '#domain/alerts/alert.ts'
import { openTestApp } from '#tests/support/app.ts'
import { raceStatuses } from '#tests/support/races.ts'

const SETTINGS = '/api/notifications/settings'
const all = (isOn: boolean) => Object.fromEntries(CHANNEL_KINDS.map((kind) => [kind, isOn]))
const byMail = { ...all(false), email: true }

async function openOwner() {
  const app = await openTestApp()
  const owner = await app.signUp()
  const read = async () => (await app.ask('GET', SETTINGS, { as: owner })).json()
  const change = async (json: object) => {
    const answer = await app.ask('PUT', SETTINGS, { as: owner, json })
    return { status: answer.status, body: await answer.json() }
  }
  return { ...app, owner, read, change }
}

describe('the settings of alerts', () => {
  test('change in any part, and stay otherwise', async () => {
    const { read, change } = await openOwner()
    const before = await read()
    const first = await change({ events: { scan: { push: true }, message: { email: false } } })
    expect([first.status, first.body]).toEqual([200, await read()])
    expect(first.body.events).toEqual({
      ...before.events,
      scan: { ...all(false), push: true },
      message: { ...all(true), email: false },
    })
    const second = await change({ quiet_hours: { from: '22:00', to: '07:00' } })
    expect(second.body).toEqual({ ...first.body, quiet_hours: { from: '22:00', to: '07:00' } })
    const back = await change({ events: { scan: { push: false } }, quiet_hours: null })
    expect(back.body.events.scan).toEqual(all(false))
    expect(back.body.quiet_hours).toBeNull()
    expect((await change({})).body).toEqual(back.body)
  })

  test('take the same choice from parallel requests', async () => {
    const { read, change } = await openOwner()
    const switchOn = () => change({ events: { scan: { push: true } } })
    expect(await raceStatuses(switchOn, 8)).toEqual({ 200: 8 })
    expect((await read()).events.scan.push).toBe(true)
  })

  test.each([
    [null, '07:00'],
    ['22:00', 7],
    ['22:00', undefined],
    ['22:00:00', '07:00'],
  ])('refuse quiet hours from %j to %j', async (from, to) => {
    const { read, change } = await openOwner()
    const { status, body } = await change({ quiet_hours: { from, to } })
    expect([status, body]).toEqual([400, { detail: 'Please enter a time like 22:00' }])
    expect((await read()).quiet_hours).toBeNull()
  })

  test('refuse quiet hours without an end, and change nothing else with them', async () => {
    const { read, change } = await openOwner()
    const { status } = await change({
      events: { scan: { push: true } },
      quiet_hours: { from: '22:00', to: '22:00' },
    })
    expect([status, (await read()).events.scan.push]).toEqual([400, false])
  })

  test.each([
    [{ events: { scan: { push: 'yes' } } }, 'scan.push must be true or false'],
    [{ events: { scan: { push: null } } }, 'scan.push must be true or false'],
    [[], 'The request must be a JSON object'],
    [{ events: [] }, 'events must be a JSON object'],
    [{ events: { scan: 'on' } }, 'events.scan must be a JSON object'],
    [{ quiet_hours: '22:00' }, 'quiet_hours must be a JSON object'],
  ])('refuse %j', async (json, detail) => {
    const { change } = await openOwner()
    expect(await change(json)).toEqual({ status: 400, body: { detail } })
  })

  test('never switch off the mails about security', async () => {
    const { read, change } = await openOwner()
    const { status } = await change({ events: { security: { email: false, push: true } } })
    expect(status).toBe(400)
    expect((await read()).events.security).toEqual(byMail)
    expect((await change({ events: { security: { email: true, push: true } } })).status).toBe(200)
    expect((await read()).events.security).toEqual({ ...byMail, push: true })
  })

  test('are each account’s own', async () => {
    const { change, signUp, ask } = await openOwner()
    await change({ events: { scan: { push: true } }, quiet_hours: { from: '22:00', to: '07:00' } })
    const other = await signUp()
    const { events, quiet_hours } = await (await ask('GET', SETTINGS, { as: other })).json()
    expect([events.scan.push, quiet_hours]).toEqual([false, null])
  })
})
