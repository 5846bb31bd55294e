import { execFileSync } from 'node:child_process'
import { build } from 'esbuild'
import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' }
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import { describe, expect, it, test } from 'vitest'
import {
  asTyped,
  dialled,
  displayPhone,
  isMobileAsTyped,
  phoneProblem,
  readEarlierPhone,
  readPhone,
  shownPhone,
  smsHref,
  telHref,
  whatsappHref,
} from '#domain/accounts/phone.ts'
import * as inBrowser from '#domain/accounts/phone-library.browser.ts'
import { hasNumbers, shortLinesOf } from '#domain/accounts/short-lines.ts'
import { formatCountry } from '#locales/format.ts'
import { preferredRegion } from '#locales/languages.ts'

describe('a mobile number', () => {
  it.each([
    '9876543210',
    '98765 43210',
    '98765-43210',
    '(98765) 43210',
    '98765.43210',
    '98765/43210',
    '09876543210',
    '919876543210',
    '91 98765 43210',
    '091 98765 43210',
    '+91 98765 43210',
    '+91-98765-43210',
    '+91 (0) 98765 43210',
    '0091 98765 43210',
    ' +919876543210 ',
    '\u202a+91 98765\u00a043210\u202c',
    '98765\u00ad43210',
    '98765‑43210',
    '९८७६५४३२१०',
    '৯৮৭৬৫৪৩২১০',
    '૯૮૭૬૫૪૩૨૧૦',
    '੯੮੭੬੫੪੩੨੧੦',
    '௯௮௭௬௫௪௩௨௧௦',
    '౯౮౭౬౫౪౩౨౧౦',
    '೯೮೭೬೫೪೩೨೧೦',
    '൯൮൭൬൫൪൩൨൧൦',
    '۹۸۷۶۵۴۳۲۱۰',
    '９８７６５４３２１０',
    '+९१ ९८७६५ ४३२१०',
  ])('typed as %j is +919876543210', (typed) => {
    expect(readPhone(typed)).toEqual({
      kind: 'mobile',
      e164: '+919876543210',
      country: 'IN',
      national: '098765 43210',
      international: '+91 98765 43210',
    })
  })

  it('that begins with 91 and has ten digits is a whole Indian number', () => {
    expect(readPhone('9198765432')?.e164).toBe('+919198765432')
  })

  it.each([
    ['+1 (415) 555-2671', '+14155552671'],
    ['0044 7911 123456', '+447911123456'],
    ['+971 50 123 4567', '+971501234567'],
    ['+65 8123 4567', '+6581234567'],
    ['+354 611 1234', '+3546111234'],
    ['+47 406 12 345', '+4740612345'],
  ])('from abroad has its country: %j', (typed, e164) => {
    expect(readPhone(typed)).toMatchObject({ kind: 'mobile', e164 })
  })

  it('of each country is read in its own form and in the international one', () => {
    const countries = getCountries()
    expect(countries.length).toBeGreaterThanOrEqual(245)
    for (const country of countries) {
      const example = getExampleNumber(country, examples)
      const { number = '' } = example ?? {}
      expect(readPhone(number)).toMatchObject({ kind: 'mobile', e164: number })
      expect(readPhone(example?.formatNational() ?? '', country)?.e164).toBe(number)
    }
  })
})

describe('a number from abroad never becomes a number in India', () => {
  it.each([
    '(415) 555-2671',
    '415-555-2671',
    '415.555.2671',
    '4155552671',
    '(917) 555-2671',
    '14155552671',
    '447911123456',
    '6581234567',
    '0447911123456',
  ])('%j', (typed) => {
    expect(readPhone(typed)).toBeUndefined()
    const phone = asTyped(typed)
    expect(phone && telHref(phone)).toBe(`tel:${typed.replace(/\D/g, '')}`)
    expect(phone && smsHref(phone)).toBeUndefined()
    expect(phone && whatsappHref(phone, '')).toBeUndefined()
  })

  it('while an earlier version took ten digits for one, unless they are written as in North America', () => {
    expect(readEarlierPhone('2025501234')).toMatchObject({
      kind: 'landline',
      e164: '+912025501234',
    })
    expect(readEarlierPhone('(415) 555-2671')).toBeUndefined()
    expect(readEarlierPhone('14155552671')).toBeUndefined()
  })
})

