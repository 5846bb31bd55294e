import { describe, expect, test } from 'vitest'
import { post } from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'

const CALLS = {
  'send-otp': ['email'],
  'verify-otp': ['email', 'name', 'password', 'otp'],
  login: ['contact', 'password'],
  'send-login-otp': ['contact'],
  'login-otp': ['contact', 'otp'],
  'forgot-password': ['contact'],
  'reset-password': ['contact', 'otp', 'password'],
}

const RIGHT: Record<string, string> = {
  email: 'asha@example.in',
  contact: 'asha@example.in',
  name: 'Asha',
  password: 'secret1',
  otp: '123456',
}

const WRONG: unknown[] = [
  null,
  1,
  true,
  [],
  ['asha@example.in'],
  {},
  { toString: 'x' },
  '\u0000',
  '\ud800',
]

describe.each(Object.entries(CALLS))('%s', (call, fields) => {
  test('refuses values that are no text with a sentence, never with a fault', async () => {
    const app = await openTestApp()
    const right = Object.fromEntries(fields.map((field) => [field, RIGHT[field]]))
    for (const field of fields) {
      for (const value of WRONG) {
        const { status, body } = await post(app, call, { ...right, [field]: value })
        // A password may hold any characters: a wrong one is wrong, not malformed.
        const expected = field === 'password' && typeof value === 'string' ? [400, 401] : [400]
        expect(expected, `${field}: ${JSON.stringify(value)}`).toContain(status)
        expect(typeof body.detail).toBe('string')
      }
    }
  })

  test('refuses a body that is no object', async () => {
    const app = await openTestApp()
    for (const json of [null, 'text', 7, [], [{}]]) {
      expect((await post(app, call, json)).status).toBe(400)
    }
  })
})
