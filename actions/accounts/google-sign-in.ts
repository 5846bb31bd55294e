import {
  type Attempt,
  type GoogleSignIn,
  type Identity,
  ProviderFault,
} from '#actions/accounts/google.ts'
import { type SignedIn, signIn } from '#actions/accounts/sign-in.ts'
import { admitIdentity, redeemSignInCode, type SignInCode } from '#db/accounts/google-sign-in.ts'
import { hashToken, keyedHash, randomToken, sameHash } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'
import { cleanLine, LENGTHS } from '#domain/text.ts'
import { clearSignInCookie, readSignInCookie, setSignInCookie } from '#routes/_http/cookies.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { limit, limitRefusals } from '#routes/_http/rate-limits.ts'

/** What the login page has words for. */
type Refusal =
  | 'google_failed'
  | 'google_stale'
  | 'google_cancelled'
  | 'google_unverified'
  | 'google_blocked'
  | 'google_child'
  | 'google_unproven'

export function requireGoogle(c: AppContext): GoogleSignIn {
  const { google } = c.var.deps
  if (google) return google
  throw new DomainError('unavailable', 'Google sign-in is not configured')
}

/** Where the provider asks who it is, for this browser alone. */
export async function beginGoogle(c: AppContext): Promise<string> {
  const secret = randomToken()
  const url = await requireGoogle(c).begin(toAttempt(c, secret)).catch(noteFault(c))
  if (!url) return refused('google_failed')
  setSignInCookie(c, secret)
  return url.href
}

/** Nothing of an attempt is stored: whoever holds the cookie and the key can work it out again. */
function toAttempt(c: AppContext, secret: string): Attempt {
  const { secretKey } = c.var.deps
  const part = (name: string) => keyedHash(secretKey, 'google', name, secret)
  return { state: part('state'), nonce: part('nonce'), codeVerifier: part('verifier') }
}

type Answer = { code?: string; state?: string; error?: string }

/** Where the browser goes that comes back from the provider: on with a code, or back with a word. */
export async function finishGoogle(c: AppContext, answer: Answer): Promise<string> {
  // Each makes us ask Google, who would be tired of us before whoever asks is.
  limit(c, 'google')
  const google = requireGoogle(c)
  const secret = readSignInCookie(c)
  const attempt = secret ? toAttempt(c, secret) : undefined
  if (!secret || !attempt || !sameHash(answer.state ?? '', attempt.state)) {
    return refused('google_stale')
  }
  if (answer.error === 'access_denied') return refused('google_cancelled')
  if (!answer.code) return refused('google_failed')
  const identity = await google.finish(answer.code, attempt).catch(noteFault(c))
  return identity ? admit(c, identity, secret) : refused('google_failed')
}

async function admit(c: AppContext, identity: Identity, secret: string): Promise<string> {
  if (!identity.isEmailVerified) return refused('google_unverified')
  const { db, clock } = c.var.deps
  const code = randomToken()
  const whom = { ...identity, name: nameOf(identity) }
  const outcome = await admitIdentity(db, whom, toSignInCode(code, secret), clock())
  return outcome === 'admitted' ? `/dashboard#session_id=${code}` : refused(`google_${outcome}`)
}

/** Who tells Google no name is called as before the @. */
function nameOf({ name, email }: Identity): string {
  return cleanLine(name?.slice(0, LENGTHS.name)) ?? (email.split('@')[0] as string)
}

function toSignInCode(code: string, secret: string): SignInCode {
  return { code_hash: hashToken(code), browser_hash: hashToken(secret) }
}

/** Turns the code into a session, once, in the browser that began. */
export async function exchangeSignInCode(c: AppContext, code: string): Promise<SignedIn> {
  const { db, clock } = c.var.deps
  const account = await limitRefusals(c, ['link'], async () => {
    const secret = readSignInCookie(c)
    const found = secret && (await redeemSignInCode(db, toSignInCode(code, secret), clock()))
    if (!found) throw new DomainError('invalid', 'Invalid or expired sign-in. Please try again.')
    return found
  })
  clearSignInCookie(c)
  return signIn(c, account)
}

function refused(why: Refusal): string {
  return `/login?${why}=1`
}

/** A fault of the provider's or of the settings is for the log; ours goes on as one. */
function noteFault(c: AppContext) {
  return (error: unknown): undefined => {
    if (!(error instanceof ProviderFault)) throw error
    const { log } = c.var.deps
    log.error({ requestId: c.var.requestId, cause: error.message }, 'sign-in with Google failed')
  }
}
