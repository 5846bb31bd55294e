import { z } from '@hono/zod-openapi'
import { actorOf } from '#db/admin/audit-events.ts'
import { fromFlag } from '#db/cast.ts'
import { listInvitations, withdrawInvitation } from '#db/invitations/invitations.ts'
import { INVITATION_WITHDRAWN } from '#domain/accounts/invitation.ts'
import { inviteForAdmin, inviteForm } from '#routes/_http/accounts/invitations.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { adminCall } from '#routes/api/admin/_admin-call.ts'

const made = {
  id: z.string(),
  email: z.string(),
  expires_at: z.iso.datetime(),
}

const invitation = z
  .object({
    ...made,
    was_mailed: z.boolean().openapi({ description: 'a mailed link verifies the address' }),
    invited_by: z.string().nullable().openapi({ description: 'null: the command line' }),
    created_at: z.iso.datetime(),
  })
  .openapi('Invitation')

const list = adminCall('listInvitations', 'List the open invitations', {
  get: '/',
  200: answer('Those that still work, newest first', z.array(invitation)),
})
const create = adminCall('createInvitation', 'Invite an address to make an account', {
  post: '/',
  makes: true,
  secrets: ['url'],
  body: jsonBody(inviteForm, { email: 'asha@example.in' }),
  201: answer(
    'Mailed, in place of an earlier invitation of the address; without a mail server the link is in the answer, once',
    z
      .object({ ...made, url: z.string().nullable().openapi({ description: 'null: mailed' }) })
      .openapi('NewInvitation'),
  ),
  problems: [409],
})
const withdraw = adminCall('withdrawInvitation', 'Withdraw an invitation', {
  delete: '/{id}',
  200: 'The link no longer works',
})

export const adminInvitations = apiRouter()
  .openapi(list, async (c) => {
    const { db, clock } = c.var.deps
    const rows = await listInvitations(db, clock())
    return c.json(
      rows.map((row) => ({ ...row, was_mailed: fromFlag(row.was_mailed) })),
      200,
    )
  })
  .openapi(create, async (c) =>
    c.json(await inviteForAdmin(c, requireAdmin(c), c.req.valid('json')), 201),
  )
  .openapi(withdraw, async (c) => {
    const { db, clock } = c.var.deps
    const by = actorOf(requireAdmin(c))
    await withdrawInvitation(db, c.req.valid('param').id, by, clock())
    return c.json({ message: INVITATION_WITHDRAWN }, 200)
  })
