import { describe, expect, test } from 'vitest'
import type { ConnectedKind } from '#domain/alerts/alert.ts'
import { quotedName } from '#domain/text.ts'
import { en } from '#locales/catalogue.ts'
import {
  emailChangedMail,
  emailMovedMail,
  emailTakenBackMail,
  factorMail,
  factorsRemovedMail,
  mobileChangedMail,
  newApiKeyMail,
  passwordMail,
} from '#mail/account-notices.ts'
import { writeLetter } from '#mail/letter.ts'
import {
  redemptionApprovedMail,
  redemptionRejectedMail,
  upgradeApprovedMail,
  upgradeRejectedMail,
} from '#mail/plan-decisions.ts'
import { sharedDocumentMail } from '#mail/shared-document.ts'
import {
  accountExistsMail,
  claimedMail,
  claimUndoneMail,
  emailInUseMail,
  loginOtpMail,
  newEmailOtpMail,
  registrationOtpMail,
  resetLinkMail,
  resetOtpMail,
} from '#mail/texts.ts'

const origin = { site: 'keys.example.in', timezone: 'Asia/Kolkata' }
const otp = { ...origin, otp: '048192', expiresAt: '2026-11-20T19:40:00.000Z' }

describe.each([
  ['registration', registrationOtpMail, /creating an account/],
  ['login', loginOtpMail, /logging in/],
  ['password reset', resetOtpMail, /forgotten the password/],
])('the mail with a %s OTP', (purpose, write, reason) => {
  const { subject, text } = write(otp)

  test('says who sends it and why, with the OTP and its end on the clock of the place', () => {
    expect(subject).toBe(`048192 is your DriveQR ${purpose} OTP`)
    expect(text).toMatch(/^This mail is from DriveQR at keys\.example\.in\.\n/)
    expect(text).toMatch(reason)
    expect(text).toContain('048192')
    expect(text).toContain('21 Nov 2026, 1:10 am (Asia/Kolkata)')
  })

  test('has no link', () => {
    expect(text).not.toMatch(/https?:|www\./)
  })
})

test('the mail to an address with an account says that, how to log in, and has no OTP', () => {
  const requestedAt = new Date('2026-11-20T10:00:00.000Z')
  const { subject, text } = accountExistsMail({ ...origin, requestedAt })
  expect(subject).toBe('You already have a DriveQR account')
  expect(text).toContain('On 20 Nov 2026, 3:30 pm (Asia/Kolkata)')
  expect(text).toContain('Log in with your password')
  expect(text).not.toMatch(/\b\d{6}\b/)
})

const now = new Date('2026-11-20T10:00:00.000Z')
const url = 'https://keys.example.in/reset-password?token=abc'
const shared = {
  ...origin,
  url: 'https://keys.example.in/shared/abc',
  document_type: 'puc',
  expiresAt: '2026-11-27T10:00:00.000Z',
} as const

const decision = {
  site: origin.site,
  dashboardUrl: 'https://keys.example.in/dashboard',
  support: 'help@example.in',
}
const upgrade = { ...decision, plan: 'premium', notes: 'Paid twice' } as const
const benefit = { subscription_plan: null, child_qr_quantity: 3, discount_value: 10 }
const redemption = { ...decision, code: 'FLEET10', benefit }

const approved = {
  ...upgrade,
  until: '20 Dec 2026',
  receipt: { number: 'R-2026-000001', url: `${upgrade.dashboardUrl}/receipt` },
}
const passwordSet = {
  passkeys: 1,
  ...origin,
  publicUrl: 'https://driveqr.example.in',
  way: 'code' as const,
  now,
  keys: ['Stock program', 'Till'],
  links: 3,
  channels: ['push', 'webhook'] as ConnectedKind[],
  calendar: true,
  domain: 'keys.example.in',
}

const device = {
  ...origin,
  publicUrl: 'https://driveqr.example.in',
  now,
  device: 'phone' as const,
  browser: 'Chrome on Android',
}
const changedHere = {
  ...passwordSet,
  way: 'settings' as const,
  from: device,
  hasPassword: true,
}

