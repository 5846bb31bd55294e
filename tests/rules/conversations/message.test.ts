import { describe, expect, test } from 'vitest'
import {
  firstLineOf,
  QUICK_ANSWERS,
  QUICK_OF_REASON,
  readFirstMessage,
  readText,
} from '#domain/conversations/message.ts'
import { userOfCode } from '#domain/conversations/rules.ts'
import { textOf } from '#tests/support/refusals.ts'

const FOUND = { reason: 'found' }

function problemOf(sent: Record<string, unknown>) {
  const { problem } = readFirstMessage(sent)
  return problem && { field: problem.field, message: textOf(problem.refusal) }
}

function read(sent: Record<string, unknown>) {
  return readFirstMessage({ ...FOUND, ...sent }).message
}

describe('the first message of a finder', () => {
  test('is kept in one form, and an empty field is null', () => {
    expect(readFirstMessage(FOUND).message).toStrictEqual({
      reason: 'found',
      text: '',
      place: null,
      latitude: null,
      longitude: null,
      accuracy: null,
      name: null,
      reply_to: null,
      show_contact: false,
    })
    expect(
      read({
        text: '  I have them.\r\nCome soon.  ',
        place: ' Gate 2\nFC Road ',
        latitude: '18.5284567',
        longitude: 73.8412349,
        accuracy: '12.4',
        name: ' Ravi ',
        reply_to: ' Ravi@Example.IN ',
        show_contact: 'on',
      }),
    ).toStrictEqual({
      reason: 'found',
      text: 'I have them.\nCome soon.',
      place: 'Gate 2 FC Road',
      latitude: 18.52846,
      longitude: 73.84123,
      accuracy: 12,
      name: 'Ravi',
      reply_to: 'ravi@example.in',
      show_contact: true,
    })
  })

  test.each([
    [{}, 'reason', 'Please choose what it is about'],
    [{ reason: 'love' }, 'reason', 'Please choose what it is about'],
    [{ reason: ['found'] }, 'reason', 'Please choose what it is about'],
    [{ reason: 'other' }, 'text', 'Please write a message'],
    [{ reason: 'other', text: ' \u202e\u200b ' }, 'text', 'Please write a message'],
    [{ ...FOUND, text: 'a'.repeat(1001) }, 'text', 'Message must be at most 1000 characters'],
    [{ ...FOUND, place: 'a'.repeat(201) }, 'place', 'Place must be at most 200 characters'],
    [{ ...FOUND, name: 'a'.repeat(61) }, 'name', 'Name must be at most 60 characters'],
    [
      { ...FOUND, reply_to: 'ravi at home' },
      'reply_to',
      'Please enter an e-mail address or a mobile number',
    ],
    // The first of several, in the form's order.
    [{ reply_to: 'x', reason: 'found', place: 'a'.repeat(201) }, 'place', /^Place/],
  ])('%o is refused by its field', (sent, field, message) => {
    const expected = typeof message === 'string' ? message : expect.stringMatching(message)
    expect(problemOf(sent)).toEqual({ field, message: expected })
  })

  test.each([
    [{ latitude: 90.00001, longitude: 0 }],
    [{ latitude: -91, longitude: 0 }],
    [{ latitude: 0, longitude: 180.1 }],
    [{ latitude: 18.5 }],
    [{ longitude: 73.8 }],
    [{ latitude: 'north', longitude: '73' }],
    [{ latitude: '0x10', longitude: '73' }],
    [{ latitude: Number.NaN, longitude: 73 }],
    [{ latitude: Number.POSITIVE_INFINITY, longitude: 73 }],
    [{ latitude: [18], longitude: 73 }],
    [{ latitude: true, longitude: 73 }],
    [{ latitude: 18, longitude: 73, accuracy: -1 }],
    [{ latitude: 18, longitude: 73, accuracy: 1e9 }],
  ])('%o is no place on Earth', (sent) => {
    expect(problemOf({ ...FOUND, ...sent })).toEqual({
      field: 'location',
      message: 'That is no place on Earth',
    })
  })

  test('the ends of the Earth are on it', () => {
    expect(read({ latitude: '-90', longitude: '180' })).toMatchObject({
      latitude: -90,
      longitude: 180,
      accuracy: null,
    })
    expect(Object.is(read({ latitude: -0.000001, longitude: 0 })?.latitude, 0)).toBe(true)
  })

  test('an accuracy of no place is left out', () => {
    expect(read({ accuracy: 5 })).toMatchObject({ latitude: null, accuracy: null })
  })

  test('a mobile number is kept only for the owner, and a tick without a contact is none', () => {
    expect(read({ reply_to: '98765 43210', show_contact: 'on' })).toMatchObject({
      reply_to: '+919876543210',
      show_contact: true,
    })
    expect(read({ reply_to: '98765 43210' })).toMatchObject({ reply_to: null, show_contact: false })
    expect(read({ reply_to: 'A@b.in' })).toMatchObject({ reply_to: 'a@b.in', show_contact: false })
    expect(read({ show_contact: true })?.show_contact).toBe(false)
    expect(read({ reply_to: 'a@b.in', show_contact: 'false' })?.show_contact).toBe(false)
  })

  test('hidden characters are removed, and visible ones stay as they are', () => {
    const text = '\u202eevil\u202c <b>bold</b> 👩‍👩‍👧 http://x.in\u0000'
    expect(read({ text })?.text).toBe('evil <b>bold</b> 👩‍👩‍👧 http://x.in')
    expect(read({ name: 'R\u200bavi\u2066' })?.name).toBe('Ravi')
  })

  test('1,000 emoji of one unit fit, and one more does not', () => {
    expect(read({ text: '☂'.repeat(1000) })?.text).toHaveLength(1000)
    expect(problemOf({ ...FOUND, text: '☂'.repeat(1001) })?.field).toBe('text')
  })
})

