import { describe, expect, it } from 'vitest'
import {
  cleanOtp,
  contactProblem,
  earlierOtp,
  loginProblem,
  minutesSeconds,
  OTP_LENGTH,
  OTP_MAX_TRIES,
  OTP_VALID_SECONDS,
  passwordProblem,
  profileProblem,
  registrationProblem,
  resetPasswordProblem,
  sendOtpProblem,
  stripOtp,
} from '#domain/accounts/registration.ts'
import { textOf } from '#tests/support/refusals.ts'

describe('asking for an OTP', () => {
  it('needs an address', () => {
    for (const email of ['', '   ']) {
      expect(textOf(sendOtpProblem(email))).toBe('Please enter your email address')
    }
  })

  it('needs one that can be written to', () => {
    for (const email of ['ramesh', 'a@b', 'a b@c.d', `${'a'.repeat(200)}@b.c`]) {
      expect(textOf(sendOtpProblem(email))).toBe('Please enter a valid email address')
    }
    expect(sendOtpProblem(' Ramesh@Example.in ')).toBeUndefined()
  })
})

describe('a change of the profile', () => {
  it.each([
    [{}, undefined],
    [{ name: 'Asha', mobile: '98765 43210' }, undefined],
    [{ mobile: null }, undefined],
    [{ mobile: '' }, undefined],
    [{ name: ' ' }, 'Please enter your name'],
    [{ mobile: '12345' }, 'Please enter a valid mobile number'],
    [{ name: '', mobile: '12345' }, 'Please enter your name'],
  ])('to %j: %s', (change, problem) => expect(textOf(profileProblem(change))).toBe(problem))
})

describe('a registration', () => {
  const good = { name: 'Asha', password: 'secret', confirmPassword: 'secret', otp: '123456' }

  it('is taken when all is well, with a confirmation or without one', () => {
    expect(registrationProblem(good)).toBeUndefined()
    expect(registrationProblem({ name: 'Asha', password: 'secret', otp: '000000' })).toBeUndefined()
  })

  it('names the problems one by one, in the order of the form', () => {
    let form = { name: '  ', password: '', confirmPassword: 'other', otp: '12' }
    const mend = (fields: Partial<typeof form>) => {
      form = { ...form, ...fields }
    }
    expect(textOf(registrationProblem(form))).toBe('Please enter your name')
    mend({ name: 'x'.repeat(121) })
    expect(textOf(registrationProblem(form))).toBe('Name must be at most 120 characters')
    mend({ name: 'Asha' })
    expect(textOf(registrationProblem(form))).toBe('Please enter a password')
    mend({ password: 'short' })
    expect(textOf(registrationProblem(form))).toBe('Password must be at least 6 characters long')
    mend({ password: 'secret' })
    expect(textOf(registrationProblem(form))).toBe('Passwords do not match')
    mend({ confirmPassword: 'secret' })
    expect(textOf(registrationProblem(form))).toBe('Please enter the 6-digit OTP')
    mend({ otp: '123456' })
    expect(registrationProblem(form)).toBeUndefined()
  })

  it.each(['', '12345', '1234567', '12345a', ' 12345', '123 456', '１２３４５６'])(
    'refuses the OTP %j',
    (otp) =>
      expect(textOf(registrationProblem({ ...good, otp }))).toBe('Please enter the 6-digit OTP'),
  )
})

describe('a password', () => {
  it('has 6 to 128 characters of any kind', () => {
    for (const password of ['123456', '      ', 'पासवर्ड', 'x'.repeat(128)]) {
      expect(passwordProblem({ password })).toBeUndefined()
    }
    expect(textOf(passwordProblem({ password: 'x'.repeat(129) }))).toBe(
      'Password must be at most 128 characters long',
    )
  })

  it('is repeated exactly, letter case and spaces too', () => {
    for (const confirmPassword of ['', 'Secret', 'secret ']) {
      expect(textOf(passwordProblem({ password: 'secret', confirmPassword }))).toBe(
        'Passwords do not match',
      )
    }
  })
})

describe('a login', () => {
  it('reports the contact first, then the password', () => {
    expect(textOf(loginProblem({ contact: ' ', password: '' }))).toBe(
      'Please enter your email or mobile number',
    )
    expect(textOf(loginProblem({ contact: 'a@b.c', password: '' }))).toBe(
      'Please enter your password',
    )
    expect(loginProblem({ contact: 'a@b.c', password: ' ' })).toBeUndefined()
  })
})

describe('a reset', () => {
  it('reports contact, password, confirmation and OTP, in this order', () => {
    const form = { contact: '', password: 'abc', confirmPassword: 'x', otp: '' }
    expect(textOf(resetPasswordProblem(form))).toBe('Please enter your email or mobile number')
    form.contact = '98765 43210'
    expect(textOf(resetPasswordProblem(form))).toBe('Password must be at least 6 characters long')
    form.password = 'abcdef'
    expect(textOf(resetPasswordProblem(form))).toBe('Passwords do not match')
    form.confirmPassword = 'abcdef'
    expect(textOf(resetPasswordProblem(form))).toBe('Please enter the 6-digit OTP')
    form.otp = '123456'
    expect(resetPasswordProblem(form)).toBeUndefined()
  })

  it('needs a contact that is not blank', () => {
    expect(textOf(contactProblem('\u200b '))).toBe('Please enter your email or mobile number')
    expect(contactProblem('anything')).toBeUndefined()
  })
})

describe('an OTP', () => {
  it('has 6 digits, lives 600 seconds and five wrong tries', () => {
    expect([OTP_LENGTH, OTP_VALID_SECONDS, OTP_MAX_TRIES]).toEqual([6, 600, 5])
  })

  it('is taken out of whatever was pasted', () => {
    expect(stripOtp('OTP: 481 920.')).toBe('481920')
    expect(stripOtp('12345678')).toBe('123456')
    expect(stripOtp('none')).toBe('')
  })
})

describe('the countdown', () => {
  it.each([
    [600, '10:00'],
    [582, '9:42'],
    [60, '1:00'],
    [59, '0:59'],
    [58.1, '0:59'],
    [1, '0:01'],
    [0, '0:00'],
    [-3, '0:00'],
  ])('shows %d seconds as %s', (seconds, shown) => expect(minutesSeconds(seconds)).toBe(shown))

  it('says how long to wait', () => {
    expect(earlierOtp(65)).toMatchObject({
      message: 'Please wait 1:05 before requesting new OTP.',
      retryAfter: 65,
    })
  })
})

it.each(['506 581', '506-581', '506–581', ' 506581 ', '५०६ ५८१'])('reads the OTP %s', (typed) => {
  expect(cleanOtp(typed)).toBe('506581')
})
