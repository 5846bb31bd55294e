import { digitsOf, displayPhone, isMobileAsTyped, readPhone } from '#domain/accounts/phone.ts'
import { formatQrId, parseQrId } from '#domain/codes/qr-id.ts'
import { LENGTHS } from '#domain/text.ts'

/** A number; one that is in no numbering plan also as a person `typed` it, and as `earlier` versions stored it. */
type MobileContact = { kind: 'mobile'; mobile: string; typed?: string; earlier?: string }

/** A contact for the sign-in: an e-mail as `normalizeEmail` writes it, a mobile number as accounts have it, or a login id. */
export type Contact =
  | { kind: 'email'; email: string }
  | MobileContact
  | { kind: 'login_id'; login_id: string }

/** The contacts of an account. It has a login id only while it has neither an e-mail nor a number. */
export type Contacts = { email: string | null; mobile: string | null; login_id: string | null }

/** Returns the form in which an address is stored and compared: in lower case, with the domain as name servers know it. */
export function normalizeEmail(text: string): string {
  const address = text.trim().toLowerCase()
  const [, box, domain = ''] = /^([^@]+)@([^@\s/?#:\\]+)$/.exec(address) ?? []
  if (!box || /^[\x21-\x7e]*$/.test(domain)) return address
  const url = `http://${domain}`
  return URL.canParse(url) ? `${box}@${new URL(url).hostname}` : address
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

const INDIAN = /^(?:\+?910?|091|0)?([1-9]\d{9})$/
const FOREIGN = /^\+?((?!91)[1-9]\d{9,14})$/

/**
 * Returns a number as earlier versions stored that of an account: they took ten digits for a number of India, and more
 * for one with its country.
 */
function mobileOfBefore(compact: string): string | undefined {
  const indian = INDIAN.exec(compact)
  if (indian) return `+91${indian[1]}`
  const foreign = FOREIGN.exec(compact)
  return foreign ? `+${foreign[1]}` : undefined
}

/** Returns the sign-in's form of a number: E.164, or the digits of one that is in no plan. */
export function mobileContact(typed: string): MobileContact | undefined {
  const phone = readPhone(typed)
  if (phone?.e164) return { kind: 'mobile', mobile: phone.e164 }
  if (phone || !isMobileAsTyped(typed)) return undefined
  const digits = digitsOf(typed) ?? ''
  const earlier = mobileOfBefore(digits)
  const mobile = (earlier ?? digits).replace(/^\+(?:91)?/, '')
  return { kind: 'mobile', mobile, typed: typed.trim(), ...(earlier && { earlier }) }
}

/** Returns the number of an account as it is stored: undefined keeps the present one, an empty text removes it. */
export function readMobile(typed: string | null | undefined): string | null | undefined {
  if (typed === undefined) return undefined
  return (typed ? mobileContact(typed) : undefined)?.mobile ?? null
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

/** Returns all forms in which an account may have the contact, the present one first. */
export function contactTexts(contact: Contact): string[] {
  const earlier = contact.kind === 'mobile' ? contact.earlier : undefined
  return [contactText(contact), ...(earlier ? [earlier] : [])]
}

/** Returns the contact that an account signs in with, as it is stored. */
export function signInContact({ email, mobile, login_id }: Contacts): string {
  return email ?? mobile ?? login_id ?? ''
}

/** Returns the contact that an account signs in with, as pages show it. */
export function contactOf(account: Contacts): string {
  const contact = signInContact(account)
  return account.email ? contact : displayPhone(contact)
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
  return mobileContact(text)
}
