import {
  OTP_MAX_TRIES,
  OTP_MAX_TRIES_ELSEWHERE,
  OTP_VALID_SECONDS,
} from '#domain/accounts/registration.ts'
import { SECRET_LOCK_MINUTES, SECRET_MAX_TRIES } from '#domain/codes/qr.ts'
import type { ErrorKind } from '#domain/error.ts'

export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export type RateLimit = {
  what: string
  /** the key of the tries that are counted together; `network` counts in every network of the address */
  by:
    | 'address'
    | 'network'
    | 'session or address'
    | 'account'
    | 'account and contact'
    | 'contact'
    | 'contact and network'
    | 'purpose, contact and browser'
    | 'code'
    | 'code, contact and network'
    | 'conversation and side'
    | 'calendar'
    | 'API key'
    | 'everyone'
  count: number
  /** from the first counted try */
  seconds: number
  /** Count only tries that fail with this error. */
  counts?: ErrorKind
  /** what the limit allows, to name it in the refusal instead of `Too many tries` */
  refusal?: string
}

/** Limits that must survive a restart: the database counts them. */
export const KEPT_LIMITS = {
  login: {
    what: 'wrong passwords, or wrong one-time codes, in a row; after that each doubles the wait',
    by: 'contact and network',
    count: 10,
    seconds: 15 * MINUTE,
  },
  'guess-network': {
    what: 'wrong passwords and one-time codes together, not from a known device',
    by: 'contact and network',
    count: 12,
    seconds: DAY,
  },
  guess: {
    what: 'wrong passwords and one-time codes together, not from a known device',
    by: 'contact',
    count: 60,
    seconds: DAY,
  },
  'otp-wait': {
    what: 'one-time codes made',
    by: 'purpose, contact and browser',
    count: 1,
    seconds: OTP_VALID_SECONDS,
  },
  'otp-tries': {
    what: 'wrong tries of a one-time code in the browser that requested it; the code then stops working there',
    by: 'code',
    count: OTP_MAX_TRIES,
    seconds: OTP_VALID_SECONDS,
  },
  'otp-tries-elsewhere': {
    what: 'wrong tries of a one-time code from other browsers; the code then stops working there',
    by: 'code',
    count: OTP_MAX_TRIES_ELSEWHERE,
    seconds: OTP_VALID_SECONDS,
  },
  pin: {
    what: 'wrong PINs in a row',
    by: 'code',
    count: SECRET_MAX_TRIES,
    seconds: SECRET_LOCK_MINUTES * MINUTE,
  },
  activation: {
    what: 'wrong activation codes in a row',
    by: 'code',
    count: SECRET_MAX_TRIES,
    seconds: SECRET_LOCK_MINUTES * MINUTE,
  },
  'conversation-code': {
    what: 'conversations that finders begin about a code',
    by: 'code',
    count: 10,
    seconds: HOUR,
    refusal: 'conversations about a QR code can be begun in an hour',
  },
  'conversation-address': {
    what: 'conversations that a finder begins',
    by: 'address',
    count: 5,
    seconds: HOUR,
    refusal: 'conversations can be begun in an hour',
  },
  ticket: {
    what: 'tickets that a customer opens',
    by: 'account',
    count: 5,
    seconds: HOUR,
    refusal: 'tickets can be opened in an hour',
  },
  message: {
    what: 'messages in a conversation or a ticket, the first one included',
    by: 'conversation and side',
    count: 20,
    seconds: HOUR,
    refusal: 'messages can be sent in an hour',
  },
} as const satisfies Record<string, RateLimit>

/** The wait stops doubling here, so a hundred wrong guesses take a year and a half. */
const LONGEST_LOGIN_WAIT = 7 * DAY

/** Seconds to wait after this many wrong guesses in a row. */
export function loginWait(failures: number): number {
  const { count, seconds } = KEPT_LIMITS.login
  return failures < count ? 0 : Math.min(seconds * 2 ** (failures - count), LONGEST_LOGIN_WAIT)
}

/** The budget for mails with one-time codes, counted in memory. */
export const MAIL_BUDGET = {
  what: 'one-time codes mailed; a quarter is reserved for networks without one in the last hour',
  by: 'everyone',
  count: 200,
  seconds: HOUR,
} as const satisfies RateLimit

