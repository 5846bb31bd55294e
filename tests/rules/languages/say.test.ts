import { describe, expect, test } from 'vitest'
import { DomainError } from '#domain/error.ts'
import { en, loadCatalogue } from '#locales/catalogue.ts'
import { compileTexts } from '#locales/compile.ts'
import { formatWait } from '#locales/format.ts'
import { LANGS, type Lang } from '#locales/languages.ts'
import { format, type Message } from '#locales/message.ts'
import { formatRefusal, type Refusal, refusalText, refusalTexts } from '#locales/refusal.ts'

const hi = await loadCatalogue('hi')
const NOT_INDIAN: Record<Lang, string> = {
  en: 'This does not look like a number in India. Use it anyway?',
  hi: 'यह भारत का नंबर नहीं लगता। फिर भी इसे इस्तेमाल करें?',
  bn: 'এটি ভারতের নম্বর বলে মনে হচ্ছে না। তবুও ব্যবহার করবেন?',
  te: 'ఇది భారతదేశ నంబర్‌లా లేదు. అయినా వాడాలా?',
  mr: 'हा भारतातील नंबर वाटत नाही. तरीही वापरायचा का?',
  ta: 'இது இந்திய நம்பர் போல் தெரியவில்லை. இருந்தாலும் பயன்படுத்தவா?',
  gu: 'આ ભારતનો નંબર લાગતો નથી. તો પણ વાપરવો છે?',
  kn: 'ಇದು ಭಾರತದ ನಂಬರ್‌ನಂತೆ ಕಾಣುತ್ತಿಲ್ಲ. ಆದರೂ ಬಳಸಬೇಕೇ?',
  ml: 'ഇത് ഇന്ത്യയിലെ നമ്പറാണെന്ന് തോന്നുന്നില്ല. എങ്കിലും ഉപയോഗിക്കണോ?',
  pa: 'ਇਹ ਭਾਰਤ ਦਾ ਨੰਬਰ ਨਹੀਂ ਲੱਗਦਾ। ਫਿਰ ਵੀ ਵਰਤਣਾ ਹੈ?',
  ur: 'یہ بھارت کا نمبر نہیں لگتا۔ پھر بھی استعمال کریں؟',
}
const COUNTED = '{n, plural, one {one {n}} other {other {n}}}'

test.each([
  ['en', 'other 0'],
  ['hi', 'one 0'],
  ['bn', 'one 0'],
  ['te', 'other 0'],
  ['mr', 'other 0'],
  ['ta', 'other 0'],
  ['gu', 'one 0'],
  ['kn', 'one 0'],
  ['ml', 'other 0'],
  ['pa', 'one 0'],
  ['ur', 'other 0'],
])('a text follows its number as %s has it', (lang, none) => {
  const { counted } = compileTexts(lang, { counted: COUNTED })
  expect([0, 1, 2, 21].map((n) => format(counted as Message, { n }))).toEqual([
    none,
    'one 1',
    'other 2',
    'other 21',
  ])
})

test.each([
  [1, 'Try again in 1 second.'],
  [119, 'Try again in 119 seconds.'],
  [121, 'Try again in 3 minutes.'],
  [7_199, 'Try again in 120 minutes.'],
  [7_201, 'Try again in 3 hours.'],
  [172_800, 'Try again in 2 days.'],
  [172_801, 'Try again in 3 days.'],
])('in %i seconds is said in the largest unit of which there are two', (seconds, said) => {
  expect(formatWait(en, seconds)).toBe(said)
})

describe('a refusal', () => {
  const { otherwise, refusals } = hi

  test.each<[Refusal, string, unknown]>([
    ['invalid.mobile', 'Please enter a valid mobile number', refusals['invalid.mobile']],
    [
      { code: 'too_large.image', values: { mb: 5 } },
      'Image is larger than 5 MB',
      'फ़ोटो 5 MB से बड़ी है',
    ],
    [
      { code: 'invalid.too_long', values: { field: 'Text', most: 1000 } },
      'Text must be at most 1000 characters',
      otherwise.tooLong,
    ],
    [
      { code: 'too_many.tries', values: { wait: 1 } },
      'Too many tries. Try again in 1 second.',
      `${otherwise.tooMany} ${formatWait(hi, 1)}`,
    ],
    [
      { code: 'too_many.conversations', values: { count: 5, wait: 180 } },
      '5 conversations can be begun in an hour. Try again in 3 minutes.',
      `${otherwise.tooMany} ${formatWait(hi, 180)}`,
    ],
    ['unsupported.image_damaged', 'This image is damaged and cannot be read', otherwise.photo],
    ['conflict.took_too_long', 'That took too long. Please do it again.', otherwise.failed],
  ])('%j is said in the language of the page: %s', (refusal, english, hindi) => {
    expect(formatRefusal(hi, refusal)).toBe(hindi)
    expect(formatRefusal(en, refusal)).toBe(english)
    expect(new DomainError(refusal).message).toBe(english)
  })

  test.each(LANGS)(
    'of a number in %s names India as before, and other countries too',
    async (lang) => {
      const words = await loadCatalogue(lang)
      const said = (country: string) =>
        formatRefusal(words, { code: 'invalid.mobile_unknown', values: { country } })
      expect(said('IN')).toBe(NOT_INDIAN[lang])
      const names = new Intl.DisplayNames(lang, { type: 'region' })
      for (const country of ['DE', 'SG', 'BR']) expect(said(country)).toContain(names.of(country))
    },
  )

  test('with a wait says when to try again to programs too', () => {
    const error = new DomainError({ code: 'too_many.pin', values: { wait: 900 } })
    expect(error).toMatchObject({ kind: 'too_many', retryAfter: 900 })
  })

  test('is said by an island in the texts that it has', () => {
    const texts = refusalTexts(hi, ['invalid.password_short', 'invalid.too_long'])
    const short = { code: 'invalid.password_short', values: { least: 6 } } as const
    expect(refusalText(texts, short)).toBe(formatRefusal(hi, short))
    const long = { code: 'invalid.too_long', values: { field: 'Name', most: 120 } } as const
    expect(refusalText(texts, long)).toBe(otherwise.tooLong)
  })
})
