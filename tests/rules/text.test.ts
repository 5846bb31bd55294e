import { describe, expect, it } from 'vitest'
import { cleanText, LENGTHS, lengthProblem } from '#domain/text.ts'

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
    expect(lengthProblem(label, 'x'.repeat(max + 1), max)).toBe(
      `${label} must be at most ${max} characters`,
    )
  })

  it('is never a missing one', () => expect(lengthProblem('Email', null, 1)).toBeUndefined())
})
