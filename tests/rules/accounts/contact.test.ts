import { describe, expect, it, vi } from 'vitest'
import {
  contactTexts,
  isEmail,
  mailboxOf,
  mailtoHref,
  normalizeEmail,
  parseContact,
} from '#domain/accounts/contact.ts'
import { storedTelHref } from '#domain/accounts/phone.ts'

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

describe('the links of a contact', () => {
  it('have exactly one recipient', () => {
    expect(mailtoHref(' Ramesh.K@Example.in', 'Found keys & more')).toBe(
      'mailto:ramesh.k@example.in?subject=Found%20keys%20%26%20more',
    )
    expect(mailtoHref('a?cc=x%40y.z@b.c', 'x')).toBe('mailto:a%3Fcc%3Dx%2540y.z@b.c?subject=x')
  })

  it.each(['', 'javascript:alert(1)', 'data:text/html,x', '12', '" onclick="x', '//evil.example'])(
    'do not exist for %j',
    (text) => {
      expect(storedTelHref(text)).toBeUndefined()
      expect(mailtoHref(text, 'x')).toBeUndefined()
    },
  )
})

describe('a contact that is typed to sign in', () => {
  it('is an e-mail, a mobile number or neither', () => {
    expect(parseContact(' A@B.in ')).toEqual({ kind: 'email', email: 'a@b.in' })
    expect(parseContact('098765 43210')).toEqual({ kind: 'mobile', mobile: '+919876543210' })
    for (const text of ['', 'ramesh', '12345', '112', 'a@b'])
      expect(parseContact(text)).toBeUndefined()
  })

  it.each([
    ['5555555555', ['5555555555', '+915555555555']],
    ['+91 55555 55555', ['5555555555', '+915555555555']],
    ['(415) 555-2671', ['4155552671', '+914155552671']],
    ['14155552671', ['14155552671', '+14155552671']],
  ])('is a number of no plan in one form, and in that of earlier versions: %j', (typed, forms) => {
    const contact = parseContact(typed)
    expect(contact && contactTexts(contact)).toEqual(forms)
  })
})

describe('a domain in its own letters is the same as name servers know it', () => {
  it.each(['ravi@उदाहरण.भारत', 'ravi@xn--p1b6ci4b4b3a.xn--h2brj9c', ' Ravi@उदाहरण.भारत '])(
    '%s',
    (typed) => {
      expect(normalizeEmail(typed)).toBe('ravi@xn--p1b6ci4b4b3a.xn--h2brj9c')
    },
  )

  it.each(['राम@example.in', 'a@b', 'a@उदाहरण/भारत', 'a b@c.in'])(
    'and nothing else is: %s',
    (typed) => {
      expect(normalizeEmail(typed)).toBe(typed)
    },
  )
})
