import { actorOf, COMMAND_LINE } from '#db/admin/audit-events.ts'
import { invite } from '#db/invitations/invitations.ts'
import type { Account } from '#db/schema.ts'
import type { TestApp } from '#tests/support/app.ts'

const notify = async () => {}

/** Invites an address for an admin, or else for the operator. */
export function inviteIn(
  { db, deps }: Pick<TestApp, 'db' | 'deps'>,
  email: string,
  { by, wasMailed = false }: { by?: Account; wasMailed?: boolean } = {},
) {
  const actor = by ? actorOf(by) : COMMAND_LINE
  return invite(db, { email, wasMailed }, actor, deps.clock(), notify)
}

/** The headers of a browser in which the link of an invitation was opened. */
export function carrying(token: string): Record<'Cookie' | 'Sec-Fetch-Site', string> {
  return { Cookie: `driveqr-invite=${token}`, 'Sec-Fetch-Site': 'same-origin' }
}
