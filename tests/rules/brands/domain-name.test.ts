import { expect, test } from 'vitest'
import { proofOf, readDomain } from '#domain/brands/domain-name.ts'

const OWN = 'driveqr.example'

test.each([
  ['keys.example.in', 'keys.example.in'],
  [' Keys.Example.IN ', 'keys.example.in'],
  ['keys.example.in.', 'keys.example.in'],
  ['schlüssel.example', 'xn--schlssel-95a.example'],
  ['चाबी.उदाहरण.example', 'xn--61b0bzcj.xn--p1b6ci4b4b3a.example'],
  ['a-b.example', 'a-b.example'],
  ['tags.driveqr.example', 'tags.driveqr.example'],
])('%s is stored as %s', (typed, stored) => {
  expect(readDomain(typed, OWN)).toBe(stored)
})

test.each([
  '',
  ' ',
  '.',
  '..',
  'keys.example.in..',
  'keys..example.in',
  'localhost',
  'localhost.',
  'a.localhost',
  'printer.local',
  'db.internal',
  'example',
  'keys.example.in:8443',
  'https://keys.example.in',
  'keys.example.in/scan',
  'keys.example.in?a',
  'keys.example.in#a',
  'a@keys.example.in',
  'keys example.in',
  'keys\\example.in',
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '2130706433',
  '[::1]',
  '::1',
  '1.2.3.4.',
  'keys.123',
  '*.example.in',
  '-a.example.in',
  'a_b.example.in',
  `${'a'.repeat(64)}.example.in`,
  `${'a.'.repeat(130)}in`,
  OWN,
  `${OWN.toUpperCase()}.`,
])('%j is refused', (typed) => {
  expect(() => readDomain(typed, OWN)).toThrow('Please enter a domain like keys.example.in')
})

test('the proof is a TXT record below the domain, or a file at it', () => {
  expect(proofOf('keys.example.in', '7f3c')).toEqual({
    txt_name: '_driveqr.keys.example.in',
    file_url: 'https://keys.example.in/.well-known/driveqr-domain',
    text: 'driveqr=7f3c',
  })
})
