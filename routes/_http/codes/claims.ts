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
import { passwordTurn } from '#routes/_http/accounts/device.ts'
import { assertHere } from '#routes/_http/brands/page-brand.ts'
import { clientNetwork, clientNetworks } from '#routes/_http/client-address.ts'
import type { childForm, claimForm, forgotForm } from '#routes/_http/codes/forms.ts'
import { offerTake, takePath } from '#routes/_http/codes/take-offer.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { wordsOf } from '#routes/_http/language.ts'
import { limit, limitFailures, limitRefusals, takeTry } from '#routes/_http/rate-limits.ts'

/**
 * Claims a code. `take_url` lets a claimer without an account take it into one later. `formKey` is of a
 * page's form, which may be sent again.
 */
export async function claimForCaller(
  c: AppContext,
  { qr_id, activationCode, claim }: z.output<typeof claimForm>,
  formKey?: string,
): Promise<{ qr_id: string; take_url: string | null }> {
  const { deps, account } = c.var
  return limitFailures(c, ['claim'], async () => {
    const qrId = requireQrId(qr_id)
    await assertHere(c, qrId)
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

/** Undoes the claim of a code for its issuer. */
export function undoClaimForIssuer(
  c: AppContext,
  issuer: Viewer,
  qrId: string,
): Promise<OwnQrCode> {
  return undoClaimOf(c.var.deps, issuer, qrId, (to) => mayMailAbout(c, 'undo', to))
}

/** Limits mails, because the address was typed and not verified. */
function mayMailAbout(c: AppContext, about: 'claim' | 'undo', address: string): boolean {
  if (about === 'claim' && takeTry(c, 'claim-mail')) return false
  return !takeTry(c, ['claim-mail-contact', JSON.stringify([about, mailboxOf(address)])])
}

/** Registers the child user of a code. */
export async function registerChildByForm(
  c: AppContext,
  form: z.output<typeof childForm>,
): Promise<RegisteredChild> {
  const { deps } = c.var
  const contact = childContact(form)
  // The code is checked first, because hashing is expensive.
  const qrId = parseQrId(form.qr_id) ?? ''
  await assertHere(c, qrId)
  const ofCode = `${qrId} ${clientNetwork(c).name}`
  await limitFailures(c, ['child-register'], () =>
    limitRefusals(c, ['child-contact', ['child-contact-code', ofCode]], () =>
      getRegistrableCode(deps.db, qrId, contact, deps.clock()),
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
  const typed = request.contact && contactText(request.contact)
  const key = JSON.stringify([request.qrId, typed, clientNetwork(c).name])
  const { lang } = wordsOf(c)
  limit(c, 'child-reset-address', ['child-reset', key])
  await requestReset(c.var.deps, { ...request, lang })
}
