import { z } from '@hono/zod-openapi'
import { signInOptions } from '#actions/accounts/passkeys.ts'
import { toAnyHow, toSignedIn, toUserView } from '#actions/accounts/view.ts'
import { passkeyAnswer, secondFactor } from '#routes/_http/accounts/factor-forms.ts'
import { loginForm } from '#routes/_http/accounts/forms.ts'
import {
  login,
  passSecondFactor,
  signInWithPasskey,
  signOut,
} from '#routes/_http/accounts/sign-in.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { publicCalls, sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { signedIn, user, wholeSignedIn } from '#routes/api/accounts/_account-schema.ts'
import { webauthnOptions } from '#routes/api/accounts/account-passkeys.ts'
import { google } from '#routes/api/accounts/auth-google.ts'
import { recovery } from '#routes/api/accounts/auth-recovery.ts'
import { registration } from '#routes/api/accounts/auth-registration.ts'

const publicCall = publicCalls('Accounts')
const sessionCall = sessionCalls('Accounts')

const logIn = publicCall('logIn', 'Sign in with a password', {
  post: '/login',
  body: jsonBody(loginForm, { contact: 'asha@example.in', password: 'correct horse' }),
  200: answer('Signed in', signedIn),
})

const second = publicCall('passSecondFactor', 'Sign in with the second factor', {
  post: '/second-factor',
  body: jsonBody(secondFactor, {
    ticket: '2cf24dba5fb0a30e26e83b2ac5b9e29e',
    code: '123456',
    trust: true,
  }),
  200: answer('Signed in', wholeSignedIn),
})

const passkeyOptions = publicCall('getPasskeySignInOptions', 'Ask what a passkey signs in with', {
  post: '/passkey/options',
  200: answer('For `startAuthentication`, for five minutes', webauthnOptions),
})

const byPasskey = publicCall('signInWithPasskey', 'Sign in with a passkey', {
  post: '/passkey/verify',
  body: jsonBody(passkeyAnswer, {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
  }),
  200: answer('Signed in', wholeSignedIn),
})

const me = sessionCall('getMe', 'Get the signed-in account', {
  get: '/me',
  200: answer('The signed-in account', z.object({ user })),
  middleware: [],
})

const logOut = sessionCall('logOut', 'Sign out', {
  post: '/logout',
  200: 'Signed out',
  middleware: [],
})

export const auth = apiRouter()
  .openapi(logIn, async (c) => {
    return c.json(await toAnyHow(c.var.deps, await login(c, c.req.valid('json'))), 200)
  })
  .openapi(second, async (c) => {
    const signedIn = await passSecondFactor(c, c.req.valid('json'))
    return c.json(await toSignedIn(c.var.deps, signedIn), 200)
  })
  .openapi(passkeyOptions, async (c) => c.json({ ...(await signInOptions(c.var.deps)) }, 200))
  .openapi(byPasskey, async (c) => {
    const signedIn = await signInWithPasskey(c, c.req.valid('json'))
    return c.json(await toSignedIn(c.var.deps, signedIn), 200)
  })
  .openapi(me, async (c) => {
    return c.json(
      { user: await toUserView(c.var.deps.db, requireAccount(c), c.var.deps.clock()) },
      200,
    )
  })
  .openapi(logOut, async (c) => {
    await signOut(c)
    return c.json({ message: 'Logged out successfully' }, 200)
  })

auth.route('/', registration)
auth.route('/', recovery)
auth.route('/', google)
