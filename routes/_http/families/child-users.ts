import type { z } from '@hono/zod-openapi'
import { registerChildUser } from '#actions/families/child-users.ts'
import { requestReset } from '#actions/families/reset-requests.ts'
import { getRegistrableCode } from '#db/families/child-registrations.ts'
import { contactText, parseContact } from '#domain/accounts/contact.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { childContact } from '#domain/families/child-registration.ts'
import { passwordTurn } from '#routes/_http/accounts/device.ts'
import { assertHere } from '#routes/_http/brands/page-brand.ts'
import { clientNetwork } from '#routes/_http/client-address.ts'
import type { childForm, forgotForm } from '#routes/_http/codes/forms.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { wordsOf } from '#routes/_http/language.ts'
import { limit, limitFailures, limitRefusals } from '#routes/_http/rate-limits.ts'

/** Returns whether the account waits for its guardian. */
export async function registerChildByForm(
  c: AppContext,
  form: z.output<typeof childForm>,
): Promise<boolean> {
  const { deps } = c.var
  const contact = childContact(form)
  // The code is checked first, because hashing is expensive.
  const qrId = parseQrId(form.qr_id) ?? ''
  await assertHere(c, qrId)
  await limitFailures(c, ['child-register'], () =>
    limitRefusals(c, ['child-contact', ['child-contact-code', qrId]], () =>
      getRegistrableCode(deps.db, qrId, contact),
    ),
  )
  const { name, details, password, adult } = form
  const turn = passwordTurn(c, contactText(contact))
  return registerChildUser(deps, qrId, { name, contact, details, password, adult, turn })
}

/** Files a reset request. The observable behaviour is the same without such a child user. */
export async function requestChildReset(
  c: AppContext,
  { qr_id, contact }: z.output<typeof forgotForm>,
): Promise<void> {
  const request = { qrId: parseQrId(qr_id) ?? '', contact: parseContact(contact) }
  await assertHere(c, request.qrId)
  const key = JSON.stringify({ ...request, network: clientNetwork(c).name })
  const { lang } = wordsOf(c)
  limit(c, 'child-reset-address', ['child-reset', key])
  await requestReset(c.var.deps, { ...request, lang })
}
