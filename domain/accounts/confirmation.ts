import { SKEW_SECONDS } from '#domain/time.ts'

/** The time after a sign-in in which no act needs a confirmation. */
const FRESH_SECONDS = 600

/**
 * Returns whether a proof of identity is so recent that it need not be repeated. An instant too far
 * ahead counts as old.
 */
export function isFresh(provenAt: string, now: Date): boolean {
  const age = (now.getTime() - Date.parse(provenAt)) / 1000
  return age >= -SKEW_SECONDS && age <= FRESH_SECONDS
}

export const CONFIRM_ACTION = '/confirm'
export const CONFIRM_YOU = 'Please confirm that it is you'

/** The fields of a request, of a form or in JSON. */
type Fields = Record<string, unknown>

type Act = {
  /** what the question says comes next */
  next: string
  /** which requests it is asked for; all, where this is left out */
  isFor?: (fields: Fields) => boolean
  /** whether it is asked of those without a password alone: the others type theirs with it */
  isForPasswordless?: boolean
  /** whether its answer is a file, which the browser takes and no script */
  isDownload?: boolean
}

const LEFT = { next: 'Then you leave the family.' }
const HANDED_OVER = { next: 'Then the code is offered.' }
const INVITED = { next: 'Then the invitation is made.' }
const REPLACED = { next: 'Then the code is replaced.' }
const RESET = {
  next: 'Then the link is made.',
  isFor: ({ action }: Fields) => action !== 'reject',
}
const DOMAIN_NAMED = { next: 'Then the address is named.' }
const DOMAIN_PROVEN = { next: 'Then the proof is looked for.' }
const CHANNEL = {
  next: 'Then the channel is saved.',
  // A browser renews its own subscription while nobody is there to answer.
  isFor: ({ type }: Fields) => type !== 'push',
}
const CALENDAR = { next: 'Then the calendar gets its address.' }
const NUMBER = {
  next: 'Then your number is changed.',
  isFor: ({ mobile }: Fields) => mobile !== undefined,
}

/**
 * The acts that last beyond a session or hand something over, by method and route. They need a sign-in not
 * older than ten minutes. This is the one list of them: `routes/_http/accounts/confirm.tsx` asks, for calls and
 * forms alike.
 */
export const CONFIRMED_ACTS: Record<string, Act> = {
  'POST /api/account/password': { next: 'Then your password is set.', isForPasswordless: true },
  'POST /settings/security/password': {
    next: 'Then your password is set.',
    isForPasswordless: true,
  },
  'POST /api/account/email': { next: 'Then the code is sent.' },
  'POST /settings/profile/email': { next: 'Then the code is sent.' },
  'POST /api/account/email/verify': { next: 'Then your email is changed.' },
  'POST /settings/profile/email/verify': { next: 'Then your email is changed.' },
  'POST /api/account/totp': { next: 'Then the set-up begins.' },
  'POST /settings/security/authenticator': { next: 'Then the set-up begins.' },
  'POST /api/account/totp/verify': { next: 'Then the app is turned on.' },
  'POST /settings/security/authenticator/verify': { next: 'Then the app is turned on.' },
  'DELETE /api/account/totp': { next: 'Then the app is removed.' },
  'POST /settings/security/authenticator/remove': { next: 'Then the app is removed.' },
  'POST /api/account/recovery-codes': { next: 'Then you see new codes.' },
  'POST /settings/security/recovery-codes': { next: 'Then you see new codes.' },
  'POST /api/account/passkeys/options': { next: 'Then the passkey is made.' },
  'POST /settings/security/passkeys/new': { next: 'Then the passkey is made.' },
  'POST /api/account/passkeys': { next: 'Then the passkey is added.' },
  'POST /settings/security/passkeys': { next: 'Then the passkey is added.' },
  'DELETE /api/account/passkeys/:id': { next: 'Then the passkey is removed.' },
  'POST /settings/security/passkeys/:id/remove': { next: 'Then the passkey is removed.' },
  'POST /api/api-keys': { next: 'Then the key is created.' },
  'POST /settings/api-keys': { next: 'Then the key is created.' },
  'POST /api/people': INVITED,
  'POST /settings/people': INVITED,
  'PATCH /api/account': NUMBER,
  'POST /settings/profile/mobile': NUMBER,
  'POST /api/qr/:qr_id/transfer': HANDED_OVER,
  'POST /dashboard/qr/:qr_id/transfer': HANDED_OVER,
  'POST /api/qr/:qr_id/replace': REPLACED,
  'POST /dashboard/qr/:qr_id/replace': REPLACED,
  'POST /api/client/password-reset-approve': RESET,
  'POST /dashboard/password-requests/:id': RESET,
  'POST /api/branding/domain': DOMAIN_NAMED,
  'POST /settings/branding/domain': DOMAIN_NAMED,
  'POST /api/branding/domain/verify': DOMAIN_PROVEN,
  'POST /settings/branding/domain/verify': DOMAIN_PROVEN,
  'POST /api/notifications/channels': CHANNEL,
  'POST /settings/notifications/channels': CHANNEL,
  'POST /settings/notifications/webhooks/:id': CHANNEL,
  'POST /settings/notifications/webhooks/:id/secret': CHANNEL,
  'POST /api/calendar': CALENDAR,
  'POST /settings/calendar': CALENDAR,
  'POST /api/account/leave-family': LEFT,
  'POST /settings/profile/leave-family': LEFT,
  'POST /api/account/export': { next: 'Then your export begins.' },
  'POST /settings/data/export': { next: 'Then your export begins.' },
  'POST /api/account/deletion': { next: 'Then your account is deleted.' },
  'POST /settings/data/deletion': { next: 'Then your account is deleted.' },
  'POST /api/admin/users/permissions': { next: 'Then the permission is set.' },
  'POST /admin-dashboard/users/:id/permissions': { next: 'Then the permission is set.' },
  'POST /api/admin/grant-super-admin': { next: 'Then you are a super admin.' },
  'POST /grant-admin': { next: 'Then you are a super admin.' },
  // It has every account in it, and the secret key.
  'POST /admin/system/backup': { next: 'Then the backup is made.', isDownload: true },
}

const PATTERNS = Object.entries(CONFIRMED_ACTS).map(([route, act]) => ({
  pattern: new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`),
  act,
}))

/** Returns the act of a request, if it is on the list. */
export function confirmedAct(method: string, path: string): Act | undefined {
  return PATTERNS.find(({ pattern }) => pattern.test(`${method} ${path}`))?.act
}
