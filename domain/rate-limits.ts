import {
  OTP_MAX_TRIES,
  OTP_MAX_TRIES_ELSEWHERE,
  OTP_VALID_SECONDS,
} from '#domain/accounts/registration.ts'
import { SECRET_LOCK_MINUTES, SECRET_MAX_TRIES } from '#domain/codes/qr.ts'
import type { ErrorKind } from '#domain/error.ts'
import type { Refusal } from '#locales/refusal.ts'

export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The refusals with the count of a limit. */
type RefusalOfLimit = Extract<Refusal, { values: { count: unknown; wait: unknown } }>['code']

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
    | 'code and network'
    | 'browser and code'
    | '/24 or /48'
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
  /** names what the limit allows, instead of `Too many tries` */
  refusal?: RefusalOfLimit
}

function upTo<const By extends RateLimit['by']>(count: number, seconds: number, by: By) {
  return { count, seconds, by }
}

/** Limits that must survive a restart: the database counts them. */
export const KEPT_LIMITS = {
  login: {
    what: 'wrong passwords, or wrong one-time codes, in a row; after that each doubles the wait',
    ...upTo(10, 15 * MINUTE, 'contact and network'),
  },
  'guess-network': {
    what: 'wrong passwords and one-time codes together, not from a known device',
    ...upTo(12, DAY, 'contact and network'),
  },
  guess: {
    what: 'wrong passwords and one-time codes together, not from a known device',
    ...upTo(60, DAY, 'contact'),
  },
  'otp-wait': {
    what: 'one-time codes made',
    ...upTo(1, OTP_VALID_SECONDS, 'purpose, contact and browser'),
  },
  'otp-tries': {
    what: 'wrong tries of a one-time code in the browser that requested it; the code then stops working there',
    ...upTo(OTP_MAX_TRIES, OTP_VALID_SECONDS, 'code'),
  },
  'otp-tries-elsewhere': {
    what: 'wrong tries of a one-time code from other browsers; the code then stops working there',
    ...upTo(OTP_MAX_TRIES_ELSEWHERE, OTP_VALID_SECONDS, 'code'),
  },
  pin: {
    what: 'wrong PINs in a row',
    ...upTo(SECRET_MAX_TRIES, SECRET_LOCK_MINUTES * MINUTE, 'code and network'),
  },
  activation: {
    what: 'wrong activation codes in a row',
    ...upTo(SECRET_MAX_TRIES, SECRET_LOCK_MINUTES * MINUTE, 'code and network'),
  },
  'conversation-browser': {
    what: 'conversations that a browser begins about a code, but of accidents',
    ...upTo(3, HOUR, 'browser and code'),
    refusal: 'too_many.code_conversations',
  },
  'conversation-network': {
    what: 'conversations that finders begin about all codes',
    ...upTo(120, HOUR, '/24 or /48'),
    refusal: 'too_many.conversations',
  },
  'conversation-alert': {
    what: 'conversations about a code that alert at once; further ones are told together every ten minutes',
    ...upTo(10, HOUR, 'code'),
  },
  'addition-alert': {
    what: 'messages that finders add to conversations about a code and that alert at once; further ones are told together every ten minutes',
    ...upTo(10, HOUR, 'code'),
  },
  'accident-alert': {
    what: 'conversations of accidents that alert at once; further ones are told together every ten minutes',
    ...upTo(3, HOUR, '/24 or /48'),
  },
  'conversation-photo': {
    what: 'conversations about a code that keep their photo; further ones are stored without',
    ...upTo(100, HOUR, 'code'),
  },
  ticket: {
    what: 'tickets that a customer opens',
    ...upTo(5, HOUR, 'account'),
    refusal: 'too_many.tickets',
  },
  message: {
    what: 'messages in a conversation or a ticket, the first one included',
    ...upTo(20, HOUR, 'conversation and side'),
    refusal: 'too_many.messages',
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
  ...upTo(200, HOUR, 'everyone'),
} as const satisfies RateLimit

/**
 * Limits counted in memory. Many people share the address of one carrier, so limits on guessing
 * count only wrong guesses.
 */
export const RATE_LIMITS = {
  scan: { what: 'scan pages and codes viewed', ...upTo(60, MINUTE, 'address') },
  unknown: {
    what: 'lookups of codes that do not exist; existing codes stay reachable',
    ...upTo(30, 10 * MINUTE, 'address'),
  },
  police: { what: 'police pages', ...upTo(20, MINUTE, 'address') },
  'pin-day': {
    what: 'wrong PINs; above it each network has tries of its own',
    ...upTo(20, DAY, 'code'),
  },
  'pin-network': {
    what: 'wrong PINs of a code that has had its wrong ones of the day',
    ...upTo(3, DAY, 'code and network'),
  },
  file: {
    what: 'documents opened, and requests for missing files',
    ...upTo(120, MINUTE, 'session or address'),
  },
  calendar: { what: 'calendars read', ...upTo(120, HOUR, 'calendar') },
  'calendar-unknown': {
    what: 'calendars that do not exist; existing ones stay reachable',
    ...upTo(60, 10 * MINUTE, 'address'),
  },
  'login-address': {
    what: 'wrong passwords',
    ...upTo(30, 15 * MINUTE, 'network'),
    counts: 'unauthenticated',
  },
  'sign-in': { what: 'sign-ins', ...upTo(60, 15 * MINUTE, 'account') },
  'otp-mail-contact': {
    what: 'one-time codes mailed, not to a known device; above it each network has codes of its own',
    ...upTo(20, HOUR, 'contact'),
  },
  'otp-mail-own': {
    what: 'one-time codes mailed to a contact that has had those of the hour',
    ...upTo(2, DAY, 'contact and network'),
  },
  'otp-mail-network': {
    what: 'one-time codes mailed, not to a known device',
    ...upTo(4, HOUR, 'contact and network'),
  },
  'otp-mail-known': { what: 'one-time codes mailed to known devices', ...upTo(5, HOUR, 'account') },
  'otp-mail': {
    what: 'one-time codes mailed, not to a known device',
    ...upTo(10, HOUR, 'network'),
  },
  otp: { what: 'wrong one-time codes', ...upTo(30, HOUR, 'network'), counts: 'invalid' },
  google: { what: 'sign-ins returning from Google', ...upTo(100, 10 * MINUTE, 'network') },
  link: {
    what: 'links and sign-in codes that do not work; others still do',
    ...upTo(10, 10 * MINUTE, 'network'),
    counts: 'invalid',
  },
  claim: {
    what: 'claims of codes that do not exist; others can still be claimed',
    ...upTo(5, HOUR, 'network'),
    counts: 'not_found',
  },
  'claim-mail': {
    what: 'mails about a claimed code; above it, claims send no mail',
    ...upTo(10, HOUR, 'network'),
  },
  'claim-mail-contact': {
    what: 'mails about a claimed code, and as many about an undone claim',
    ...upTo(3, DAY, 'contact'),
  },
  typing: { what: 'notes that an answer is being typed', ...upTo(60, MINUTE, 'account') },
  transfer: {
    what: 'transfers begun',
    ...upTo(20, HOUR, 'account'),
    refusal: 'too_many.transfers',
  },
  'transfer-contact': {
    what: 'mails about a transfer to an address',
    ...upTo(5, DAY, 'account and contact'),
  },
  invite: {
    what: 'invitations made',
    ...upTo(50, HOUR, 'account'),
    refusal: 'too_many.invitations',
  },
  'invite-contact': {
    what: 'invitations of an address',
    ...upTo(5, DAY, 'account and contact'),
  },
  'invite-person': {
    what: 'mails with invitations to help',
    ...upTo(20, DAY, 'account'),
    refusal: 'too_many.people_invitations',
  },
  'child-contact': {
    what: 'registrations of a child code that is taken or with a contact that is',
    ...upTo(10, HOUR, 'network'),
    counts: 'conflict',
  },
  'child-contact-code': {
    what: 'registrations of a child code that is taken or with a contact that is',
    ...upTo(20, DAY, 'code and network'),
    counts: 'conflict',
  },
  'account-change': {
    what: 'mobile numbers changed, and as many passwords, API keys, recovery codes and passkeys made, and people changed; each is mailed',
    ...upTo(30, HOUR, 'account'),
    refusal: 'too_many.account_changes',
  },
  'taken-mobile': {
    what: 'changes of a mobile number to one that another account has',
    ...upTo(10, HOUR, 'account'),
    counts: 'conflict',
  },
  'child-register': {
    what: 'registrations of codes that cannot be registered; others still can',
    ...upTo(5, HOUR, 'network'),
    counts: 'not_found',
  },
  'child-reset': {
    what: 'requests for a child user’s new password',
    ...upTo(3, DAY, 'code, contact and network'),
  },
  'child-reset-address': {
    what: 'requests for a child user’s new password',
    ...upTo(10, HOUR, 'network'),
  },
  redeem: {
    what: 'promo codes that do not exist',
    ...upTo(10, HOUR, 'account'),
    counts: 'not_found',
  },
  'redeem-address': {
    what: 'promo codes that do not exist',
    ...upTo(20, HOUR, 'network'),
    counts: 'not_found',
  },
  upload: {
    what: 'uploads',
    ...upTo(30, HOUR, 'account'),
    refusal: 'too_many.files',
  },
  replace: {
    what: 'codes replaced',
    ...upTo(30, HOUR, 'account'),
    refusal: 'too_many.replacements',
  },
  batch: {
    what: 'batches of codes created',
    ...upTo(10, HOUR, 'account'),
    refusal: 'too_many.batches',
  },
  import: {
    what: 'tables of codes checked or imported',
    ...upTo(60, HOUR, 'account'),
    refusal: 'too_many.tables',
  },
  bulk: {
    what: 'acts on many codes',
    ...upTo(120, HOUR, 'account'),
    refusal: 'too_many.bulk_acts',
  },
  export: {
    what: 'CSV files of all codes',
    ...upTo(6, HOUR, 'account'),
    refusal: 'too_many.exports',
  },
  print: { what: 'label sheets, ZIP files and backups downloaded', ...upTo(60, HOUR, 'account') },
  'share-mail': { what: 'documents shared by e-mail', ...upTo(30, HOUR, 'account') },
  'share-mail-contact': {
    what: 'documents shared by e-mail with an address',
    ...upTo(20, DAY, 'account and contact'),
    refusal: 'too_many.shared_documents',
  },
  'contact-mail': {
    what: 'mails about transfers, with invitations and with shared documents to an address, of all accounts together',
    ...upTo(40, DAY, 'contact and network'),
  },
  'answer-mail': {
    what: 'mails to finders about an answer; above it, answers send no mail',
    ...upTo(30, HOUR, 'account'),
  },
  'answer-mail-contact': {
    what: 'mails to a finder about answers, of all owners together',
    ...upTo(20, DAY, 'contact'),
  },
  report: {
    what: 'reports of pages',
    ...upTo(5, HOUR, 'network'),
    refusal: 'too_many.reports',
  },
  'domain-proof': {
    what: 'proofs of an own address looked for',
    ...upTo(20, HOUR, 'account'),
    refusal: 'too_many.domain_proofs',
  },
  'alert-connect': {
    what: 'channels of alerts connected, and links for Telegram made',
    ...upTo(20, HOUR, 'account'),
    refusal: 'too_many.channels',
  },
  'alert-test': {
    what: 'tests of channels, and deliveries of webhooks sent again',
    ...upTo(30, HOUR, 'account'),
    refusal: 'too_many.tests',
  },
  'alert-scans': {
    what: 'alerts of scans; above it, scans are counted for 15 minutes at a time',
    ...upTo(120, HOUR, 'account'),
  },
  'alert-channels': {
    what: 'alerts of security, and as many of authorities, on other channels than the mailbox; above it they are mailed alone',
    ...upTo(120, HOUR, 'account'),
  },
  'admin-write': { what: 'changes made by an admin', ...upTo(120, MINUTE, 'account') },
  'idempotency-key': {
    what: 'calls with an `Idempotency-Key` that is new',
    ...upTo(1000, HOUR, 'account'),
  },
  'api-key': { what: 'calls with an API key', ...upTo(300, MINUTE, 'API key') },
} as const satisfies Record<string, RateLimit>

export type LimitName = keyof typeof RATE_LIMITS
