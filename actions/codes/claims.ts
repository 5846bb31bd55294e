import type { z } from '@hono/zod-openapi'
import { byMail, mailOrigin } from '#actions/mail.ts'
import { claimQrCode, undoClaim } from '#db/codes/claims.ts'
import type { OwnQrCode, Viewer } from '#db/codes/qr-codes.ts'
import { getRegistrableCode, registerChild } from '#db/families/child-registrations.ts'
import { fileResetRequest } from '#db/families/password-resets.ts'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { hashPassword } from '#db/secrets.ts'
import { contactText, parseContact } from '#domain/accounts/contact.ts'
import { formatQrId, parseQrId, requireQrId } from '#domain/codes/qr-id.ts'
import { childContact } from '#domain/families/child-registration.ts'
import { claimedMail, claimUndoneMail } from '#mail/texts.ts'
import type { childForm, claimForm, forgotForm } from '#routes/_http/claim-forms.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { passwordTurn } from '#routes/_http/guesser.ts'
import { limit, limitRefusals, takeTry } from '#routes/_http/rate-limits.ts'
import { offerTake, takePath } from '#routes/_http/take-offer.ts'

/** `take_url` leads a claimer without an account to where the code is taken into one. */
export async function claimCode(
  c: AppContext,
  { qr_id, claim }: z.output<typeof claimForm>,
): Promise<{ qr_id: string; take_url: string | null }> {
  const { db, clock, config } = c.var.deps
  return limitRefusals(c, ['claim'], async () => {
    const qrId = requireQrId(qr_id)
    const words = { ...mailOrigin(c), name: formatQrId(qrId), url: `${config.publicUrl}/login` }
    const notify = byMail(c, (to: string) =>
      mayMail(c, 'claim', to) ? { to, ...claimedMail(words) } : undefined,
    )
    const claimer = { claim, accountId: c.var.account?.id }
    const { take_token } = await claimQrCode(db, qrId, claimer, clock(), notify)
    if (!take_token) return { qr_id: qrId, take_url: null }
    offerTake(c, qrId, take_token)
    return { qr_id: qrId, take_url: config.publicUrl + takePath(take_token) }
  })
}

/** Makes a code unclaimed again for its issuer, and mails the claimer where there is an address. */
export async function undoClaimOf(c: AppContext, issuer: Viewer, qrId: string): Promise<OwnQrCode> {
  const { db, clock } = c.var.deps
  const words = { ...mailOrigin(c), name: formatQrId(qrId) }
  const notify = byMail(c, (to: string) =>
    mayMail(c, 'undo', to) ? { to, ...claimUndoneMail(words) } : undefined,
  )
  return undoClaim(db, issuer, qrId, clock(), notify)
}

/** Anybody may type any address: over a limit the claim goes on, and the mail is not sent. */
function mayMail(c: AppContext, about: 'claim' | 'undo', address: string): boolean {
  if (about === 'claim' && takeTry(c, 'claim-mail')) return false
  return !takeTry(c, ['claim-mail-contact', JSON.stringify([about, address])])
}

export async function registerChildUser(
  c: AppContext,
  form: z.output<typeof childForm>,
): Promise<void> {
  const { db, clock } = c.var.deps
  const contact = childContact(form)
  // Before the password is hashed, which is what takes the processor's time.
  const qrId = parseQrId(form.qr_id) ?? ''
  await limitRefusals(c, ['child-register', 'child-contact', ['child-contact-code', qrId]], () =>
    getRegistrableCode(db, qrId, contact),
  )
  const passwordHash = await hashPassword(form.password, passwordTurn(c, contactText(contact)))
  const { name, details } = form
  await registerChild(db, qrId, { name, contact, passwordHash, details }, clock())
}

/** Tells nobody whether there is such a child user. */
export async function requestReset(
  c: AppContext,
  { qr_id, contact }: z.output<typeof forgotForm>,
): Promise<void> {
  const { db, clock } = c.var.deps
  const asked = { qrId: parseQrId(qr_id) ?? '', contact: parseContact(contact) }
  limit(c, 'child-reset-address', ['child-reset', JSON.stringify(asked)])
  await fileResetRequest(db, asked, clock())
}

/** The code that a page's address names, inactive ones included. */
export function findNamedCode(c: AppContext): ScannedCode | undefined {
  limit(c, 'scan')
  const qrId = parseQrId(c.req.query('qr') ?? '')
  const code = qrId ? c.var.deps.scanPath.find(qrId) : undefined
  if (!code) limit(c, 'unknown')
  return code
}

/** These pages tell no other site what their address says of a code, and no search engine. */
export function keepUnlisted(c: AppContext): void {
  c.header('Referrer-Policy', 'no-referrer')
  c.header('X-Robots-Tag', 'noindex, noarchive')
}
