import { createRoute, z } from '@hono/zod-openapi'
import { beginGoogle, exchangeSignInCode, finishGoogle } from '#actions/accounts/google-sign-in.ts'
import { signedIn, toSignedIn } from '#actions/accounts/view.ts'
import { answer, apiRouter, jsonBody, problems } from '#routes/_http/schema.ts'

const toProvider = createRoute({
  method: 'get',
  path: '/google',
  responses: {
    302: { description: 'To the provider, or back to the login page, which says why not' },
    ...problems(503),
  },
})

const callback = createRoute({
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
    ...problems(400, 429, 503),
  },
})

const session = createRoute({
  method: 'post',
  path: '/session',
  request: {
    body: jsonBody(z.object({ session_id: z.string('session_id must be text').max(200) })),
  },
  responses: {
    200: answer('Signed in, in the browser that began', signedIn),
    ...problems(400, 403),
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
