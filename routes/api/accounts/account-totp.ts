import { z } from '@hono/zod-openapi'
import { removeAuthenticator } from '#actions/accounts/second-factors.ts'
import { factorCode } from '#routes/_http/accounts/forms.ts'
import { deviceOf } from '#routes/_http/accounts/known-device.ts'
import { beginOwnApp, renewCodes, turnOnApp } from '#routes/_http/accounts/second-factor.ts'
import { requireHoldersCaller } from '#routes/_http/guards.ts'
import { answer, apiRouter, jsonBody, message, problems } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { asAnyHolder } from '#routes/api/accounts/_as-holder.ts'

const codes = z.object({
  recovery_codes: z.array(z.string()).openapi({ description: 'each works once' }),
})

const begin = apiCall({
  ...asAnyHolder,
  operationId: 'beginAuthenticator',
  summary: 'Begin to set up an authenticator app',
  method: 'post',
  path: '/totp',
  responses: {
    200: answer(
      'The secret, until its first code is typed',
      z.object({ secret: z.string(), otpauth_url: z.string() }),
    ),
    ...problems(409),
  },
})

const verify = apiCall({
  ...asAnyHolder,
  operationId: 'confirmAuthenticator',
  summary: 'Turn the authenticator app on by its first code',
  method: 'post',
  path: '/totp/verify',
  request: { body: jsonBody(factorCode, { code: '123456' }) },
  responses: {
    200: answer('On; the recovery codes are shown only once', codes),
    ...problems(409),
  },
})

const remove = apiCall({
  ...asAnyHolder,
  operationId: 'removeAuthenticator',
  summary: 'Take the authenticator app off',
  method: 'delete',
  path: '/totp',
  responses: { 200: answer('Off, with its recovery codes', message), ...problems(404) },
})

const renew = apiCall({
  ...asAnyHolder,
  operationId: 'renewRecoveryCodes',
  summary: 'Make new recovery codes',
  method: 'post',
  path: '/recovery-codes',
  responses: { 200: answer('The earlier ones do not work any more', codes), ...problems(404) },
})

/** The second factor of an account. */
export const accountTotp = apiRouter()
  .openapi(begin, async (c) => {
    const { secret, url } = await beginOwnApp(c)
    return c.json({ secret, otpauth_url: url }, 200)
  })
  .openapi(verify, async (c) => {
    return c.json({ recovery_codes: await turnOnApp(c, c.req.valid('json').code) }, 200)
  })
  .openapi(remove, async (c) => {
    await removeAuthenticator(c.var.deps, requireHoldersCaller(c), deviceOf(c))
    return c.json({ message: 'Authenticator app removed' }, 200)
  })
  .openapi(renew, async (c) => c.json({ recovery_codes: await renewCodes(c) }, 200))
