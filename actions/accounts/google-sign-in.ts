import type { Attempt, GoogleSignIn, Identity } from '#actions/accounts/google.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { admitIdentity, redeemSignInCode, type SignInCode } from '#db/accounts/google-sign-in.ts'
import type { Admission } from '#db/invitations/admission.ts'
import type { Account } from '#db/schema.ts'
import { hashToken, keyedHash, randomToken, type SecretKey, sameHash } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'
import { cleanLine, LENGTHS } from '#domain/text.ts'

/** The refusals that the login page has texts for. */
export type GoogleRefusal =
  | 'google_failed'
  | 'google_stale'
  | 'google_cancelled'
  | 'google_unverified'
  | 'google_blocked'
  | 'google_deleting'
  | 'google_invite'
  | 'google_closed'
  | 'google_domain'

function requireGoogle({ google }: ActionDeps): GoogleSignIn {
  if (google) return google
  throw new DomainError('unavailable.google')
}

/**
 * Starts a sign-in. Returns the provider's URL, and a secret for the browser's cookie. Throws ProviderFault, and
 * unavailable when Google is not configured.
 */
export async function beginGoogle(deps: ActionDeps): Promise<{ url: string; secret: string }> {
  const secret = randomToken()
  const url = await requireGoogle(deps).begin(toAttempt(deps.secretKey, secret))
  return { url: url.href, secret }
}

/** An attempt is not stored: it is derived from the cookie's secret and the server's key. */
function toAttempt(secretKey: SecretKey, secret: string): Attempt {
  const part = (name: string) => keyedHash(secretKey, 'google', name, secret)
  return { state: part('state'), nonce: part('nonce'), codeVerifier: part('verifier') }
}

export type GoogleAnswer = { code?: string; state?: string; error?: string }
type Finished = { code: string } | { refused: GoogleRefusal }

/**
 * Handles the provider's redirect back; `secret` is the one in the browser's cookie. Returns a code
 * to exchange for a session, or the reason why there is none. Throws ProviderFault.
 */
export async function finishGoogle(
  deps: ActionDeps,
  answer: GoogleAnswer,
  secret: string | undefined,
  admission: Admission,
): Promise<Finished> {
  const google = requireGoogle(deps)
  const attempt = secret ? toAttempt(deps.secretKey, secret) : undefined
  if (!secret || !attempt || !sameHash(answer.state ?? '', attempt.state)) {
    return { refused: 'google_stale' }
  }
  if (answer.error === 'access_denied') return { refused: 'google_cancelled' }
  if (!answer.code) return { refused: 'google_failed' }
  return admit(deps, await google.finish(answer.code, attempt), { secret, admission })
}

async function admit(
  { db, clock, config }: ActionDeps,
  identity: Identity,
  { secret, admission }: { secret: string; admission: Admission },
): Promise<Finished> {
  if (!identity.isEmailVerified) return { refused: 'google_unverified' }
  const code = randomToken()
  const by = { now: clock(), notice: config.noticeVersion, admission }
  const named = { ...identity, name: nameOf(identity) }
  const outcome = await admitIdentity(db, named, toSignInCode(code, secret), by).catch(whyRefused)
  return outcome === 'admitted' ? { code } : { refused: `google_${outcome}` }
}

/** Returns how the operator's rule refused a new account. Other errors are thrown on. */
function whyRefused(error: unknown): 'invite' | 'closed' | 'domain' {
  const code = error instanceof DomainError ? error.code : ''
  const why = (['invite', 'closed', 'domain'] as const).find(
    (each) => code === `forbidden.registration_${each}`,
  )
  if (why) return why
  throw error
}

/** Returns the name at the provider, or else the part of the address before the @. */
function nameOf({ name, email }: Identity): string {
  return cleanLine(name?.slice(0, LENGTHS.name)) ?? (email.split('@')[0] as string)
}

function toSignInCode(code: string, secret: string): SignInCode {
  return { code_hash: hashToken(code), browser_hash: hashToken(secret) }
}

/** Returns the account of a code, which works once, in the browser that began the sign-in. Throws invalid. */
export async function redeemGoogleCode(
  { db, clock }: ActionDeps,
  code: string,
  secret: string | undefined,
): Promise<Account> {
  const found = secret && (await redeemSignInCode(db, toSignInCode(code, secret), clock()))
  if (!found) throw new DomainError('invalid.google_sign_in')
  return found
}