/**
 * Limits counted in memory. Many people share the address of one carrier, so limits on guessing
 * count only wrong guesses.
 */
export const RATE_LIMITS = {
  scan: { what: 'scan pages and codes viewed', by: 'address', count: 60, seconds: MINUTE },
  unknown: {
    what: 'lookups of codes that do not exist; existing codes stay reachable',
    by: 'address',
    count: 30,
    seconds: 10 * MINUTE,
  },
  police: { what: 'police pages', by: 'address', count: 20, seconds: MINUTE },
  'pin-day': { what: 'wrong PINs', by: 'code', count: 20, seconds: DAY },
  file: {
    what: 'documents opened, and requests for missing files',
    by: 'session or address',
    count: 120,
    seconds: MINUTE,
  },
  calendar: { what: 'calendars read', by: 'calendar', count: 120, seconds: HOUR },
  'calendar-unknown': {
    what: 'calendars that do not exist; existing ones stay reachable',
    by: 'address',
    count: 60,
    seconds: 10 * MINUTE,
  },
  'login-address': {
    what: 'wrong passwords',
    by: 'network',
    count: 30,
    seconds: 15 * MINUTE,
    counts: 'unauthenticated',
  },
  'sign-in': { what: 'sign-ins', by: 'account', count: 60, seconds: 15 * MINUTE },
  'otp-mail-contact': {
    what: 'one-time codes mailed, not to a known device',
    by: 'contact',
    count: 10,
    seconds: HOUR,
  },
  'otp-mail-network': {
    what: 'one-time codes mailed, not to a known device',
    by: 'contact and network',
    count: 2,
    seconds: HOUR,
  },
  'otp-mail-known': {
    what: 'one-time codes mailed to known devices',
    by: 'account',
    count: 5,
    seconds: HOUR,
  },
  'otp-mail': {
    what: 'one-time codes mailed, not to a known device',
    by: 'network',
    count: 10,
    seconds: HOUR,
  },
  otp: {
    what: 'wrong one-time codes',
    by: 'network',
    count: 30,
    seconds: HOUR,
    counts: 'invalid',
  },
  google: {
    what: 'sign-ins returning from Google',
    by: 'network',
    count: 100,
    seconds: 10 * MINUTE,
  },
  link: {
    what: 'links and sign-in codes that do not work; others still do',
    by: 'network',
    count: 10,
    seconds: 10 * MINUTE,
    counts: 'invalid',
  },
  claim: {
    what: 'claims of codes that do not exist; others can still be claimed',
    by: 'network',
    count: 5,
    seconds: HOUR,
    counts: 'not_found',
  },
  'claim-mail': {
    what: 'mails about a claimed code; above it, claims send no mail',
    by: 'network',
    count: 10,
    seconds: HOUR,
  },
  'claim-mail-contact': {
    what: 'mails about a claimed code, and as many about an undone claim',
    by: 'contact',
    count: 3,
    seconds: DAY,
  },
  transfer: {
    what: 'transfers begun',
    by: 'account',
    count: 20,
    seconds: HOUR,
    refusal: 'transfers can be started in an hour',
  },
  'transfer-contact': {
    what: 'mails about a transfer to an address, of all owners together',
    by: 'contact',
    count: 10,
    seconds: DAY,
  },
  'child-contact': {
    what: 'registrations of a child code that is taken or with a contact that is',
    by: 'network',
    count: 10,
    seconds: HOUR,
    counts: 'conflict',
  },
  'child-contact-code': {
    what: 'registrations of a child code that is taken or with a contact that is',
    by: 'code',
    count: 20,
    seconds: DAY,
    counts: 'conflict',
  },
  'account-change': {
    what: 'mobile numbers changed, and as many passwords, API keys, recovery codes and passkeys made; each is mailed',
    by: 'account',
    count: 30,
    seconds: HOUR,
    refusal: 'such changes can be made in an hour',
  },
  'taken-mobile': {
    what: 'changes of a mobile number to one that another account has',
    by: 'account',
    count: 10,
    seconds: HOUR,
    counts: 'conflict',
  },
  'child-register': {
    what: 'registrations of codes that cannot be registered; others still can',
    by: 'network',
    count: 5,
    seconds: HOUR,
    counts: 'not_found',
  },
  'child-reset': {
    what: 'requests for a child user’s new password',
    by: 'code, contact and network',
    count: 3,
    seconds: DAY,
  },
  'child-reset-address': {
    what: 'requests for a child user’s new password',
    by: 'network',
    count: 10,
    seconds: HOUR,
  },
  redeem: {
    what: 'promo codes that do not exist',
    by: 'account',
    count: 10,
    seconds: HOUR,
    counts: 'not_found',
  },
  'redeem-address': {
    what: 'promo codes that do not exist',
    by: 'network',
    count: 20,
    seconds: HOUR,
    counts: 'not_found',
  },
  upload: {
    what: 'uploads',
    by: 'account',
    count: 30,
    seconds: HOUR,
    refusal: 'files can be sent in an hour',
  },
  replace: {
    what: 'codes replaced',
    by: 'account',
    count: 30,
    seconds: HOUR,
    refusal: 'QR codes can be replaced in an hour',
  },
  batch: {
    what: 'batches of codes created',
    by: 'account',
    count: 10,
    seconds: HOUR,
    refusal: 'batches of codes can be made in an hour',
  },
  import: {
    what: 'tables of codes checked or imported',
    by: 'account',
    count: 60,
    seconds: HOUR,
    refusal: 'tables can be sent in an hour',
  },
  bulk: {
    what: 'acts on many codes',
    by: 'account',
    count: 120,
    seconds: HOUR,
    refusal: 'acts on many QR codes can be made in an hour',
  },
  export: {
    what: 'CSV files of all codes',
    by: 'account',
    count: 6,
    seconds: HOUR,
    refusal: 'CSV files can be made in an hour',
  },
  print: {
    what: 'label sheets, ZIP files and backups downloaded',
    by: 'account',
    count: 60,
    seconds: HOUR,
  },
  'share-mail': { what: 'documents shared by e-mail', by: 'account', count: 30, seconds: HOUR },
  'share-mail-contact': {
    what: 'documents shared by e-mail with an address',
    by: 'account and contact',
    count: 20,
    seconds: DAY,
    refusal: 'documents can be mailed to an address in a day',
  },
  'answer-mail': {
    what: 'mails to finders about an answer; above it, answers send no mail',
    by: 'account',
    count: 30,
    seconds: HOUR,
  },
  'answer-mail-contact': {
    what: 'mails to a finder about answers, of all owners together',
    by: 'contact',
    count: 20,
    seconds: DAY,
  },
  report: {
    what: 'reports of pages',
    by: 'network',
    count: 5,
    seconds: HOUR,
    refusal: 'reports can be sent in an hour',
  },
  'domain-proof': {
    what: 'proofs of an own address looked for',
    by: 'account',
    count: 20,
    seconds: HOUR,
    refusal: 'addresses can be verified in an hour',
  },
  'alert-connect': {
    what: 'channels of alerts connected, and links for Telegram made',
    by: 'account',
    count: 20,
    seconds: HOUR,
    refusal: 'channels can be connected in an hour',
  },
  'alert-test': {
    what: 'tests of channels, and deliveries of webhooks sent again',
    by: 'account',
    count: 30,
    seconds: HOUR,
    refusal: 'tests can be sent in an hour',
  },
  'alert-scans': {
    what: 'alerts of scans; above it, scans are counted for 15 minutes at a time',
    by: 'account',
    count: 120,
    seconds: HOUR,
  },
  'alert-channels': {
    what: 'alerts of security, and as many of authorities, on other channels than the mailbox; above it they are mailed alone',
    by: 'account',
    count: 120,
    seconds: HOUR,
  },
  'admin-write': {
    what: 'changes made by an admin',
    by: 'account',
    count: 120,
    seconds: MINUTE,
  },
  'api-key': { what: 'calls with an API key', by: 'API key', count: 300, seconds: MINUTE },
} as const satisfies Record<string, RateLimit>

export type LimitName = keyof typeof RATE_LIMITS