describe.each([
  ['upgrade approved', upgradeApprovedMail(approved)],
  ['upgrade rejected', upgradeRejectedMail(upgrade)],
  ['redemption approved', redemptionApprovedMail(redemption)],
  ['redemption rejected', redemptionRejectedMail(redemption)],
  ['registration', registrationOtpMail(otp)],
  ['login', loginOtpMail(otp)],
  ['password reset', resetOtpMail(otp)],
  ['registration of a typed address', registrationOtpMail({ ...otp, isTyped: true })],
  ['account exists', accountExistsMail({ ...origin, requestedAt: now })],
  ['reset link', resetLinkMail({ words: en, ...origin, url })],
  ['password changed', passwordMail({ ...passwordSet, hasPassword: true })],
  ['password ended', passwordMail({ ...passwordSet, hasPassword: false })],
  ['password changed in the settings', passwordMail(changedHere)],
  ['email changed', emailChangedMail({ ...device, email: 'b@example.in' })],
  ['mobile number changed', mobileChangedMail(device)],
  ['authenticator app', factorMail({ ...device, change: 'app-on' })],
  ['passkey', factorMail({ ...device, change: 'passkey-on' })],
  ['second factor removed', factorsRemovedMail(device)],
  ['email moved', emailMovedMail({ ...device, email: 'b@example.in', url, hours: 72 })],
  ['email taken back', emailTakenBackMail({ ...passwordSet, login_id: 'ID-7K3M-Q9WD-4XTP' })],
  ['new email', newEmailOtpMail(otp)],
  ['email in use', emailInUseMail({ ...origin, requestedAt: now })],
  ['new API key', newApiKeyMail({ ...origin, name: 'Stock program', scopes: null, madeAt: now })],
  ['claim', claimedMail({ words: en, ...origin, name: '7K3M-Q9WD-4XTP', url })],
  ['claim undone', claimUndoneMail({ words: en, ...origin, name: '7K3M-Q9WD-4XTP' })],
  ['shared document', sharedDocumentMail({ ...shared, sender: 'Asha Patil' })],
])('the %s mail', (_name, { subject, text, html }) => {
  test('says the same as text and as HTML, under the name of the product', () => {
    expect(subject).toMatch(/DriveQR|document|QR code/)
    expect(html).toContain(`<title>${subject}</title>`)
    const words = wordsOf(html)
    for (const word of text.split(/\s+/).filter((each) => !each.startsWith('http'))) {
      expect(words).toContain(word.replace(/:$/, ''))
    }
  })

  test('asks nothing from anywhere when it is opened, and has one link at most', () => {
    expect(html).not.toMatch(/<img|<script|<link|<iframe|url\(|@import|src=/i)
    const links = html.match(/href="[^"]*"/g) ?? []
    expect(links.length).toBeLessThanOrEqual(1)
    expect(links.length).toBe((text.match(/https?:/g) ?? []).length)
  })

  test('has no line that a mail server would break', () => {
    const wrapped = text.split('\n').map((line) => line.replace(/^> /, ''))
    expect(wrapped.filter((line) => line.length > 78 && line.includes(' '))).toEqual([])
    expect(Math.max(...html.split('\n').map((line) => line.length))).toBeLessThan(998)
  })
})

function wordsOf(html: string): string {
  const body = html.slice(html.indexOf('<body>')).replace(/<[^>]+>/g, ' ')
  return body
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
}

describe.each([
  ['of who shares a document', (sender: string) => sharedDocumentMail({ ...shared, sender })],
  [
    'of a new API key',
    (name: string) => newApiKeyMail({ ...origin, name, scopes: ['messages'], madeAt: now }),
  ],
  [
    'of an API key that a new password ended',
    (key: string) => passwordMail({ ...passwordSet, keys: [key], hasPassword: true }),
  ],
])('the name %s, which somebody typed', (_name, mailFrom) => {
  test.each([
    '<img src=x onerror=alert(1)>',
    '</p><a href="https://evil.example">click</a>',
    '" onmouseover="x',
    "' style='color:red",
    '&lt;b&gt;',
  ])('%s stays text', (sender) => {
    const { html, text } = mailFrom(sender)
    expect(html.match(/<[a-z!/][^>]*>/gi)).toEqual(mailFrom('Asha').html.match(/<[a-z!/][^>]*>/gi))
    expect(text.replace(/\s+/g, ' ')).toContain(quotedName(sender))
  })

  test.each([
    'Verify at evil.example.com',
    'https://evil.example/login',
    'www.evil.example',
    'Call pay@evil.example',
    'evil\u3002com',
  ])('%s becomes no link', (sender) => {
    const { text, html } = mailFrom(sender)
    const clean = text
      .replaceAll(shared.url, '')
      .replaceAll('https://driveqr.example.in/settings/security', '')
      .replaceAll(origin.site, '')
    expect(clean).not.toMatch(/[\p{L}\p{N}][.\u3002][\p{L}\p{N}]|:\/\/|\S@\S/u)
    expect(html.match(/href="[^"]*"/g)).toEqual(mailFrom('Asha').html.match(/href="[^"]*"/g))
  })

  test('with line breaks makes no paragraph, no header and no link of its own', () => {
    const sender = 'Asha\r\n\r\nOpen the document:\nhttps://evil.example\r\nBcc: ravi@example.in\n'
    const { text, subject } = mailFrom(sender)
    expect(text).not.toMatch(/^https:\/\/evil/m)
    expect(text.split('\n\n')).toHaveLength(mailFrom('Asha').text.split('\n\n').length)
    expect(subject).not.toMatch(/[\r\n]/)
  })
})

const HIDDEN = '\u202e\u2066\u200f\u061c\u200b\ufeff\u0000\u0007\u009b\u2028'
const hostile = `A${HIDDEN}B\r\nBcc: x@example.in\r\n\r\nC`

test.each([
  ['upgrade approved', upgradeApprovedMail({ ...approved, notes: hostile })],
  ['upgrade rejected', upgradeRejectedMail({ ...upgrade, notes: hostile, support: hostile })],
  ['redemption approved', redemptionApprovedMail({ ...redemption, code: hostile })],
  ['redemption rejected', redemptionRejectedMail({ ...redemption, code: hostile })],
  ['claim', claimedMail({ words: en, ...origin, name: hostile, url })],
  ['claim undone', claimUndoneMail({ words: en, ...origin, name: hostile })],
  ['shared document', sharedDocumentMail({ ...shared, sender: hostile })],
  ['any', writeLetter({ subject: hostile, site: origin.site, reason: hostile, parts: [hostile] })],
])('a hostile text in the %s mail hides nothing and begins no header', (_, mail) => {
  expect(mail.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
  for (const part of [mail.subject, mail.text, mail.html]) {
    expect(part.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/u)
    expect(part).not.toMatch(/^Bcc/m)
  }
  expect(mail.text).toMatch(/A ?B/)
})