test('an answer needs a text of at most 1,000 characters', () => {
  expect(readText(' Yes\r\n ')).toBe('Yes')
  for (const empty of [undefined, null, '', ' \u200b', 5]) {
    expect(() => readText(empty)).toThrow('Please write a message')
  }
  expect(() => readText('a'.repeat(1001))).toThrow('Message must be at most 1000 characters')
})

test('the first line is cut between two characters', () => {
  expect(firstLineOf('Hello\nthere')).toBe('Hello')
  expect(firstLineOf('')).toBe('')
  expect(firstLineOf('👍'.repeat(200))).toBe('👍'.repeat(140))
})

describe('finders of a code write to', () => {
  const code = {
    qr_type: 'normal',
    owner_id: 'owner',
    child_account_id: null,
    is_claimed: 1,
    is_child_registered: 0,
    claimed_at: null,
  }
  test.each([
    ['its owner', code, 'owner'],
    ['nobody while it is unclaimed', { ...code, is_claimed: 0 }, undefined],
    ['nobody while a claimer holds it', { ...code, claimed_at: '2026-11-19' }, undefined],
    ['nobody while a child code is unregistered', { ...code, qr_type: 'child' }, undefined],
    [
      'the child user, not to the parent',
      { ...code, qr_type: 'child', is_child_registered: 1, child_account_id: 'child' },
      'child',
    ],
  ])('%s', (_, code, expected) => {
    expect(userOfCode(code)).toBe(expected)
  })
})

test.each([
  [
    'found',
    ['I am coming now', 'Please leave them at the security desk', 'Thank you, I have them back'],
  ],
  ['parking', ['I am coming now', 'Ten minutes, sorry', 'Somebody else is coming']],
  ['lights', ['Thank you, on my way', 'Somebody goes there now']],
  ['damage', ['I am coming now', 'Please call me']],
  ['accident', ['I am coming now', 'Please call me']],
  ['other', []],
] as const)('the quick answers to %s are %j', (reason, answers) => {
  expect(QUICK_OF_REASON[reason].map((key) => QUICK_ANSWERS[key])).toEqual(answers)
})
