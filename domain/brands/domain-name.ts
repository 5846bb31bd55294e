import { DomainError } from '#domain/error.ts'

const LONGEST = 253 - '_driveqr.'.length
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Names that no name server of the internet answers. */
const LOCAL = /(?:^|\.)(?:localhost|local|internal|lan|home|invalid|test|onion|arpa)$/

/**
 * Returns a name of the DNS as it is stored: lower case, letters of other scripts in their ASCII
 * form, without a dot at the end. Throws invalid for another text, a numeric address, a name of
 * this network, and `own`, the service's name.
 */
export function readDomain(typed: string, own: string): string {
  const host = typed.trim().replace(/\.$/, '')
  if (/[\s/\\?#@:%[\]]/.test(host) || !URL.canParse(`https://${host}`)) throw noDomain()
  const name = new URL(`https://${host}`).hostname
  const labels = name.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label))
  const isNumber = /^\d+$/.test(labels.at(-1) ?? '')
  if (!isName || isNumber || name.length > LONGEST || LOCAL.test(name) || name === own) {
    throw noDomain()
  }
  return name
}

function noDomain(): DomainError {
  return new DomainError('invalid.domain')
}

/** Returns the name and the text of the DNS record that proves a domain. */
export function proofOf(domain: string, token: string) {
  return {
    txt_name: `_driveqr.${domain}`,
    file_url: `https://${domain}/.well-known/driveqr-domain`,
    text: `driveqr=${token}`,
  }
}

/** Where a proof was found. */
export type ProofPlace = 'dns' | 'file'

const DAY_SECONDS = 86_400
/** After that the proof of a domain is looked for again. */
export const PROOF_SECONDS = 30 * DAY_SECONDS
/** So long a proof may be missing before the domain ends. */
const MISSING_SECONDS = 7 * DAY_SECONDS

/** Returns when a domain ends whose proof stays missing. */
export function endOfProof(missingSince: string): Date {
  return new Date(Date.parse(missingSince) + MISSING_SECONDS * 1000)
}

/** A change of the domain of an account. */
export type DomainAlert = { domain: string } & (
  | { kind: 'proven' | 'taken' | 'ended' }
  | { kind: 'missing'; endsAt: Date }
)

/** Returns the address of an account's own domain. */
export function addressOf(domain: string): string {
  return `https://${domain}`
}
