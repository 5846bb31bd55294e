import { z } from '@hono/zod-openapi'
import { beginGoogle, exchangeSignInCode, finishGoogle } from '#actions/accounts/google-sign-in.ts'
import { signedIn, toSignedIn } from '#actions/accounts/view.ts'
import { answer, apiRouter, jsonBody, problems } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'

const toProvider = apiCall({
  operationId: 'beginGoogleSignIn',
  summary: 'Begin to sign in with Google',
  subject: 'Accounts',
  security: [],
  method: 'get',
  path: '/google',
  responses: {
    302: { description: 'To the provider, or back to the login page, which says why not' },
    ...problems(503),
  },
})

const callback = apiCall({
  operationId: 'finishGoogleSignIn',
  summary: 'Come back from Google',
  subject: 'Accounts',
  security: [],
  method: 'get',
  path: '/google/callback',
  request: {
    query: z.object({
      code: z.string().max(4096).optional(),
      state: z.string().max(200).optional(),
      error: z.string().max(200).optional(),
    }),
  },
  responses: {
    302: { description: 'To `/dashboard#session_id=…`, or to the login page, which says why not' },
    ...problems(400, 503),
  },
})

const session = apiCall({
  operationId: 'exchangeSignInCode',
  summary: 'Turn the code of a sign-in with Google into a session',
  subject: 'Accounts',
  security: [],
  method: 'post',
  path: '/session',
  request: {
    body: jsonBody(z.object({ session_id: z.string('session_id must be text').max(200) }), {
      session_id: '2cf24dba5fb0a30e26e83b2ac5b9e29e',
    }),
  },
  responses: {
    200: answer('Signed in, in the browser that began', signedIn),
  },
})

export const google = apiRouter()
  .openapi(toProvider, async (c) => c.redirect(await beginGoogle(c), 302))
  .openapi(callback, async (c) => {
    c.header('Referrer-Policy', 'no-referrer')
    return c.redirect(await finishGoogle(c, c.req.valid('query')), 302)
  })
  .openapi(session, async (c) => {
    const { session_id } = c.req.valid('json')
    const { account, bearerToken } = await exchangeSignInCode(c, session_id)
    return c.json(await toSignedIn(c.var.deps.db, account, bearerToken), 200)
  })
