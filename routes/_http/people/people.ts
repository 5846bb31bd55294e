import { z } from '@hono/zod-openapi'
import {
  changePerson,
  inviteToHelp,
  joinToHelp,
  type MadeShareInvitation,
} from '#actions/people/people.ts'
import { findShareInvitation, type OpenInvitation } from '#db/people/invitations.ts'
import type { Account } from '#db/schema.ts'
import { normalizeEmail } from '#domain/accounts/contact.ts'
import { sendOtpProblem } from '#domain/accounts/registration.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'
import { SHARE_ROLES } from '#domain/people/roles.ts'
import type { NamedScope } from '#domain/people/share.ts'
import { passwordQueueKeys } from '#routes/_http/accounts/device.ts'
import { acceptForm } from '#routes/_http/accounts/invitations.ts'
import { limitMailTo } from '#routes/_http/accounts/mail-limits.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { readPathToken } from '#routes/_http/errors.tsx'
import { requireCaller } from '#routes/_http/guards.ts'
import { limit, limitChanges } from '#routes/_http/rate-limits.ts'
import {
  anyText,
  follows,
  mustBe,
  oneOf,
  parseForm,
  payload,
  requires,
  text,
} from '#routes/_http/schema.ts'

const role = oneOf(SHARE_ROLES, 'role')
const scope = z.union(
  [
    z.literal('all'),
    z.strictObject({ company_fleet_name: anyText('company_fleet_name') }),
    z.strictObject({ qr_id: anyText('qr_id') }),
  ],
  mustBe('scope', '"all", a company_fleet_name or a qr_id'),
)

export const personForm = requires(payload({ email: text('email'), role, scope }), { email: 1 })
  .transform(({ email, ...share }) => ({ ...share, email: normalizeEmail(email ?? '') }))
  .superRefine(follows(({ email }) => sendOtpProblem(email)))

export const shareForm = payload({ role: role.optional(), scope: scope.optional() })

/** Returns a scope with the id of a code as it is stored. Throws not_found for a text that is no id. */
function readScope(named: NamedScope): NamedScope {
  return named !== 'all' && 'qr_id' in named ? { qr_id: requireQrId(named.qr_id) } : named
}

/** Invites an address to help the caller. Throws too_many above the limits of such mails. */
export function inviteForCaller(
  c: AppContext,
  { email, role, scope }: z.output<typeof personForm>,
): Promise<MadeShareInvitation> {
  const caller = requireCaller(c)
  const to = { address: email, accountId: caller.accountId }
  const wish = { email, role, scope: readScope(scope) }
  return inviteToHelp(c.var.deps, caller, wish, () =>
    limitMailTo(c, to, 'invite-contact', 'invite-person'),
  )
}

/** Changes a share of the caller's codes. Throws too_many above the limit of such changes, which are mailed. */
export async function changeForCaller(
  c: AppContext,
  id: string,
  { role, scope }: z.output<typeof shareForm>,
): Promise<void> {
  const caller = requireCaller(c)
  limitChanges(c, caller.accountId, 'person')
  await changePerson(c.var.deps, caller, { id, role, scope: scope && readScope(scope) })
}

/** Returns the invitation of the link in the path. Throws not_found, and too_many for many links that do not work. */
export async function readInvited(c: AppContext): Promise<OpenInvitation> {
  const { db, clock } = c.var.deps
  const invitation = await findShareInvitation(db, readPathToken(c), clock())
  if (invitation) return invitation
  limit(c, 'link')
  throw new DomainError('not_found.dead_link')
}

/** Creates the account of an invited person. Throws the errors of `joinToHelp`. */
export async function joinByLink(c: AppContext, form: Record<string, unknown>): Promise<Account> {
  const { name, password } = parseForm(acceptForm, form)
  const queueKeysOf = (email: string) => passwordQueueKeys(c, email)
  return joinToHelp(c.var.deps, { token: readPathToken(c), name, password, queueKeysOf })
}
