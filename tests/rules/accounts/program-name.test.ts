import { expect, test } from 'vitest'
import { programName } from '#domain/accounts/program-name.ts'

test.each([
  ['curl/8.5.0', 'curl'],
  ['python-requests/2.32.3 CPython/3.13', 'python-requests'],
  ['Home Assistant/2026.11', 'home'],
  ['MyTool', 'mytool'],
  ['', ''],
  [undefined, ''],
  ['x'.repeat(500), 'x'.repeat(100)],
])('a program is called by its name alone: %j', (userAgent, name) => {
  expect(programName(userAgent)).toBe(name)
})

test('a browser is no program', () => {
  expect(programName('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0')).toBeUndefined()
})
