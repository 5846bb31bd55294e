import { z } from '@hono/zod-openapi'
import { removeAuthenticator } from '#actions/accounts/second-factors.ts'
import { deviceOf } from '#routes/_http/accounts/device.ts'
import { factorCode } from '#routes/_http/accounts/factor-forms.ts'
import { beginOwnApp, renewCodes, turnOnApp } from '#routes/_http/accounts/factors.ts'
import { requireHoldersCaller } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { holderCall } from '#routes/api/accounts/_account-call.ts'

const codes = z.object({
  recovery_codes: z.array(z.string()).openapi({ description: 'each works once' }),
})

const begin = holderCall('beginAuthenticator', 'Begin to set up an authenticator app', {
  post: '/totp',
  200: answer(
    'The secret, until its first code is typed',
    z.object({ secret: z.string(), otpauth_url: z.string() }),
  ),
  problems: [409],
})

const verify = holderCall(
  'confirmAuthenticator',
  'Turn the authenticator app on by its first code',
  {
    post: '/totp/verify',
    body: jsonBody(factorCode, { code: '123456' }),
    200: answer('On; the recovery codes are shown only once', codes),
    problems: [409],
  },
)

const remove = holderCall('removeAuthenticator', 'Take the authenticator app off', {
  delete: '/totp',
  200: 'Off, with its recovery codes',
  problems: [404],
})

const renew = holderCall('renewRecoveryCodes', 'Make new recovery codes', {
  post: '/recovery-codes',
  200: answer('The earlier ones do not work any more', codes),
  problems: [404],
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
