import { z } from '@hono/zod-openapi'
import { keepAccount } from '#actions/accounts/deletion.ts'
import { deleteOwnAccount } from '#routes/_http/accounts/deletion.ts'
import { deletionForm, wayBackForm } from '#routes/_http/accounts/forms.ts'
import { limitFailures } from '#routes/_http/rate-limits.ts'
import { answer, apiRouter, jsonBody, message, problems } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { asHolder } from '#routes/api/accounts/_as-holder.ts'

const begin = apiCall({
  operationId: 'deleteAccount',
  summary: 'Delete your account, with 7 days to take that back',
  ...asHolder,
  method: 'post',
  path: '/',
  request: { body: jsonBody(deletionForm, { email: 'asha@example.in' }) },
  responses: {
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
    ...problems(409),
  },
})

const keep = apiCall({
  operationId: 'keepAccount',
  summary: 'Take a deletion back',
  subject: 'Accounts',
  security: [],
  method: 'delete',
  path: '/',
  request: { body: jsonBody(wayBackForm, { token: 'the end of the mailed link' }) },
  responses: { 200: answer('The account can be signed in to again', message) },
})

/** The end of an account. */
export const accountDeletion = apiRouter()
  .openapi(begin, async (c) => c.json(await deleteOwnAccount(c, c.req.valid('json').email), 200))
  .openapi(keep, async (c) => {
    const { token } = c.req.valid('json')
    await limitFailures(c, ['link'], () => keepAccount(c.var.deps, token))
    return c.json({ message: 'Your account is kept' }, 200)
  })
