import { describe, expect, it } from 'vitest'
import { cleanLine, cleanText, LENGTHS, lengthProblem, quotedName, unlinked } from '#domain/text.ts'
import { textOf } from '#tests/support/refusals.ts'

describe('a text as it is kept', () => {
  it('is trimmed, inner spaces stay', () => {
    expect(cleanText('  Ramesh  Kulkarni\n')).toBe('Ramesh  Kulkarni')
  })

  it.each(['', '   ', '\n\t', '\u200b', '\u200d \u202e', '\u0000', null, undefined, 7, {}, []])(
    'is null when nothing visible was sent (%j)',
    (value) => expect(cleanText(value)).toBeNull(),
  )

  it('has one kind of line end, whether it came by form or by JSON', () => {
    expect(cleanText('one\r\ntwo\rthree\nfour')).toBe('one\ntwo\nthree\nfour')
  })

  it('loses control characters and half characters, and nothing that is written', () => {
    expect(cleanText('a\u0000b\u0007c\u009fd\ud800e')).toBe('abcde')
    expect(cleanText('राम 👨‍👩‍👧 O’Brien\tüß')).toBe('राम 👨‍👩‍👧 O’Brien\tüß')
  })

  it.each([
    ['Zoe\u0308', 'Zo\u00eb'],
    ['\u095bोया', '\u091c\u093cोया'],
  ])('is spelt the same on every keyboard: %j', (typed, kept) => {
    expect(cleanText(typed)).toBe(kept)
    expect(cleanLine(kept)).toBe(kept)
  })
})

/** Characters that would reverse, hide or break the text around them. */
const HIDDEN = [
  ...'\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2060\u2061\u2066\u2067\u2068\u2069',
  ...'\u202a\u202b\u202c\u202d\u202e\u206a\u206f\u3164\ufeff\uffa0\ufff9\ufffb\u{e0001}\u{e0041}\u0085',
]

describe('hidden characters', () => {
  it.each(HIDDEN.map((each) => [each]))('go: %j', (hidden) => {
    expect(cleanLine(`a${hidden}b`)).toMatch(/^a ?b$/)
    expect(cleanText(`${hidden}\n${hidden}`)).toBeNull()
  })

  it.each([
    ['क्\u200dष र\u200cम', 'joiners that Indic scripts are spelt with'],
    ['👨‍👩‍👧 ❤️ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 'emoji and flags'],
    ['\u0601 ۱۴۰۳, سعيد, ‏'.replace('\u200f', 'x'), 'Arabic signs'],
    ['ਗੁਰਲੀਨ ਕੌਰ', 'vowel signs'],
  ])('%s stays: %s', (written) => expect(cleanLine(written)).toBe(written))

  it('that are line ends part lines, and words in a field of one line', () => {
    const typed = 'a\r\nb\u2028c\u2029d\u0085e\vf'
    expect(cleanText(typed)).toBe('a\nb\nc\nd\ne\nf')
    expect(cleanLine(`${typed}\tg`)).toBe('a b c d e f g')
  })
})

describe('a name in a mail to another person', () => {
  it.each([
    ['Asha Patil', '“Asha Patil”'],
    ['Dr.Rao', '“Dr. Rao”'],
    ['A.P.J. Abdul Kalam', '“A. P. J. Abdul Kalam”'],
    ['Kumar C/O Sharma & Co., Pune', '“Kumar C/O Sharma & Co., Pune”'],
    ['Bank” of “India', "“Bank' of 'India”"],
    ['evil.example.com', '“evil. example. com”'],
    ['https://evil.example/x', '“https: //evil. example/x”'],
    ['www.evil.com pay@evil.com', '“www. evil. com pay @ evil. com”'],
    ['evil。com evil．com evil.\u200dcom', '“evil。 com evil． com evil. \u200dcom”'],
    ['mailto:pay@evil', '“mailto: pay @ evil”'],
    ['Asha\u202e\r\nBcc: x', '“Asha Bcc: x”'],
  ])('%j is %s', (name, quoted) => expect(quotedName(name)).toBe(quoted))
})

describe('a stranger’s text in a mail', () => {
  it.each([
    ['Look at evil.example/pay', 'Look at evil. example/pay'],
    ['https://evil.example/x', 'https: //evil. example/x'],
    ['http://203.0.113.9/pay', 'http: //203.0.113.9/pay'],
    ['pay@evil.example', 'pay @ evil. example'],
    ['evil。com evil．com ftp：//x', 'evil。 com evil． com ftp： //x'],
    ['evil.\u200dcom evil.\u200ccom', 'evil. \u200dcom evil. \u200ccom'],
  ])('has no link: %j becomes %j', (text, shown) => expect(unlinked(text)).toBe(shown))

  it.each([
    'Since 10:30 the lights are on. Call 98765.43210, or pay Rs 4.50!',
    'MH 12 AB 1234: left window, row 3.\nThank you...',
  ])('stays as it is where there is none: %j', (text) => expect(unlinked(text)).toBe(text))
})

describe('a text over its length', () => {
  it.each([
    ['Full Name', LENGTHS.name, 120],
    ['Public Message', LENGTHS.message, 1000],
    ['Notes / Instructions', LENGTHS.notes, 2000],
    ['Email', LENGTHS.other, 200],
  ])('is refused in a sentence that names %s', (label, max, expected) => {
    expect(max).toBe(expected)
    expect(lengthProblem(label, 'x'.repeat(max), max)).toBeUndefined()
    expect(textOf(lengthProblem(label, 'x'.repeat(max + 1), max))).toBe(
      `${label} must be at most ${max} characters`,
    )
  })

  it('is never a missing text', () => expect(lengthProblem('Email', null, 1)).toBeUndefined())
})
