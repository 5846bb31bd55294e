import { resolveMailBrand } from '#actions/brands/brands.ts'
import { makingOf } from '#actions/codes/making.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { byMail, byMailTo, type MayMail, mailOrigin, once } from '#actions/mail.ts'
import { resolveAccountBrand, resolveCodeBrand } from '#db/brands/resolve-brand.ts'
import {
  type ClaimAddress,
  type Claimer,
  claimQrCode,
  type UndoneClaim,
  undoClaim,
} from '#db/codes/claims.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import type { Notify } from '#db/outbox.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import type { MailText } from '#domain/mail.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { claimedMail, claimUndoneMail, undidClaimMail } from '#mail/texts.ts'

/** Claims a code, and mails the claimer where there is an address. */
export async function claimCode(
  deps: ActionDeps,
  qrId: string,
  claimer: Claimer,
  mayMail: MayMail,
): Promise<{ take_token: string | null }> {
  const { db, clock, config, secretKey } = deps
  // The page wore the issuer's, until now.
  const { brand, site } = await resolveMailBrand(deps, await resolveCodeBrand(db, qrId, clock()))
  const about = { site, brand, name: formatQrId(qrId), url: `${config.publicUrl}/login` }
  const notify = toClaimer(deps, mayMail, (words) => claimedMail({ words, ...about }))
  const by = { secretKey, now: clock(), notice: config.noticeVersion }
  return claimQrCode(db, qrId, claimer, by, notify)
}

/** Makes a code unclaimed again for its issuer, and mails both where there is an address. */
export async function undoClaimOf(
  deps: ActionDeps,
  issuer: Viewer,
  qrId: string,
  mayMail: MayMail,
): Promise<OwnQrCode> {
  const branding = await resolveAccountBrand(deps.db, issuer.id, deps.clock())
  const { brand, site } = await resolveMailBrand(deps, branding)
  const about = { site, brand, name: formatQrId(qrId) }
  const tellClaimer = toClaimer(deps, mayMail, (words) => claimUndoneMail({ words, ...about }))
  const tellIssuer = byMailTo(deps, ({ issuerId: accountId }: UndoneClaim) => {
    return { accountId, ...undidClaimMail({ ...mailOrigin(deps), name: about.name }) }
  })
  return undoClaim(deps.db, issuer, qrId, makingOf(deps), async (trx, undone) => {
    if (undone.claimer) await tellClaimer(trx, undone.claimer)
    await tellIssuer(trx, undone)
  })
}

/** Mails a claimer in the language of the page on which they claimed. */
export function toClaimer(
  deps: ActionDeps,
  mayMail: MayMail,
  write: (words: Catalogue) => MailText,
): Notify<ClaimAddress> {
  const mayMailOnce = once(mayMail)
  return byMail(deps, async ({ to, lang }: ClaimAddress) =>
    mayMailOnce(to) ? { to, ...write(await loadCatalogue(lang)) } : undefined,
  )
}
