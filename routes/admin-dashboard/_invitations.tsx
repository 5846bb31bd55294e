import type { ReactElement } from 'react'
import {
  InvitationList,
  InviteForm,
  WithdrawForm,
} from '#components/invitations/open-invitations.tsx'
import {
  getInvitation,
  type ListedInvitation,
  listInvitations,
} from '#db/invitations/invitations.ts'
import { passProblem } from '#domain/accounts/admission.ts'
import { INVITATION_DAYS } from '#domain/accounts/invitation.ts'
import { formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** Returns whether the operator's rule admits people whom an admin invites. */
export function mayInvite(c: AppContext): boolean {
  return !passProblem(c.var.deps.config.registration, 'admin')
}

/** Renders the open invitations, if there are any. */
export async function renderInvitations(c: AppContext): Promise<ReactElement | null> {
  const { db, clock } = c.var.deps
  const rows = await listInvitations(db, clock())
  return rows.length > 0 ? <InvitationList rows={rows.map((row) => toRow(c, row))} /> : null
}

/** Renders the dialog of invitations that the address asks for. Throws not_found for one that is gone. */
export async function requestedInvitation(c: AppContext): Promise<ReactElement | undefined> {
  const { invite, withdraw } = c.req.query()
  const { db, clock } = c.var.deps
  if (withdraw) return <WithdrawForm {...toRow(c, await getInvitation(db, withdraw, clock()))} />
  return invite && mayInvite(c) ? inviteDialog(c) : undefined
}

export function inviteDialog(
  c: AppContext,
  typed: { email?: string | undefined; message?: string } = {},
): ReactElement {
  return <InviteForm canMail={c.var.deps.outbox.isOpen} days={INVITATION_DAYS} {...typed} />
}

function toRow(c: AppContext, { id, email, invited_by, expires_at }: ListedInvitation) {
  const until = formatDateTime(expires_at, c.var.deps.config.timezone)
  return { id, email, by: invited_by ?? 'Command line', until }
}
