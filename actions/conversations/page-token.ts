import { keyedHash, type SecretKey, sameHash } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'

const YOUNGEST_MS = 2_000
const OLDEST_MS = 24 * 60 * 60 * 1000

/** Makes the token of a form for this code: the signed time of its making. It may be used more than once. */
export function makePageToken(key: SecretKey, qrId: string, now: Date): string {
  const made = now.getTime().toString(36)
  return `${made}.${signatureOf(key, qrId, made)}`
}

/** Throws invalid for a token of another code, and for one younger than 2 s or older than a day. */
export function assertPageToken(key: SecretKey, qrId: string, token: unknown, now: Date): void {
  if (!isPageToken(key, qrId, token, now)) throw new DomainError('invalid.page_token')
}

export function isPageToken(
  key: SecretKey,
  qrId: string,
  token: unknown,
  now: Date,
): token is string {
  const [, made = '', signature = ''] =
    /^([0-9a-z]{1,10})\.([0-9a-f]{64})$/.exec(String(token)) ?? []
  const age = now.getTime() - Number.parseInt(made, 36)
  const isSigned = sameHash(signature, signatureOf(key, qrId, made))
  return isSigned && age >= YOUNGEST_MS && age <= OLDEST_MS
}

function signatureOf(key: SecretKey, qrId: string, made: string): string {
  return keyedHash(key, 'message page', qrId, made)
}
