import { expect, test } from 'vitest'
import { stepOfCode } from '#db/accounts/authenticator-app.ts'
import { mustHaveFactor, readRecoveryCode, recoveryCode } from '#domain/accounts/second-factor.ts'

/** The vectors of RFC 6238 for SHA-1, with their last six digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
])(
  'at second %i of the standard the code is %s, half a minute off too, and no longer',
  async (at, code) => {
    const step = Math.floor(at / 30)
    const stepAt = (seconds: number) => stepOfCode(SECRET, code, new Date(seconds * 1000))
    expect(await stepAt(at)).toBe(step)
    expect(await stepAt((step + 1) * 30)).toBe(step)
    expect(await stepAt(step * 30 - 1)).toBe(step)
    expect(await stepAt((step + 2) * 30)).toBeUndefined()
    expect(await stepAt((step - 1) * 30 - 1)).toBeUndefined()
  },
)

test.each(['', '28708', '2870820', 'abcdef', '２８７０８２'])('“%s” is no code', async (code) => {
  expect(await stepOfCode(SECRET, code, new Date(59_000))).toBeUndefined()
})

test('a recovery code is read as it was shown, however it is typed', () => {
  const shown = recoveryCode(new Uint8Array([4, 15, 7, 19, 9, 2, 22, 29]))
  expect(shown).toBe('4F7K-92PX')
  for (const typed of ['4f7k92px', ' 4F7K 92PX ', '4F7K-92PX']) {
    expect(readRecoveryCode(typed)).toBe(shown)
  }
  expect(readRecoveryCode('oIl0-1111')).toBe('0110-1111')
  for (const typed of ['', '4F7K-92P', '4F7K-92PXX', '4F7K-92P!', 'U234-5678']) {
    expect(readRecoveryCode(typed)).toBeUndefined()
  }
})

test.each([
  ['none', 'super_admin', false],
  ['admin', 'super_admin', true],
  ['admin', 'admin', true],
  ['admin', 'moderator', false],
  ['all', 'client', true],
] as const)('under the rule %s a %s must have a second factor: %s', (rule, role, must) => {
  expect(mustHaveFactor(rule, role)).toBe(must)
})
