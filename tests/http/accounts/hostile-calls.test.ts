import { expect, test } from 'vitest'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'

const LONG = 'x'.repeat(60_000)
const DEEP = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
const BODIES = [
  '',
  'null',
  '[]',
  '7',
  '"a"',
  '{',
  '{}',
  DEEP,
  '\u0000',
  '{"__proto__":{"email":"a"}}',
]
/** Values as JSON. */
const VALUES = [
  ...['null', '7', '-1e400', 'true', '[]', '{}', '""', '" "', '"toString"', '["a"]', DEEP],
  ...['"\\u0000"', '"\\ud800"', '"a\\r\\nX: y"', '"%00"', '"٢٢٢٢٢٢"', `"${LONG}"`],
  '{"__proto__":{"password":"a"}}',
]
const IDS = ['%01', '%ff', '%2e%2e', '%F0%9F%9A%97', "'--", LONG.slice(0, 5_000)]

/** The validator's own messages, which help no reader. */
const VALIDATORS_WORDS = /Invalid input|Too (?:small|big)|expected/

const FIELDS: [string, string, string[]][] = [
  ['PATCH', '/api/account', ['name', 'mobile']],
  ['POST', '/api/account/email', ['email']],
  ['POST', '/api/account/email/verify', ['otp']],
  ['POST', '/api/account/password', ['current_password', 'password', 'code', 'passkey']],
  ['POST', '/api/account/confirm', ['password', 'code', 'passkey']],
  ['POST', '/api/account/totp', ['secret']],
  ['POST', '/api/account/totp/verify', ['code']],
  ['POST', '/api/account/recovery-codes', ['code']],
  ['POST', '/api/account/passkeys', ['name', 'response']],
  ['PATCH', '/api/account/passkeys/none', ['name']],
  ['POST', '/api/account/export', ['id']],
  ['POST', '/api/account/deletion', ['email']],
  ['DELETE', '/api/account/deletion', ['token']],
  ['POST', '/api/auth/second-factor', ['ticket', 'code', 'recovery_code', 'trust']],
  ['POST', '/api/auth/passkey/verify', ['id', 'response', 'clientExtensionResults']],
  ['POST', '/api/subscription/upgrade', ['payment_method', 'notes']],
  ['POST', '/api/qr/bulk', ['ids']],
]
const NAMED = [
  ['DELETE', '/api/account/sessions/'],
  ['GET', '/api/account/export/'],
  ['PATCH', '/api/account/passkeys/'],
  ['DELETE', '/api/account/passkeys/'],
  ['GET', '/way-back/'],
  ['POST', '/way-back/'],
] as const

test('hostile bodies and ids are refused or taken by each call about an account, and none breaks it', {
  tags: 'slow',
}, async () => {
  const app = await openTestApp({ env: { RATE_LIMITS: 'off' } })
  const as = await app.signUp({ name: 'Asha' })
  const broken: unknown[] = []
  const unreadable: unknown[] = []
  let asked = 0
  const send = async (method: string, path: string, body?: string) => {
    const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' }
    const answer = await app.ask(method, path, {
      as,
      headers,
      ...(body !== undefined && { body }),
    })
    asked++
    const { status } = answer
    if (VALIDATORS_WORDS.test(await answer.text())) unreadable.push([method, path, body])
    if (status >= 500) broken.push([method, path, body?.slice(0, 80), status])
  }
  for (const [method, path, fields] of FIELDS) {
    for (const body of BODIES) await send(method, path, body)
    for (const field of fields) {
      for (const value of VALUES) await send(method, path, `{"${field}":${value}}`)
    }
  }
  for (const [method, path] of NAMED) for (const id of IDS) await send(method, path + id)
  expect(broken).toEqual([])
  expect(unreadable).toEqual([])
  expect(asked).toBeGreaterThan(600)
  const login = { contact: as.email, password: PASSWORD }
  const signedIn = await (await app.ask('POST', '/api/auth/login', { json: login })).json()
  expect(signedIn.user).toMatchObject({ email: as.email })
  expect((await app.ask('GET', '/api/auth/me', { as })).status).toBe(200)
  for (const table of ['passkeys', 'account_deletions'] as const) {
    expect([table, await app.db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  }
})
