import type { Storage } from '#config.ts'
import { SHELF_FAILED } from '#storage/shelf.ts'

type Answer = {
  name?: string
  message?: string
  code?: string
  $metadata?: { httpStatusCode?: number }
}

/** Returns whether the server said that an object is not there. */
export function isAbsent(error: unknown): boolean {
  return (error as Answer).$metadata?.httpStatusCode === 404
}

/** Returns an error of the client, as one of the shelf. */
export function asFailure(error: unknown): Error {
  const { name, message } = error as Error
  const failure = new Error(`The storage failed: ${name}: ${message}`, { cause: error })
  return Object.assign(failure, { code: SHELF_FAILED })
}

/** The server's names for its refusals, and their meaning for the operator. */
const WORDS: Record<string, (at: Storage, host: string, may: string) => string> = {
  NoSuchBucket: ({ bucket }, host) =>
    `There is no bucket ${bucket} at ${host}: make it, or correct STORAGE_URL`,
  InvalidAccessKeyId: (_, host) => `S3 at ${host} does not know the key: correct AWS_ACCESS_KEY_ID`,
  SignatureDoesNotMatch: (_, host) =>
    `S3 at ${host} refuses the signature: correct AWS_SECRET_ACCESS_KEY`,
  ExpiredToken: (_, host) => `S3 at ${host} says that AWS_SESSION_TOKEN has expired`,
  InvalidToken: (_, host) => `S3 at ${host} refuses AWS_SESSION_TOKEN`,
  RequestTimeTooSkewed: (_, host) =>
    `The clock of this machine is too far off for S3 at ${host}: set it`,
  AccessDenied: ({ bucket }, host, may) =>
    `The key may not ${may} in the bucket ${bucket} at ${host}: give it that right`,
  PermanentRedirect: ({ bucket }) =>
    `The bucket ${bucket} is in another region: set region in STORAGE_URL`,
  AuthorizationHeaderMalformed: ({ bucket }) =>
    `The bucket ${bucket} is in another region: set region in STORAGE_URL`,
}

/** Names that servers give to the same refusal, and the meaning of an answer without a body. */
const SAME: Record<string, string> = {
  Forbidden: 'AccessDenied',
  '403': 'AccessDenied',
  '404': 'NoSuchBucket',
  '301': 'PermanentRedirect',
}

/** Returns the reason why files cannot be stored, in one line for the operator. `may` names the needed right. */
export function whyNotStored(error: unknown, at: Storage, may: string): Error {
  const { name = '', code = '', message = '', $metadata } = error as Answer
  const host = at.endpoint ? new URL(at.endpoint).host : `${at.region}.amazonaws.com`
  const status = String($metadata?.httpStatusCode ?? '')
  const words = [name, SAME[name], SAME[status]].map((each) => WORDS[each ?? '']).find(Boolean)
  if (words) return new Error(words(at, host, may))
  const said = `${code || name}${message ? ` (${message.split('\n', 1)[0]})` : ''}`
  if (status) return new Error(`S3 at ${host} answers ${status} ${said}: is STORAGE_URL right?`)
  return new Error(
    `S3 at ${host} does not answer, ${said}: is it running, and is STORAGE_URL right?`,
  )
}
