import { describe, expect, it, vi } from 'vitest'
import {
  displayMobile,
  displayPhone,
  isEmail,
  isMobileAsTyped,
  mailboxOf,
  mailtoHref,
  normalizeEmail,
  normalizeMobile,
  parseContact,
  smsHref,
  telHref,
  whatsappHref,
} from '#domain/accounts/contact.ts'

describe('a mailbox', () => {
  it.each([
    'asha@example.co.in',
    'asha+keys@example.co.in',
    'asha+a+b@example.co.in',
    'asha@example.co.in.',
    'asha@example.co。in',
    'asha@ｅxample．co.in',
  ])('is one, by its address as %s', (text) => expect(mailboxOf(text)).toBe('asha@example.co.in'))

  it.each(['ash.a@example.co.in', '+919876543210', '+@example.in', 'a@b.c d'])(
    'of %s is no other',
    (text) => expect(mailboxOf(text)).toBe(text),
  )

  it.each([
    'ashapatil@gmail.com',
    'asha.patil@gmail.com',
    'a.s.h.a.patil+keys@gmail.com',
    'asha.patil@googlemail.com',
    'asha.patil@GMAIL.com.',
  ])('is one at Gmail, by its address as %s', (text) => {
    expect(mailboxOf(text)).toBe('ashapatil@gmail.com')
  })

  it('has the domain as name servers know it', () => {
    expect(mailboxOf('राम@उदाहरण.भारत')).toBe('राम@xn--p1b6ci4b4b3a.xn--h2brj9c')
  })
})

describe('an e-mail address', () => {
  it('is compared in lower case and without outer spaces', () => {
    expect(normalizeEmail('  Ramesh.K@Example.IN ')).toBe('ramesh.k@example.in')
  })

  it.each(['a@b.c', 'ramesh.k+keys@example.co.in', "o'brien@example.ie", 'राम@उदाहरण.भारत'])(
    'may be %s',
    (text) => expect(isEmail(text)).toBe(true),
  )

  it.each([
    '',
    'ramesh',
    'ramesh@example',
    '@example.in',
    'a@.c',
    'a@b.',
    'a b@c.d',
    ' a@b.c',
    'a@b@c.d',
    'a@b.c,x@y.z',
    'a,b@c.d',
    'Ramesh<a@b.c>',
    'group:a@b.c;',
    'a(b)@c.d',
    '"a"@b.c',
    'a\\b@c.d',
    'a@b.c\r\nBcc:x@y.z',
    'a@b.c\u0000',
    'a\u200b@b.c',
    'a\u202e@b.c',
    `a@${'b'.repeat(200)}.c`,
  ])('may not be %j', (text) => expect(isEmail(text)).toBe(false))

  it('is compared with no pattern when it is too long', () => {
    using compared = vi.spyOn(RegExp.prototype, 'exec')
    expect(isEmail(`a@${'.'.repeat(10_000)}@`)).toBe(false)
    expect(compared).not.toHaveBeenCalled()
  })
})

