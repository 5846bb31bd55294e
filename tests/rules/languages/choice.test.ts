import { expect, test, vi } from 'vitest'
import { formatMoment } from '#domain/conversations/moment.ts'
import { LANGS, preferredLang, toLang } from '#locales/languages.ts'

test.each(LANGS)('a browser in %s is answered in it', (lang) => {
  expect(preferredLang(lang)).toBe(lang)
  expect(preferredLang(`${lang.toUpperCase()}-IN`)).toBe(lang)
  expect(preferredLang(`fr, ${lang}-x-home;q=0.1`)).toBe(lang)
})

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['fr-FR,de;q=0.9', 'en'],
  ['ta;q=0.3,te;q=0.8,kn;q=0.5', 'te'],
  ['ta;q=0.8,te;q=0.8', 'ta'],
  ['ta ; q=0.5 , ml', 'ml'],
  ['ur;q=0', 'en'],
  ['ur;q=0, gu;q=0.001', 'gu'],
  ['*', 'en'],
  ['*;q=0.5,bn;q=0.4', 'en'],
  ['*;q=0.1,bn;q=0.4', 'bn'],
  ['ta;q=high,pa;q=0.2', 'pa'],
  ['tam,mar', 'en'],
  ['constructor,__proto__', 'en'],
  [',;,q=1,', 'en'],
])('%j asks for %s', (header, lang) => {
  expect(preferredLang(header)).toBe(lang)
})

test.each([
  `hi${' '.repeat(15_000)}x`,
  `hi;${' '.repeat(15_000)}x`,
  `hi${' ;'.repeat(7_500)}x`,
  'hi,'.repeat(5_000),
])('a header as long as Node takes it is compared with no pattern (case %#)', (header) => {
  using compared = vi.spyOn(RegExp.prototype, 'exec')
  preferredLang(header)
  expect(compared).not.toHaveBeenCalled()
})

test('a code is taken only as it is written', () => {
  expect(['ta', 'TA', 'ta-IN', '', 'toString', undefined].map(toLang)).toEqual([
    'ta',
    ...Array(5).fill(undefined),
  ])
})

test('from right to left the half of the day stays behind the time', () => {
  const now = new Date('2026-11-22T14:00:00.000Z')
  const at = (lang: 'ur' | 'ta', instant: string) =>
    formatMoment(lang, 'Asia/Kolkata', instant, now)
  expect(at('ur', '2026-11-22T14:00:00.000Z')).toMatch(/^\u2066 ?7:30\sPM\u2069$/)
  expect(at('ur', '2026-11-20T14:00:00.000Z')).toMatch(/^20 نومبر، \u20667:30\sPM\u2069$/)
  expect(at('ta', '2026-11-22T14:00:00.000Z')).not.toMatch(/[\u2066\u2069]/)
})
