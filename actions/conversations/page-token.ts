import { keyedHash, type SecretKey, sameHash } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'

const MIN_AGE_MS = 2_000
const MAX_AGE_MS = 24 * 60 * 60 * 1000

/** Creates the token of a form for this code: the signed time of its creation. It may be used more than once. */
export function makePageToken(key: SecretKey, qrId: string, now: Date): string {
  const createdAt = now.getTime().toString(36)
  return `${createdAt}.${signatureOf(key, qrId, createdAt)}`
}

/** Throws invalid for a token of another code, and for one younger than 2 s or older than a day. */
export function assertPageToken(key: SecretKey, qrId: string, token: unknown, now: Date): void {
  if (!isPageToken(key, qrId, token, now)) throw new DomainError('invalid.page_token')
}

/** Returns whether a token is valid for this code now: see `assertPageToken`. */
export function isPageToken(
  key: SecretKey,
  qrId: string,
  token: unknown,
  now: Date,
): token is string {
  const [, createdAt = '', signature = ''] =
    /^([0-9a-z]{1,10})\.([0-9a-f]{64})$/.exec(String(token)) ?? []
  const age = now.getTime() - Number.parseInt(createdAt, 36)
  const isSigned = sameHash(signature, signatureOf(key, qrId, createdAt))
  return isSigned && age >= MIN_AGE_MS && age <= MAX_AGE_MS
}

function signatureOf(key: SecretKey, qrId: string, createdAt: string): string {
  return keyedHash(key, 'message page', qrId, createdAt)
}
