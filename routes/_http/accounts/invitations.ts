import type { z } from '@hono/zod-openapi'
import { accept, inviteAddress, type MadeInvitation } from '#actions/accounts/invitations.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import type { Account } from '#db/schema.ts'
import { normalizeEmail } from '#domain/accounts/contact.ts'
import { nameProblem, passwordProblem, sendOtpProblem } from '#domain/accounts/registration.ts'
import { LENGTHS } from '#domain/text.ts'
import { passwordQueueKeys } from '#routes/_http/accounts/device.ts'
import { confirm_password, newPassword } from '#routes/_http/accounts/forms.ts'
import { limitMailTo } from '#routes/_http/accounts/mail-limits.ts'
import { completeSignIn } from '#routes/_http/accounts/sign-in.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { inviteCookie } from '#routes/_http/cookies.ts'
import { follows, payload, requires, text } from '#routes/_http/schema.ts'

/** Only pages have this form: it makes the account of the link in the path. */
export const acceptForm = payload({
  name: text('name', LENGTHS.name),
  password: newPassword,
  confirm_password,
})
  .transform(({ name, password, confirm_password: confirmPassword }) => ({
    name: name ?? '',
    password,
    confirmPassword,
  }))
  .superRefine(follows((form) => nameProblem(form.name) ?? passwordProblem(form)))

/** Creates the account of an invitation and signs in. */
export async function acceptAndSignIn(
  c: AppContext,
  token: string,
  { name, password }: z.output<typeof acceptForm>,
): Promise<Account> {
  const queueKeysOf = (email: string) => passwordQueueKeys(c, email)
  const { account } = await completeSignIn(
    c,
    await accept(c.var.deps, { token, name, password, queueKeysOf }),
  )
  inviteCookie.clear(c)
  return account
}

export const inviteForm = requires(payload({ email: text('email') }), { email: 1 })
  .transform(({ email }) => ({ email: normalizeEmail(email ?? '') }))
  .superRefine(follows(({ email }) => sendOtpProblem(email)))

/** Invites an address for an admin. Throws too_many above the limits of invitations. */
export function inviteForAdmin(
  c: AppContext,
  admin: Account,
  { email }: z.output<typeof inviteForm>,
): Promise<MadeInvitation> {
  const wish = { email, by: actorOf(admin), from: admin.name }
  const to = { address: email, accountId: admin.id }
  return inviteAddress(c.var.deps, wish, () => limitMailTo(c, to, 'invite-contact', 'invite'))
}
