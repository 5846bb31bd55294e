import type { z } from '@hono/zod-openapi'
import { claimCode, undoClaimOf } from '#actions/codes/claims.ts'
import { type RegisteredChild, registerChildUser } from '#actions/families/child-users.ts'
import { requestReset } from '#actions/families/reset-requests.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { getRegistrableCode } from '#db/families/child-registrations.ts'
import { contactText, mailboxOf, parseContact } from '#domain/accounts/contact.ts'
import { parseQrId, requireQrId } from '#domain/codes/qr-id.ts'
import { childContact } from '#domain/families/child-registration.ts'
import { passwordQueueKeys } from '#routes/_http/accounts/device.ts'
import { assertServedHere } from '#routes/_http/brands/page-brand.ts'
import { clientNetwork, clientNetworks } from '#routes/_http/client-address.ts'
import type { childForm, claimForm, forgotForm } from '#routes/_http/codes/forms.ts'
import { offerTake, takePath } from '#routes/_http/codes/take-offer.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { wordsOf } from '#routes/_http/language.ts'
import { limit, limitFailures, limitRefusals, takeTry } from '#routes/_http/rate-limits.ts'

/**
 * Claims a code. `take_url` lets a claimer without an account take the code into one later. `formKey` identifies a
 * page's form: sending the same form again claims once. Throws not_found, and the errors of `claimCode`.
 */
export async function claimForCaller(
  c: AppContext,
  { qr_id, activationCode, claim }: z.output<typeof claimForm>,
  formKey?: string,
): Promise<{ qr_id: string; take_url: string | null }> {
  const { deps, account } = c.var
  return limitFailures(c, ['claim'], async () => {
    const qrId = requireQrId(qr_id)
    await assertServedHere(c, qrId)
    const { lang } = wordsOf(c)
    const networks = clientNetworks(c)
    const claimer = { claim, activationCode, accountId: account?.id, networks, lang, formKey }
    const mayMail = (to: string) => mayMailAbout(c, 'claim', to)
    const { take_token } = await claimCode(deps, qrId, claimer, mayMail)
    if (!take_token) return { qr_id: qrId, take_url: null }
    offerTake(c, qrId, take_token)
    return { qr_id: qrId, take_url: deps.config.publicUrl + takePath(take_token) }
  })
}

/** Undoes the claim of a code for its issuer. Throws the errors of `undoClaimOf`. */
export function undoClaimForIssuer(
  c: AppContext,
  issuer: Viewer,
  qrId: string,
): Promise<OwnQrCode> {
  return undoClaimOf(c.var.deps, issuer, qrId, (to) => mayMailAbout(c, 'undo', to))
}

/** Counts a mail to a typed, unverified address. Returns false above the limits. */
function mayMailAbout(c: AppContext, about: 'claim' | 'undo', address: string): boolean {
  if (about === 'claim' && takeTry(c, 'claim-mail')) return false
  return !takeTry(c, ['claim-mail-contact', JSON.stringify([about, mailboxOf(address)])])
}

/** Registers the child user of a code. Throws too_many, and the errors of `getRegistrableCode` and `registerChildUser`. */
export async function registerChildByForm(
  c: AppContext,
  form: z.output<typeof childForm>,
): Promise<RegisteredChild> {
  const { deps } = c.var
  const contact = childContact(form)
  // The code is checked first, because hashing is expensive.
  const qrId = parseQrId(form.qr_id) ?? ''
  await assertServedHere(c, qrId)
  const codeAndNetwork = `${qrId} ${clientNetwork(c).name}`
  await limitFailures(c, ['child-register'], () =>
    limitRefusals(c, ['child-contact', ['child-contact-code', codeAndNetwork]], () =>
      getRegistrableCode(deps.db, qrId, contact, deps.clock()),
    ),
  )
  const { name, details, password, adult } = form
  const queueKeys = passwordQueueKeys(c, contactText(contact))
  return registerChildUser(deps, qrId, { name, contact, details, password, adult, queueKeys })
}

/** Files a reset request. Answers in the same way when there is no such child user. Throws not_found and too_many. */
export async function requestChildReset(
  c: AppContext,
  { qr_id, contact }: z.output<typeof forgotForm>,
): Promise<void> {
  const request = { qrId: parseQrId(qr_id) ?? '', contact: parseContact(contact) }
  await assertServedHere(c, request.qrId)
  const typed = request.contact && contactText(request.contact)
  const key = JSON.stringify([request.qrId, typed, clientNetwork(c).name])
  const { lang } = wordsOf(c)
  limit(c, 'child-reset-address', ['child-reset', key])
  await requestReset(c.var.deps, { ...request, lang })
}
