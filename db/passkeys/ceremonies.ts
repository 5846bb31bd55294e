/** The only module that uses @simplewebauthn/server: the requests to browsers, and their answers (WebAuthn). */

import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { keyedHash, type SecretKey, sameHash } from '#db/secrets.ts'
import { wrongPasskey } from '#domain/accounts/passkey.ts'

export type { AuthenticationResponseJSON, RegistrationResponseJSON }

/** Loaded at the first passkey, to keep the start fast. */
let loading: Promise<typeof import('@simplewebauthn/server')> | undefined

function library() {
  loading ??= import('@simplewebauthn/server')
  return loading
}

const helpers = () => import('@simplewebauthn/server/helpers')

/** The purpose of a challenge. One for a sign-in belongs to no account. */
export type Purpose = 'sign-in' | 'add' | 'confirm'
type Use = { purpose: Purpose; accountId: string }

/** Where passkeys belong: the host of PUBLIC_URL, and the address that browsers must show. */
export type RelyingParty = { rpId: string; origin: string }

export type StoredPasskey = {
  credential_id: string
  public_key: string
  counter: number
  transports: string
}

/**
 * Ed25519, ES256 and RS256, by their numbers in COSE: the algorithms of passkeys that Node checks
 * without a warning.
 */
const ALGORITHMS = [-8, -7, -257]

const CHALLENGE_SECONDS = 300
const CHALLENGE = /^(\d{10,12})\.([\w-]{22})\.([0-9a-f]{64})$/

/**
 * Returns a challenge, which is not stored before it is answered, so that opening the login page
 * writes nothing: it is a random text with its end and a keyed hash of both, its purpose and its
 * account.
 */
export function makeChallenge(key: SecretKey, use: Use, random: string, now: Date): string {
  const end = String(Math.floor(now.getTime() / 1000) + CHALLENGE_SECONDS)
  return `${end}.${random}.${challengeHash(key, use, end, random)}`
}

/** Returns whether a challenge was made here for this use and has not ended. */
export function isOwnChallenge(key: SecretKey, use: Use, challenge: string, now: Date): boolean {
  const [, end, random, hash] = CHALLENGE.exec(challenge) ?? []
  if (!end || !random || !hash) return false
  const left = Number(end) - now.getTime() / 1000
  const isLive = left > 0 && left <= CHALLENGE_SECONDS
  return isLive && sameHash(hash, challengeHash(key, use, end, random))
}

function challengeHash(key: SecretKey, { purpose, accountId }: Use, end: string, random: string) {
  return keyedHash(key, 'passkey challenge', purpose, accountId, end, random)
}

type NewPasskey = {
  /** what the service is called there */
  site: string
  account: { id: string; name: string; label: string }
  known: StoredPasskey[]
}

/** Returns the request for a new passkey: one that finds the account itself, and verifies its holder. */
export async function creationOptions(
  { rpId }: RelyingParty,
  { site, account, known }: NewPasskey,
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: site,
    rpID: rpId,
    userID: new TextEncoder().encode(account.id),
    userName: account.label,
    userDisplayName: account.name,
    challenge: new TextEncoder().encode(challenge),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Returns the request for one of these passkeys, or for any without them. */
export async function requestOptions(
  { rpId }: RelyingParty,
  challenge: string,
  known: StoredPasskey[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: new TextEncoder().encode(challenge),
    userVerification: 'required',
    allowCredentials: known.map(toDescriptor),
  })
}

function toDescriptor({ credential_id, transports }: StoredPasskey) {
  const named = transports.split(' ').filter(Boolean)
  return { id: credential_id, transports: named as AuthenticatorTransport[] }
}

type IsOurs = (challenge: string) => boolean

/** Returns the new passkey of an answer. Throws unauthenticated for any other answer. */
export async function readNewPasskey(
  relyingParty: RelyingParty,
  answer: RegistrationResponseJSON,
  isOurs: IsOurs,
): Promise<StoredPasskey & { challenge: string }> {
  const { verifyRegistrationResponse } = await library()
  const { expected, said } = expectedAt(relyingParty, isOurs)
  await refuseCertificates(answer).catch(refuse)
  const verified = await verifyRegistrationResponse({
    ...expected,
    response: answer,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse)
  if (!verified.verified) throw wrongPasskey()
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  return {
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: transports.join(' '),
    ...said,
  }
}

/**
 * Refuses certificates. Browsers that are asked for no attestation send none, or a signature by the
 * passkey itself. The package would call addresses in certificates, which an attacker can make, to
 * check their revocation.
 */
async function refuseCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await helpers()
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const fmt = attestation.get('fmt')
  const isSelfSigned = fmt === 'packed' && !attestation.get('attStmt').get('x5c')
  if (fmt !== 'none' && !isSelfSigned) throw wrongPasskey()
}

/** Returns the counter and the challenge of an answer by a passkey. Throws unauthenticated for any other answer. */
export async function readPasskeyAnswer(
  relyingParty: RelyingParty,
  answer: AuthenticationResponseJSON,
  passkey: StoredPasskey,
  isOurs: IsOurs,
): Promise<{ counter: number; challenge: string }> {
  const { verifyAuthenticationResponse } = await library()
  const { expected, said } = expectedAt(relyingParty, isOurs)
  const verified = await verifyAuthenticationResponse({
    ...expected,
    response: answer,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(refuse)
  if (!verified.verified) throw wrongPasskey()
  return { counter: verified.authenticationInfo.newCounter, ...said }
}

/** Returns the expected answer, with the purpose of its challenge. */
function expectedAt({ rpId, origin }: RelyingParty, isOurs: IsOurs) {
  const said = { challenge: '' }
  const expected = {
    expectedChallenge(sent: string) {
      said.challenge = Buffer.from(sent, 'base64url').toString('utf8')
      return isOurs(said.challenge)
    },
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }
  return { expected, said }
}

/** Refuses a wrong answer without the package's reason, which would help only an attacker. */
function refuse(): never {
  throw wrongPasskey()
}
