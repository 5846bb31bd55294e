import type { createRemoteJWKSet, JWTPayload } from 'jose'
import { z } from 'zod'
import type { Config } from '#config.ts'
import {
  type AuthorizationServer,
  authorizationUrl,
  redeemAuthorizationCode,
  sameHash,
} from '#db/secrets.ts'
import { isEmail, normalizeEmail } from '#domain/accounts/contact.ts'

/** The OAuth values of a sign-in attempt, derived from the secret in the browser's cookie. */
export type Attempt = { state: string; nonce: string; codeVerifier: string }

/** The identity from the provider's ID token; `email` is written as accounts have it. */
export type Identity = {
  issuer: string
  subject: string
  email: string
  isEmailVerified: boolean
  name: string | undefined
}

export type GoogleSignIn = NonNullable<ReturnType<typeof openGoogle>>

const TIMEOUT_MS = 5_000
const CACHED_FOR_MS = 3_600_000
const SCOPES = ['openid', 'email', 'profile']
/** Only signatures by the provider's private key: neither `none` nor the client secret. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA']
const CLOCK_TOLERANCE_SECONDS = 60

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})

const claims = z.object({
  sub: z.string().min(1).max(255),
  nonce: z.string(),
  azp: z.string().optional(),
  email: z.string().max(200).transform(normalizeEmail).refine(isEmail),
  // Some providers send it as a string.
  email_verified: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
  name: z.string().optional(),
})

/** A failed exchange with the provider. The message contains no secrets or personal data. */
export class ProviderFault extends Error {}

type Provider = {
  server: AuthorizationServer
  authenticateWith: 'http_basic_auth' | 'request_body'
  keys: ReturnType<typeof createRemoteJWKSet>
}

/** Opens the sign-in by an OpenID provider: Google, unless `OIDC_ISSUER` names another one. */
export function openGoogle({ google, publicUrl }: Config, clock: () => Date) {
  if (!google) return undefined
  const { clientId, clientSecret, issuer } = google
  const redirectURI = `${publicUrl}/api/auth/google/callback`
  let cached: { provider: Promise<Provider>; until: number } | undefined

  /** Cached for an hour. After a failure the next caller tries again. */
  function provider(): Promise<Provider> {
    if (cached && performance.now() < cached.until) return cached.provider
    const discovery = step('discovery', discover(issuer, clientId, redirectURI))
    cached = { provider: discovery, until: performance.now() + CACHED_FOR_MS }
    discovery.catch(() => {
      cached = undefined
    })
    return discovery
  }

  async function begin({ state, nonce, codeVerifier }: Attempt): Promise<URL> {
    const { server } = await provider()
    const url = await authorizationUrl(server, { state, codeVerifier, scopes: SCOPES })
    url.searchParams.set('nonce', nonce)
    return url
  }

  async function finish(code: string, { nonce, codeVerifier }: Attempt): Promise<Identity> {
    const from = await provider()
    const idToken = await step('token', inTime(redeem(code, codeVerifier, from)))
    const payload = await step('id token', verify(idToken, from.keys))
    return step('id token', readIdentity(payload, nonce))
  }

  async function redeem(
    code: string,
    codeVerifier: string,
    { server, authenticateWith }: Provider,
  ): Promise<string> {
    const options = { codeVerifier, credentials: clientSecret, authenticateWith }
    const answer = await redeemAuthorizationCode(server, code, options)
    return z.object({ id_token: z.string() }).parse(answer).id_token
  }

  async function verify(idToken: string, keys: Provider['keys']): Promise<JWTPayload> {
    const { jwtVerify } = await import('jose')
    const { payload } = await jwtVerify(idToken, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'iat', 'sub'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: clock(),
    })
    return payload
  }

  async function readIdentity(payload: JWTPayload, expected: string): Promise<Identity> {
    const { sub, nonce, azp, email, email_verified, name } = claims.parse(payload)
    if (!sameHash(nonce, expected)) throw new ProviderFault('another nonce')
    const isForOthers = Array.isArray(payload.aud) && payload.aud.length > 1
    if ((azp ?? (isForOthers ? undefined : clientId)) !== clientId) {
      throw new ProviderFault('another client')
    }
    const isEmailVerified = email_verified === true || email_verified === 'true'
    return { issuer, subject: sub, email, isEmailVerified, name }
  }

  return { begin, finish }
}

async function discover(issuer: string, clientId: string, redirectURI: string): Promise<Provider> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(address, { signal, redirect: 'error' })
  const found = metadata.parse(await answer.json())
  if (found.issuer !== issuer) throw new ProviderFault('another issuer')
  const { createRemoteJWKSet } = await import('jose')
  const { authorization_endpoint: authorizeEndpoint, token_endpoint: tokenEndpoint } = found
  return {
    server: { clientId, authorizeEndpoint, tokenEndpoint, redirectURI },
    authenticateWith: found.token_endpoint_auth_methods_supported?.includes('client_secret_post')
      ? 'request_body'
      : 'http_basic_auth',
    keys: createRemoteJWKSet(new URL(found.jwks_uri), { timeoutDuration: TIMEOUT_MS }),
  }
}

/** oslo has no timeout. */
function inTime<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new ProviderFault('timeout')), TIMEOUT_MS).unref()
  })
  return Promise.race([work, late])
}

/** Third-party error messages may quote input, so only OAuth and jose error codes are kept. */
function step<T>(name: string, work: Promise<T>): Promise<T> {
  return work.catch((error: Error & { code?: string; claim?: string }) => {
    const { code, claim, message } = error
    const isSafe = error instanceof ProviderFault || /^[a-z_]{1,40}$/.test(message)
    const cause = [code ?? (isSafe ? message : error.name), claim].filter(Boolean).join(' ')
    throw new ProviderFault(`${name}: ${cause}`)
  })
}
