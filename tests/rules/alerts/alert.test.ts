import { expect, test } from 'vitest'
import { ALERT_EVENTS, CHANNEL_KINDS, isFixed, lifeOf, toChoices } from '#domain/alerts/alert.ts'
import { waitAfterFailures } from '#domain/alerts/retry.ts'

const ALL = { email: true, push: true, telegram: true, ntfy: true, webhook: true }
const NONE = { email: false, push: false, telegram: false, ntfy: false, webhook: false }
const MAIL = { ...NONE, email: true }

test('by default messages and lost codes go everywhere, decisions by e-mail, scans nowhere', () => {
  expect(toChoices([])).toEqual({
    message: ALL,
    scan: NONE,
    lost_scan: ALL,
    police_view: NONE,
    reset_request: MAIL,
    plan: MAIL,
    due: MAIL,
    security: MAIL,
  })
})

test('a choice changes one tick, and nothing switches the e-mail about security off', () => {
  const choices = toChoices([
    { event: 'scan', kind: 'push', isOn: true },
    { event: 'security', kind: 'email', isOn: false },
    { event: 'security', kind: 'ntfy', isOn: true },
  ])
  expect(choices.scan).toEqual({ ...NONE, push: true })
  expect(choices.security).toEqual({ ...MAIL, ntfy: true })
  const fixed = ALERT_EVENTS.flatMap((event) =>
    CHANNEL_KINDS.filter((kind) => isFixed(event, kind)).map((kind) => `${event} ${kind}`),
  )
  expect(fixed).toEqual(['security email'])
})

test('an alert lives for a day, and one of a scan for an hour', () => {
  expect(ALERT_EVENTS.filter((event) => lifeOf(event) === 3_600)).toEqual(['scan', 'lost_scan'])
  expect(lifeOf('message')).toBe(86_400)
})

test('the first retry comes within 30 s, and the waits grow up to an hour', () => {
  const waits = Array.from({ length: 12 }, (_, n) => waitAfterFailures(n + 1))
  expect(waits[0]).toBeLessThanOrEqual(30)
  expect(waits).toEqual([...waits].sort((a, b) => a - b))
  expect(waits.at(-1)).toBe(3_600)
})

test('a channel that asks for a longer rest gets it, for a day at most', () => {
  expect(waitAfterFailures(1, 300)).toBe(300)
  expect(waitAfterFailures(6, 5)).toBe(3_600)
  expect(waitAfterFailures(1, 10 ** 9)).toBe(86_400)
})
