import { z } from '@hono/zod-openapi'
import { keepAccount } from '#actions/accounts/deletion.ts'
import { deleteOwnAccount } from '#routes/_http/accounts/account.ts'
import { limitFailures } from '#routes/_http/rate-limits.ts'
import { apiRouter, requires, secret, text } from '#routes/_http/schema.ts'
import { publicCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { accountCall } from '#routes/api/accounts/_account-call.ts'

/** The mobile number in place of the e-mail names an account that has none. */
const deletionForm = requires(z.object({ email: text('email') }), { email: 1 }).transform(
  ({ email }) => ({ email: email ?? '' }),
)

const wayBackForm = requires(z.object({ token: secret('token') }), { token: 1 })

const publicCall = publicCalls('Accounts')

const begin = accountCall('deleteAccount', 'Delete your account, with 7 days to take that back', {
  post: '/',
  body: jsonBody(deletionForm, { email: 'asha@example.in' }),
  200: answer(
    'Signed out everywhere, and the codes are off',
    z
      .object({
        ends_at: z.iso.datetime().openapi({ description: 'when everything is removed' }),
        take_back_url: z
          .url()
          .nullable()
          .openapi({ description: 'the way back; null where it was mailed' }),
      })
      .openapi('Deletion'),
  ),
  problems: [409],
})

const keep = publicCall('keepAccount', 'Take a deletion back', {
  delete: '/',
  body: jsonBody(wayBackForm, { token: 'the end of the mailed link' }),
  200: 'The account can be signed in to again',
})

/** The end of an account. */
export const accountDeletion = apiRouter()
  .openapi(begin, async (c) => c.json(await deleteOwnAccount(c, c.req.valid('json').email), 200))
  .openapi(keep, async (c) => {
    const { token } = c.req.valid('json')
    await limitFailures(c, ['link'], () => keepAccount(c.var.deps, token))
    return c.json({ message: 'Your account is kept' }, 200)
  })
