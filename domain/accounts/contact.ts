import { formatQrId, parseQrId } from '#domain/codes/qr-id.ts'
import { LENGTHS } from '#domain/text.ts'

/** A contact for the sign-in: an e-mail in lower case, a mobile number in E.164, or a login id. */
export type Contact =
  | { kind: 'email'; email: string }
  | { kind: 'mobile'; mobile: string }
  | { kind: 'login_id'; login_id: string }

/** The contacts of an account. It has a login id only while it has neither an e-mail nor a number. */
export type Contacts = { email: string | null; mobile: string | null; login_id: string | null }

/** Returns the form in which an address is stored and compared. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase()
}

/**
 * Returns whether a text has the form of an address: text, an at sign, text, a dot, text. Beyond
 * the specification it rejects the syntax of mail headers (lists, groups, comments) and invisible
 * characters, so that an address is always exactly the one mailbox it looks like.
 */
export function isEmail(text: string): boolean {
  if (text.length > LENGTHS.other) return false
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && !/[\p{Cc}\p{Cf}\p{Cs}()<>[\]:;,"\\]/u.test(text)
}

/** The domains of Gmail, which ignores dots in the name of a mailbox. */
const GMAIL = /^(?:gmail|googlemail)\.com$/

/**
 * Returns the mailbox that an address reaches, for rate limits of mails: without the part after a plus,
 * which most servers ignore, without Gmail's dots, and with the domain as name servers know it. Returns
 * other contacts unchanged.
 */
export function mailboxOf(contact: string): string {
  const [, box, domain = ''] = /^([^@+]+)(?:\+[^@]*)?@(.+)$/.exec(contact) ?? []
  if (!box) return contact
  const url = `http://${domain}`
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : domain
  return GMAIL.test(host) ? `${box.replaceAll('.', '')}@gmail.com` : `${box}@${host}`
}

const E164 = /^\+(?:91[1-9]\d{9}|(?!91)[1-9]\d{9,14})$/
const INDIAN = /^(?:\+?910?|091|0)?([1-9]\d{9})$/
const FOREIGN = /^\+?((?!91)[1-9]\d{9,14})$/

/**
 * Returns a phone number in E.164; undefined when the text cannot be one. Ten digits are an Indian
 * number. A foreign number may lack its plus.
 */
export function normalizeMobile(text: string): string | undefined {
  if (E164.test(text)) return text
  // Numbers pasted from an address book bring invisible direction marks and typographic dashes.
  const compact = text.replace(/[\s\p{Cf}\p{Pd}()]/gu, '').replace(/^00/, '+')
  const indian = INDIAN.exec(compact)
  if (indian) return `+91${indian[1]}`
  const foreign = FOREIGN.exec(compact)
  return foreign ? `+${foreign[1]}` : undefined
}

/** Returns whether a text has the format that the specification requires in the child registration form. */
export function isMobileAsTyped(text: string): boolean {
  return /^[\d+\-()]{10,15}$/.test(text.replace(/\s/g, ''))
}

/** Returns `+91 98765 43210`. Foreign numbers are not grouped, since each country groups differently. */
export function displayMobile(e164: string): string {
  return /^\+91\d{10}$/.test(e164) ? `+91 ${e164.slice(3, 8)} ${e164.slice(8)}` : e164
}

/** Formats a phone number in any notation like `displayMobile`. Returns any other text unchanged. */
export function displayPhone(phone: string | null): string | null {
  const e164 = phone && normalizeMobile(phone)
  return e164 ? displayMobile(e164) : phone
}

/** Returns undefined for an invalid number, like each function below, so that typed text cannot choose the scheme. */
export function telHref(phone: string): string | undefined {
  const e164 = normalizeMobile(phone)
  return e164 && `tel:${e164}`
}

export function smsHref(phone: string): string | undefined {
  const e164 = normalizeMobile(phone)
  return e164 && `sms:${e164}`
}

/** Returns the link to a chat with the number, with the message filled in. */
export function whatsappHref(phone: string, message: string): string | undefined {
  const e164 = normalizeMobile(phone)
  return e164 && `https://wa.me/${e164.slice(1)}?text=${encodeText(message)}`
}

export function mailtoHref(email: string, subject?: string): string | undefined {
  const address = normalizeEmail(email)
  if (!isEmail(address)) return undefined
  const query = subject === undefined ? '' : `?subject=${encodeText(subject)}`
  return `mailto:${encodeText(address).replace('%40', '@')}${query}`
}

/** Drops lone surrogates, on which encodeURIComponent throws. */
function encodeText(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, ''))
}

/** Returns the contact as it is stored and compared. No two kinds are ever equal. */
export function contactText(contact: Contact): string {
  if (contact.kind === 'email') return contact.email
  return contact.kind === 'mobile' ? contact.mobile : contact.login_id
}

/** Returns the contact that an account signs in with, as it is stored. */
export function signInContact({ email, mobile, login_id }: Contacts): string {
  return email ?? mobile ?? login_id ?? ''
}

/** Returns the contact that an account signs in with, as pages show it. */
export function contactOf(account: Contacts): string {
  const contact = signInContact(account)
  return account.email ? contact : displayMobile(contact)
}

/** Returns the login id that is made of a random id: `ID-7K3M-Q9WD-4XTP`. */
export function toLoginId(random: string): string {
  return `ID-${formatQrId(random)}`
}

const LOGIN_ID = /^\s*id(.+)$/i

/** Reads the contact typed at login; undefined when it is neither an e-mail, a phone number nor a login id. */
export function parseContact(text: string): Contact | undefined {
  const email = normalizeEmail(text)
  if (isEmail(email)) return { kind: 'email', email }
  const random = parseQrId(LOGIN_ID.exec(text)?.[1] ?? '')
  if (random) return { kind: 'login_id', login_id: toLoginId(random) }
  const mobile = normalizeMobile(text)
  return mobile === undefined ? undefined : { kind: 'mobile', mobile }
}
