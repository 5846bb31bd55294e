import type { z } from '@hono/zod-openapi'
import { getRegistrableCode, registerChild } from '#db/child-registrations.ts'
import { claimQrCode } from '#db/claims.ts'
import { fileResetRequest } from '#db/password-resets.ts'
import type { ScannedCode } from '#db/scan-path.ts'
import { hashPassword } from '#db/secrets.ts'
import { childContact } from '#domain/child-registration.ts'
import { contactText, parseContact } from '#domain/contact.ts'
import { formatQrId, parseQrId } from '#domain/qr-id.ts'
import { claimedMail } from '#mail/texts.ts'
import type { childForm, claimForm, forgotForm } from '#routes/_claim-forms.ts'
import type { AppContext } from '#routes/_deps.ts'
import { passwordTurn } from '#routes/_guesser.ts'
import { byMail, mailOrigin } from '#routes/_mail.ts'
import { limit, limitRefusals } from '#routes/_rate-limits.ts'
import { requireQrId } from '#routes/api/_qr-schema.ts'

/** Answers the id of the code, which from now on is the claimer's. */
export async function claimCode(
  c: AppContext,
  { qr_id, claim }: z.output<typeof claimForm>,
): Promise<string> {
  const { db, clock, config } = c.var.deps
  return limitRefusals(c, ['claim'], async () => {
    const qrId = requireQrId(qr_id)
    const tell = byMail(c, (to: string) => ({
      to,
      ...claimedMail({
        ...mailOrigin(c),
        name: formatQrId(qrId),
        url: `${config.publicUrl}/login`,
      }),
    }))
    await claimQrCode(db, qrId, { claim, accountId: c.var.account?.id }, clock(), tell)
    return qrId
  })
}

export async function registerChildUser(
  c: AppContext,
  form: z.output<typeof childForm>,
): Promise<void> {
  const { db, clock } = c.var.deps
  const contact = childContact(form)
  // Before the password is hashed, which is what takes the processor's time.
  const qrId = await limitRefusals(c, ['child-register'], async () => {
    const typed = requireQrId(form.qr_id)
    await getRegistrableCode(db, typed, contact)
    return typed
  })
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
