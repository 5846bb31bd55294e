import { describe, expect, test } from 'vitest'
import { COMMON_PASSWORD, isCommonPassword } from '#domain/accounts/common-passwords.ts'
import { passwordStrength, rolePasswordProblem } from '#domain/accounts/password-strength.ts'
import { textOf } from '#tests/support/refusals.ts'

describe('on every attacker’s list is', () => {
  test.each([
    'password',
    'Password123',
    'P@ssw0rd!!',
    'qwertyuiop',
    'poiuytrewq',
    '123456789012',
    '987654',
    '111111111111',
    'abcabcabc',
    '12012001',
    'iloveyou2',
    'Krishna@1234',
    'india123',
    'driveqr2026!',
    'admin@123456789',
  ])('%s', (password) => {
    expect(isCommonPassword(password)).toBe(true)
  })
})

test.each([
  'correct horse',
  'a better correct horse',
  'monsoon-2026-tin',
  'jT7#kp',
  'blue kettle on the roof',
  'passwordless life',
])('%s is not common', (password) => {
  expect(isCommonPassword(password)).toBe(false)
})

test.each([
  ['', 1, 'Weak'],
  ['tokyo7', 1, 'Weak'],
  ['jT7#kpQ', 2, 'Fair'],
  ['correct horse', 3, 'Strong'],
  ['blue kettle on the roof', 3, 'Strong'],
  ['password2026', 1, COMMON_PASSWORD],
] as const)('the meter calls “%s” %i: %s', (password, level, words) => {
  expect(passwordStrength(password)).toEqual({ level, words })
})

test.each([
  ['client', 'secret', undefined],
  ['moderator', '123456', undefined],
  ['admin', 'eleven char', 'The password of an admin must be at least 12 characters long'],
  ['super_admin', 'password12345', COMMON_PASSWORD],
  ['admin', 'correct horse', undefined],
] as const)('of a %s, the password “%s” is answered %s', (role, password, problem) => {
  expect(textOf(rolePasswordProblem(role, password))).toBe(problem)
})