/** By country: landlines, toll-free numbers and short lines as they are written there. */
const WRITTEN: [string, [string, string][], [string, string][], string[]][] = [
  [
    'IN',
    [
      ['020-2550 1234', '+912025501234'],
      ['080 2222 3333', '+918022223333'],
    ],
    [
      ['1800 425 3800', '18004253800'],
      ['1860-500-1234', '18605001234'],
    ],
    ['112', '1033', '100'],
  ],
  ['US', [['(415) 555-2671', '+14155552671']], [['1-800-555-1234', '8005551234']], ['911', '988']],
  ['GB', [['020 7946 0000', '+442079460000']], [['0800 123 4567', '08001234567']], ['999', '112']],
  ['DE', [['030 123456', '+4930123456']], [['0800 1234567', '08001234567']], ['110', '112']],
  ['FR', [['01 23 45 67 89', '+33123456789']], [['0 801 23 45 67', '0801234567']], ['15', '112']],
  ['SG', [['6123 4567', '+6561234567']], [['1800 123 4567', '18001234567']], ['999', '995']],
  ['NO', [['21 23 45 67', '+4721234567']], [['800 12 345', '80012345']], ['113', '112']],
  ['IS', [['410 1234', '+3544101234']], [['800 1234', '8001234']], ['112']],
  ['AU', [['(02) 1234 5678', '+61212345678']], [['1800 123 456', '1800123456']], ['000', '131114']],
  ['AE', [['02 234 5678', '+97122345678']], [['800 123456', '800123456']], ['999', '998']],
]

describe.each(WRITTEN)('in %s', (country, landlines, tollFree, short) => {
  it.each(landlines)('the landline %s is only called, with its country', (typed, e164) => {
    const phone = readPhone(typed, country)
    expect(phone).toMatchObject({ e164, country })
    expect(phone && dialled(phone)).toBe(e164)
    if (country !== 'US') expect(phone?.kind).toBe('landline')
  })

  it.each(tollFree)('the toll-free %s is only called, without a country', (typed, digits) => {
    const phone = readPhone(typed, country)
    expect(phone?.kind).toBe('local')
    expect(phone && dialled(phone)).toBe(digits)
  })

  it.each(short)('the line %s is only called', (typed) => {
    const phone = readPhone(typed, country)
    expect(phone).toMatchObject({ kind: 'local', e164: null })
    expect(phone && dialled(phone)).toBe(typed)
  })
})

test('every country of the library may be the one of the setting, and browsers take all its lines', () => {
  for (const country of getCountries()) {
    expect([country, hasNumbers(country)]).toEqual([country, true])
    const lines = shortLinesOf(country).filter(Boolean)
    const refused = lines.filter((line) => !inBrowser.isShortLine(line, country))
    expect([country, refused]).toEqual([country, []])
  }
  expect(inBrowser.isShortLine('12', 'IN')).toBe(false)
})

test.each([
  ['IN', 'India'],
  ['DE', 'Germany'],
  ['US', 'the United States'],
  ['AE', 'the United Arab Emirates'],
  ['NL', 'the Netherlands'],
  ['DO', 'the Dominican Republic'],
  ['VA', 'Vatican City'],
])('the country %s is called %s in a sentence', (code, name) => {
  expect(formatCountry('en', code)).toBe(name)
})

describe('a number that is in no plan', () => {
  it.each(['5555555555', '1234567890', '(022) 1234-567', '+91 98765 4321'])(
    'may be used anyway: %j',
    (typed) => {
      expect(phoneProblem(typed)).toBe('unknown')
      expect(phoneProblem(typed, true)).toBeUndefined()
    },
  )

  it.each(['14155552671', '447911123456', '55555 555555'])(
    'may lack the plus of one from abroad: %j',
    (typed) => {
      expect(phoneProblem(typed)).toBe('abroad')
      expect(phoneProblem(typed, true)).toBeUndefined()
    },
  )

  it.each([
    '',
    '12345',
    '987654321',
    '+1234567890123456',
    '98765x43210',
    '98765+43210',
    '++919876543210',
    '----------',
    'javascript:alert(1)',
    'tel:9876543210',
    '9876543210;ext=1',
  ])('and is not typed as one is refused: %j', (typed) => {
    expect(phoneProblem(typed, true)).toBe('invalid')
  })
})

