import { Hono } from 'hono'
import type { MadeInvitation } from '#actions/accounts/invitations.ts'
import { SecretDialog } from '#components/ui/secret-dialog.tsx'
import { actorOf } from '#db/admin/audit-events.ts'
import { withdrawInvitation } from '#db/invitations/invitations.ts'
import { managementHref } from '#domain/admin/management.ts'
import { inviteForAdmin, inviteForm } from '#routes/_http/accounts/invitations.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { inviteDialog } from '#routes/admin-dashboard/_invitations.tsx'
import { renderUsers } from '#routes/admin-dashboard/_users.tsx'

const USERS = managementHref('users')

/** The forms of invitations; they call the same actions as the API. */
export const invitationForms = new Hono<AppEnv>()
  .post('/', async (c) => {
    const admin = requireAdmin(c)
    const { form } = await readForm(c)
    return perform(c, {
      act: () => inviteForAdmin(c, admin, parseForm(inviteForm, form)),
      done: (made) => {
        if (made.url) return renderUsers(c, admin, { dialog: linkDialog(made, made.url) })
        return managementHref('users', { done: 'invited', at: `invitation-${made.id}` })
      },
      refused: ({ message }) => {
        return renderUsers(c, admin, { dialog: inviteDialog(c, { email: form.email, message }) })
      },
    })
  })
  .post('/:id/withdraw', async (c) => {
    const { db, clock } = c.var.deps
    await withdrawInvitation(db, c.req.param('id'), actorOf(requireAdmin(c)), clock())
    return redirectBack(c, USERS, { done: 'invitation-withdrawn' })
  })

/** A link that was not mailed is in this answer alone. */
function linkDialog({ email }: MadeInvitation, url: string) {
  return <SecretDialog title="Invitation link" label={`Link for ${email}`} secret={url} />
}
