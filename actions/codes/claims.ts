import { mailDress } from '#actions/brands/brands.ts'
import { makingOf } from '#actions/codes/making.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { byMail, once } from '#actions/mail.ts'
import { findWorn, findWornByCode } from '#db/brands/worn.ts'
import { type Claimer, claimQrCode, undoClaim } from '#db/codes/claims.ts'
import type { OwnQrCode, Viewer } from '#db/codes/qr-codes.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import type { Catalogue } from '#domain/languages/en.ts'
import { claimedMail, claimUndoneMail } from '#mail/texts.ts'

/** Whether a mail may be sent. Above the limit the claim succeeds without one. */
type MayMail = (address: string) => boolean

/** Claims a code, and mails the claimer where there is an address, by these `words`. */
export async function claimCode(
  deps: ActionDeps,
  qrId: string,
  claimer: Claimer,
  { mayMail, words }: { mayMail: MayMail; words: Catalogue },
): Promise<{ take_token: string | null }> {
  const { db, clock, config } = deps
  // The page wore the issuer's, until now.
  const { brand, site } = await mailDress(deps, await findWornByCode(db, qrId))
  const about = { site, brand, name: formatQrId(qrId), url: `${config.publicUrl}/login` }
  const mayMailOnce = once(mayMail)
  const notify = byMail(deps, (to: string) =>
    mayMailOnce(to) ? { to, ...claimedMail({ words, ...about }) } : undefined,
  )
  return claimQrCode(db, qrId, claimer, clock(), notify)
}

/** Makes a code unclaimed again for its issuer, and mails the claimer where there is an address. */
export async function undoClaimOf(
  deps: ActionDeps,
  issuer: Viewer,
  qrId: string,
  mayMail: MayMail,
): Promise<OwnQrCode> {
  const { brand, site } = await mailDress(deps, await findWorn(deps.db, issuer.id))
  const words = { site, brand, name: formatQrId(qrId) }
  const mayMailOnce = once(mayMail)
  const notify = byMail(deps, (to: string) =>
    mayMailOnce(to) ? { to, ...claimUndoneMail(words) } : undefined,
  )
  return undoClaim(deps.db, issuer, qrId, makingOf(deps), notify)
}
