/** The only module that uses oslo, which is deprecated upstream (docs/decisions). */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { join } from 'node:path'
import { alphabet, generateRandomString } from 'oslo/crypto'
import type { Argon2id } from 'oslo/password'
import { KEY_FILE } from '#db/data-folder.ts'
import { writeOnce } from '#db/durable-file.ts'
import { createFairQueue } from '#domain/fair-queue.ts'

export type SecretKey = Buffer

export const KEY_BYTES = 32

/**
 * Returns the key for hashes of one-time codes and PINs. It is stored beside the database, not in it, so
 * that a stolen database is not enough to guess six-digit codes. The first start creates it.
 * Several servers that start at once get the same key.
 */
export function loadSecretKey(dataDir: string): SecretKey {
  const key = writeOnce(join(dataDir, KEY_FILE), randomBytes(KEY_BYTES))
  if (key.length !== KEY_BYTES) throw new Error(`${KEY_FILE} is damaged: restore it from a backup`)
  return key
}

/** Returns 256 random bits for cookies, bearer tokens and links. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Returns 96 random bits for the id of a row: not guessable, but not a secret. It does not begin
 * with a hyphen, because the command line would read it as an option.
 */
export function randomId(): string {
  if (drawnAhead.length < ID_BYTES) drawnAhead = randomBytes(100 * ID_BYTES)
  const id = drawnAhead.toString('base64url', 0, ID_BYTES)
  drawnAhead = drawnAhead.subarray(ID_BYTES)
  return id.startsWith('-') ? randomId() : id
}

const ID_BYTES = 12
/** The random bytes of the next ids. Each request needs one, and drawing many at once costs a tenth. */
let drawnAhead = Buffer.alloc(0)

/** Returns a one-time code of random digits. */
export function randomOtp(length: number): string {
  return generateRandomString(length, alphabet('0-9'))
}

/** Returns `count` random bits, a multiple of 8. */
export function randomBits(count: number): Uint8Array {
  return randomBytes(count / 8)
}

/** Returns the SHA-256 of a random token, which the database stores instead of the token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Returns a hash of short secrets that cannot be guessed without the key. JSON separates the parts. */
export function keyedHash(key: SecretKey, ...parts: string[]): string {
  const hashingKey = cachedKey(hashingKeys, key, () => key)
  return createHmac('sha256', hashingKey).update(JSON.stringify(parts)).digest('hex')
}

/** Returns 96 bits for the id of a row, like `randomId`. Deriving them from the parts needs the key. */
export function keyedId(key: SecretKey, ...parts: string[]): string {
  return keyedHash(key, ...parts).slice(0, 2 * ID_BYTES)
}

/** Returns 256 bits like `randomToken`. Deriving them from the parts needs the key. */
export function keyedToken(key: SecretKey, ...parts: string[]): string {
  return Buffer.from(keyedHash(key, ...parts), 'hex').toString('base64url')
}

/** Compares two hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

const SEAL = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts a text with the secret key, bound to a name. */
export function seal(key: SecretKey, name: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(SEAL, sealingKey(key), nonce).setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts a text; undefined when the key, the name or the text is not the original one. */
export function unseal(key: SecretKey, name: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  try {
    const options = { authTagLength: TAG_BYTES }
    const decipher = createDecipheriv(SEAL, sealingKey(key), nonce, options)
      .setAAD(Buffer.from(name))
      .setAuthTag(tag)
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Derives a key for encryption, because the secret key is already used for hashes. */
function sealingKey(key: SecretKey): KeyObject {
  const derive = () => Buffer.from(hkdfSync('sha256', key, '', 'driveqr sealed text', 32))
  return cachedKey(sealingKeys, key, derive)
}

type CachedKeys = WeakMap<SecretKey, KeyObject>
const hashingKeys: CachedKeys = new WeakMap()
const sealingKeys: CachedKeys = new WeakMap()

/** Caches a key as Node's `KeyObject`: creating one for each hash takes longer than the hash. */
function cachedKey(keys: CachedKeys, key: SecretKey, make: () => Buffer): KeyObject {
  const known = keys.get(key)
  if (known) return known
  const made = createSecretKey(make())
  keys.set(key, made)
  return made
}

export type AuthorizationServer = {
  clientId: string
  authorizeEndpoint: string
  tokenEndpoint: string
  redirectURI: string
}

/** Returns the provider's URL for a sign-in. It contains only the hash of `codeVerifier` (PKCE). */
export async function authorizationUrl(
  server: AuthorizationServer,
  options: { state: string; codeVerifier: string; scopes: string[] },
): Promise<URL> {
  return (await oauthClient(server)).createAuthorizationURL(options)
}

/** Returns the provider's answer for a code. Rejects with its error code as the message. */
export async function redeemAuthorizationCode(
  server: AuthorizationServer,
  code: string,
  options: {
    codeVerifier: string
    credentials: string
    authenticateWith: 'http_basic_auth' | 'request_body'
  },
): Promise<object> {
  return (await oauthClient(server)).validateAuthorizationCode(code, options)
}

/** oslo/oauth2 is loaded at the first sign-in with a provider. */
async function oauthClient({
  clientId,
  authorizeEndpoint,
  tokenEndpoint,
  ...rest
}: AuthorizationServer) {
  const { OAuth2Client } = await import('oslo/oauth2')
  return new OAuth2Client(clientId, authorizeEndpoint, tokenEndpoint, rest)
}

/** oslo/password is loaded at the first password, to keep the start fast. */
let argon2id: Promise<Argon2id> | undefined

function loadArgon2id(): Promise<Argon2id> {
  argon2id ??= import('oslo/password').then(
    ({ Argon2id }) => new Argon2id({ memorySize: 19456, iterations: 2, parallelism: 1 }),
  )
  return argon2id
}

/** Hashing takes whole cores, so unlimited logins would delay the scan page. */
const queue = createFairQueue({
  concurrency: 2,
  maxWaiting: 1000,
  maxWaitMs: 5000,
  refusal: 'unavailable.sign_ins',
})

/**
 * Hashes a password. `queueKeys` are the keys for the fair queue: the account or contact, then the network. Throws
 * unavailable when too many wait.
 */
export function hashPassword(password: string, queueKeys: readonly string[] = []): Promise<string> {
  return queue.inTurn(queueKeys, async () => (await loadArgon2id()).hash(password))
}

let dummyHash: Promise<string> | undefined

/**
 * Verifies a password. Takes the same time for an account without a password, so that the time does not
 * show which accounts exist. Calls `during` when the password's turn in the queue begins, and ends the turn when
 * `during` settles. `during` must call `verify`. Throws unavailable when too many wait.
 */
export async function verifyPassword(
  hash: string | null,
  password: string,
  queueKeys: readonly string[] = [],
  during = (verify: () => Promise<boolean>) => verify(),
): Promise<boolean> {
  // Hashed outside the queue, because a refusal would be cached and answer every later login.
  const argon2id = await loadArgon2id()
  dummyHash ??= argon2id.hash(randomToken())
  const known = hash ?? (await dummyHash)
  const matches = await queue.inTurn(queueKeys, () =>
    during(() => argon2id.verify(known, password)),
  )
  return matches && hash !== null
}
