import { z } from '@hono/zod-openapi'
import { ProviderFault } from '#actions/accounts/google.ts'
import {
  beginGoogle,
  finishGoogle,
  type GoogleAnswer,
  redeemGoogleCode,
} from '#actions/accounts/google-sign-in.ts'
import { toAnyHow } from '#actions/accounts/view.ts'
import { admissionOf } from '#routes/_http/accounts/admission.ts'
import { type HalfSignedIn, type SignedIn, signIn } from '#routes/_http/accounts/sign-in.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { signInCookie } from '#routes/_http/cookies.ts'
import { findCookieSession } from '#routes/_http/middleware.ts'
import { limit, limitFailures } from '#routes/_http/rate-limits.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { publicCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { signedIn } from '#routes/api/accounts/_account-schema.ts'

const call = publicCalls('Accounts')

const toProvider = call('beginGoogleSignIn', 'Begin to sign in with Google', {
  get: '/google',
  302: { description: 'To the provider, or to the login page with the reason' },
  problems: [503],
})

const callback = call('finishGoogleSignIn', 'Return from Google', {
  get: '/google/callback',
  query: z.object({
    code: z.string().max(4096).optional(),
    state: z.string().max(200).optional(),
    error: z.string().max(200).optional(),
  }),
  302: {
    description:
      'To `/dashboard#session_id=…`, to `/dashboard` while the account of the browser has not read that it lost its email, or to the login page with the reason',
  },
  problems: [503],
})

const session = call(
  'exchangeSignInCode',
  'Exchange the code of a sign-in with Google for a session',
  {
    post: '/session',
    body: jsonBody(z.object({ session_id: z.string('session_id must be text').max(200) }), {
      session_id: '2cf24dba5fb0a30e26e83b2ac5b9e29e',
    }),
    200: answer('Signed in; works only in the browser that began', signedIn),
  },
)

export const google = apiRouter()
  .openapi(toProvider, async (c) => c.redirect(await begin(c), 302))
  .openapi(callback, async (c) => {
    c.header('Referrer-Policy', 'no-referrer')
    return c.redirect(await finish(c, c.req.valid('query')), 302)
  })
  .openapi(session, async (c) => {
    const { session_id } = c.req.valid('json')
    return c.json(await toAnyHow(c.var.deps, await exchange(c, session_id)), 200)
  })

const FAILED = '/login?google_failed=1'

/** The URL to redirect to: the provider, or the login page with the reason. */
async function begin(c: AppContext): Promise<string> {
  const begun = await beginGoogle(c.var.deps).catch(noteFault(c))
  if (!begun) return FAILED
  signInCookie.set(c, begun.secret)
  return begun.url
}

/** The URL to redirect to after the provider: the dashboard, or the login page with the reason. */
async function finish(c: AppContext, sent: GoogleAnswer): Promise<string> {
  // Each call sends a request to Google, which would block the server, not the caller.
  limit(c, 'google')
  const secret = signInCookie.read(c)
  const finishing = finishGoogle(c.var.deps, sent, secret, admissionOf(c))
  const finished = await finishing.catch(noteFault(c))
  if (!finished) return FAILED
  // An account that just lost its address to this sign-in stays signed in, and its page says so.
  const lost = (await findCookieSession(c))?.account.email_lost_at
  if ('code' in finished && lost) return '/dashboard'
  return 'code' in finished
    ? `/dashboard#session_id=${finished.code}`
    : `/login?${finished.refused}=1`
}

async function exchange(c: AppContext, code: string): Promise<SignedIn | HalfSignedIn> {
  const account = await limitFailures(c, ['link'], () =>
    redeemGoogleCode(c.var.deps, code, signInCookie.read(c)),
  )
  signInCookie.clear(c)
  return signIn(c, account)
}

/** Logs faults of the provider or the settings. Other errors are thrown on. */
function noteFault(c: AppContext) {
  return (error: unknown): undefined => {
    if (!(error instanceof ProviderFault)) throw error
    const { log } = c.var.deps
    log.error({ requestId: c.var.requestId, cause: error.message }, 'sign-in with Google failed')
  }
}
