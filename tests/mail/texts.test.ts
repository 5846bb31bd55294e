import { describe, expect, test } from 'vitest'
import { accountExistsMail, loginOtpMail, registrationOtpMail, resetOtpMail } from '#mail/texts.ts'

const origin = { site: 'keys.example.in', timezone: 'Asia/Kolkata' }
const otp = { ...origin, otp: '048192', expiresAt: '2026-11-20T19:40:00.000Z' }

describe.each([
  ['registration', registrationOtpMail, /creating an account/],
  ['login', loginOtpMail, /logging in/],
  ['password reset', resetOtpMail, /forgotten the password/],
])('the mail with a %s OTP', (purpose, write, reason) => {
  const { subject, text } = write(otp)

  test('says who sends it and why, with the OTP and its end on the clock of the place', () => {
    expect(subject).toBe(`Your DriveQR ${purpose} OTP`)
    expect(text).toMatch(/^This mail is from DriveQR at keys\.example\.in\.\n/)
    expect(text).toMatch(reason)
    expect(text).toContain('048192')
    expect(text).toContain('21 Nov 2026, 1:10 am (Asia/Kolkata)')
  })

  test('has no link, and keeps the OTP out of the subject, which lock screens show', () => {
    expect(text).not.toMatch(/https?:|www\./)
    expect(subject).not.toContain('048192')
  })
})

test('the mail to an address that has an account says so, without an OTP', () => {
  const { subject, text } = accountExistsMail({
    ...origin,
    askedAt: new Date('2026-11-20T10:00:00.000Z'),
  })
  expect(subject).toBe('You already have a DriveQR account')
  expect(text).toContain('On 20 Nov 2026, 3:30 pm (Asia/Kolkata)')
  expect(text).toContain('log in with your password')
  expect(text).not.toMatch(/\b\d{6}\b/)
})

test('no line is so long that a mail server would break it', () => {
  for (const { text } of [registrationOtpMail(otp), loginOtpMail(otp), resetOtpMail(otp)]) {
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  }
})