describe('a mobile number', () => {
  it.each([
    '9876543210',
    '98765 43210',
    '98765-43210',
    '(98765) 43210',
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
    '98765‑43210',
  ])('typed as %j is +919876543210', (text) => {
    expect(normalizeMobile(text)).toBe('+919876543210')
  })

  it('that begins with 91 and has ten digits is a whole Indian number', () => {
    expect(normalizeMobile('9198765432')).toBe('+919198765432')
  })

  it.each([
    ['+1 (415) 555-2671', '+14155552671'],
    ['0044 7911 123456', '+447911123456'],
    ['447911123456', '+447911123456'],
    ['+971 50 123 4567', '+971501234567'],
    ['+123456789012345', '+123456789012345'],
  ])('from abroad is kept: %j', (text, e164) => expect(normalizeMobile(text)).toBe(e164))

  it.each([
    '',
    '12345',
    '987654321',
    '+91 98765 4321',
    '+91 98765 432101',
    '91987654321',
    '+1234567890123456',
    '0000000000',
    '+0123456789',
    '98765x43210',
    '98765+43210',
    '++919876543210',
    '----------',
    'javascript:alert(1)',
    'tel:9876543210',
    '9876543210;ext=1',
    '९८७६५४३२१०',
  ])('cannot be %j', (text) => expect(normalizeMobile(text)).toBeUndefined())

  it('in its stored form stays as it is', () => {
    for (let n = 0; n < 2000; n++) {
      const national = String(1_000_000_000 + Math.floor(Math.random() * 9_000_000_000))
      expect(normalizeMobile(national)).toBe(`+91${national}`)
      expect(normalizeMobile(`+91${national}`)).toBe(`+91${national}`)
      expect(normalizeMobile(displayMobile(`+91${national}`))).toBe(`+91${national}`)
    }
  })

  it('is shown in groups when it is Indian', () => {
    expect(displayMobile('+919876543210')).toBe('+91 98765 43210')
    expect(displayMobile('+14155552671')).toBe('+14155552671')
    expect(displayPhone('98765-43210')).toBe('+91 98765 43210')
    expect(displayPhone('0044 20 7946 0000')).toBe('+442079460000')
    expect(displayPhone('ask at the desk')).toBe('ask at the desk')
    expect(displayPhone(null)).toBeNull()
  })
})

describe('the rule of the child registration form', () => {
  it.each(['9876543210', '+91 98765 43210', '(022) 1234-567', '123456789012345', '----------'])(
    'takes %j',
    (text) => expect(isMobileAsTyped(text)).toBe(true),
  )

  it.each(['', '123456789', '1234567890123456', '98765.43210', '98765a3210', 'a@example.in'])(
    'refuses %j',
    (text) => expect(isMobileAsTyped(text)).toBe(false),
  )

  it('does not count spaces', () => {
    expect(isMobileAsTyped('1 2 3 4 5 6 7 8 9')).toBe(false)
    expect(isMobileAsTyped('1 2 3 4 5 6 7 8 9 0')).toBe(true)
  })
})

describe('the links of a contact', () => {
  it('call and write to the number in E.164', () => {
    expect(telHref('098765 43210')).toBe('tel:+919876543210')
    expect(smsHref('98765 43210')).toBe('sms:+919876543210')
  })

  it('open WhatsApp with the message encoded', () => {
    expect(whatsappHref('+919876543210', 'Hello! I found your keys. #1 & more')).toBe(
      'https://wa.me/919876543210?text=Hello!%20I%20found%20your%20keys.%20%231%20%26%20more',
    )
    expect(whatsappHref('+919876543210', 'half \ud83d')).toBe(
      'https://wa.me/919876543210?text=half%20',
    )
  })

  it('have exactly one recipient', () => {
    expect(mailtoHref(' Ramesh.K@Example.in', 'Found keys & more')).toBe(
      'mailto:ramesh.k@example.in?subject=Found%20keys%20%26%20more',
    )
    expect(mailtoHref('a?cc=x%40y.z@b.c', 'x')).toBe('mailto:a%3Fcc%3Dx%2540y.z@b.c?subject=x')
  })

  it.each(['', 'javascript:alert(1)', 'data:text/html,x', '12', '" onclick="x', '//evil.example'])(
    'do not exist for %j',
    (text) => {
      expect(telHref(text)).toBeUndefined()
      expect(smsHref(text)).toBeUndefined()
      expect(whatsappHref(text, 'x')).toBeUndefined()
      expect(mailtoHref(text, 'x')).toBeUndefined()
    },
  )
})

describe('what is typed to sign in', () => {
  it('is an e-mail, a mobile number or neither', () => {
    expect(parseContact(' A@B.in ')).toEqual({ kind: 'email', email: 'a@b.in' })
    expect(parseContact('098765 43210')).toEqual({ kind: 'mobile', mobile: '+919876543210' })
    for (const text of ['', 'ramesh', '12345', 'a@b']) expect(parseContact(text)).toBeUndefined()
  })
})
