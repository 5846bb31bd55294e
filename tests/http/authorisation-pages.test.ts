// @module-tag slow
import { expect, test } from 'vitest'
import { expectAsWritten, openUncounted, readSections } from '#tests/support/authorisation.ts'
import { answerTo, identifyByBearer } from '#tests/support/principals.ts'

const sections = readSections().filter(({ title }) => !title.startsWith('Calls: '))

test.each(sections)('$title are answered as docs/authorisation says', expectAsWritten)

test.each(sections)('$title: a bearer token opens none', async ({ rows }) => {
  const app = await openUncounted()
  for (const { call, answers } of rows) {
    const answer = await answerTo(app, 'super_admin', call, identifyByBearer)
    expect([call, answer]).toEqual([call, answers[0]])
  }
})

test('a bearer token beside a cookie does not decide the account of a page', async () => {
  const app = await openUncounted()
  const [root, client] = [await app.signUp({ role: 'super_admin' }), await app.signUp()]
  const headers = { Cookie: client.cookie, 'Sec-Fetch-Site': 'same-origin' }
  const backup = await app.ask('POST', '/admin/system/backup', { as: root, headers })
  expect([backup.status, backup.headers.get('Location')]).toEqual([303, '/dashboard'])
})
