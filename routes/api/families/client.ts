import { z } from '@hono/zod-openapi'
import { decideReset, toResetRequestView } from '#actions/families/reset-links.ts'
import { listResetRequests } from '#db/families/password-resets.ts'
import { DECISION_ACTIONS, DECISION_STATUSES } from '#domain/decision.ts'
import { CHILD_ANSWERS, RESET_DECISIONS } from '#domain/families/password-reset.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { apiRouter, oneOf, requires, text } from '#routes/_http/schema.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { answer, jsonBody, message } from '#routes/api/_payloads.ts'

const call = sessionCalls('Claims and child users')

const resetRequest = z
  .object({
    id: z.string(),
    child_name: z.string(),
    child_contact: z.string(),
    qr_id: z.string(),
    qr_name: z.string().nullable(),
    status: z.enum(DECISION_STATUSES),
    requested_at: z.iso.datetime(),
    processed_at: z.iso.datetime().nullable(),
    child_answer: z.enum(CHILD_ANSWERS).nullable().openapi({
      description: 'whether the child user confirmed the reset',
    }),
  })
  .openapi('PasswordResetRequest')

const list = call('listPasswordResets', 'List the password reset requests of your child users', {
  get: '/password-reset-requests',
  200: answer('The requests, pending ones first', z.array(resetRequest)),
})

const decide = call('decidePasswordReset', 'Approve or reject a password reset request', {
  post: '/password-reset-approve',
  body: jsonBody(
    requires(
      z.object({
        request_id: text('request_id').transform((id) => id ?? ''),
        action: oneOf(DECISION_ACTIONS, 'action'),
      }),
      { request_id: 1 },
    ),
    { request_id: 'b1946ac92492d2347c6235b4d2611184', action: 'approve' },
  ),
  200: answer(
    'Decided; the link of an approval is shown only once',
    message.extend({
      reset_url: z.url().nullable().optional().openapi({
        description: 'null when the link was mailed to the verified address of the child',
      }),
      reset_qr_image: z.string().optional().openapi({ description: 'the link, a PNG in base64' }),
    }),
  ),
  problems: [404, 409],
})

/** The calls of an owner about the password resets of child users. */
export const client = apiRouter()
  .openapi(list, async (c) => {
    const requests = await listResetRequests(c.var.deps.db, requireAccount(c).id)
    return c.json(requests.map(toResetRequestView), 200)
  })
  .openapi(decide, async (c) => {
    const { request_id: requestId, action } = c.req.valid('json')
    const { link } = await decideReset(c.var.deps, requireAccount(c), {
      requestId,
      action,
      credential: requireCaller(c).credential,
    })
    const { message } = RESET_DECISIONS[action]
    if (action === 'reject') return c.json({ message }, 200)
    return c.json({ message, reset_url: link?.url ?? null, reset_qr_image: link?.image }, 200)
  })