describe('the rule of the child registration form', () => {
  it.each(['9876543210', '+91 98765 43210', '(022) 1234-567', '123456789012345', '12345-----'])(
    'takes %j',
    (typed) => expect(isMobileAsTyped(typed)).toBe(true),
  )

  it.each(['', '123456789', '1234567890123456', '98765a3210', 'a@example.in', '----------'])(
    'refuses %j',
    (typed) => expect(isMobileAsTyped(typed)).toBe(false),
  )

  it('does not count spaces', () => {
    expect(isMobileAsTyped('1 2 3 4 5 6 7 8 9')).toBe(false)
    expect(isMobileAsTyped('1 2 3 4 5 6 7 8 9 0')).toBe(true)
  })
})

describe('a number is shown', () => {
  const phone = readPhone('9876543210') as NonNullable<ReturnType<typeof readPhone>>

  it.each([
    ['en-IN,en;q=0.9', '098765 43210'],
    ['hi', '098765 43210'],
    ['ta,en;q=0.5', '098765 43210'],
    ['en-US,en;q=0.9,hi-IN;q=0.1', '+91 98765 43210'],
    ['de', '+91 98765 43210'],
    ['zh-Hant-TW', '+91 98765 43210'],
    ['*', '+91 98765 43210'],
    [undefined, '+91 98765 43210'],
  ])('to a browser of %j as %s', (header, shown) => {
    expect(shownPhone(phone, preferredRegion(header))).toBe(shown)
  })

  it('on other pages with its country, and any other text as it is', () => {
    expect(displayPhone('98765-43210')).toBe('+91 98765 43210')
    expect(displayPhone('020-2550 1234')).toBe('+91 20 2550 1234')
    expect(displayPhone('+14155552671')).toBe('+1 415 555 2671')
    expect(displayPhone('1800 425 3800')).toBe('1800 425 3800')
    expect(displayPhone('ask at the desk')).toBe('ask at the desk')
  })
})

describe('a mobile number gets', () => {
  const phone = readPhone('098765 43210') as NonNullable<ReturnType<typeof readPhone>>

  it('calls and messages', () => {
    expect(telHref(phone)).toBe('tel:+919876543210')
    expect(smsHref(phone)).toBe('sms:+919876543210')
  })

  it('chats with the message encoded', () => {
    expect(whatsappHref(phone, 'Hello! I found your keys. #1 & more')).toBe(
      'https://wa.me/919876543210?text=Hello!%20I%20found%20your%20keys.%20%231%20%26%20more',
    )
    expect(whatsappHref(phone, 'half \ud83d')).toBe('https://wa.me/919876543210?text=half%20')
  })
})

it('the numbering plans do not come to browsers, and to the server with the first number', async () => {
  const { metafile } = await build({
    entryPoints: ['islands/codes/qr-form.tsx', 'islands/codes/claim-form.tsx'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
    outdir: 'nowhere',
  })
  const files = Object.keys(metafile.inputs)
  expect(files).toContain('domain/accounts/phone-library.browser.ts')
  expect(files.filter((file) => /libphonenumber|phone-library\.ts/.test(file))).toEqual([])
  const program = `
    const { readPhone } = await import('#domain/accounts/phone.ts')
    const isLoaded = () => Object.keys(require.cache).some((path) => path.includes('libphonenumber'))
    const { createRequire } = await import('node:module')
    const require = createRequire(import.meta.url)
    const before = isLoaded()
    readPhone('9876543210')
    console.log(before, isLoaded())`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program])
  expect(String(said)).toBe('false true\n')
})
