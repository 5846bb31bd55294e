import { removeOldExports } from '#actions/accounts/exports.ts'
import { resolveMailBrand } from '#actions/brands/brands.ts'
import { toClaimer } from '#actions/codes/claims.ts'
import { makingOf } from '#actions/codes/making.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { type MayMail, mailOrigin } from '#actions/mail.ts'
import { removeStoredFiles } from '#actions/papers/files.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import {
  beginDeletion,
  type Deletion,
  type EndingCode,
  takeDeletionBack,
} from '#db/deletions/deletions.ts'
import { claimDueDeletion, removeAccount } from '#db/deletions/removal.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account, Instant } from '#db/schema.ts'
import { hashToken, randomToken } from '#db/secrets.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'
import type { MailText } from '#domain/mail.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import {
  accountDeletionMail,
  codeEndedMail,
  codeEndsMail,
  type Device,
} from '#mail/account-notices.ts'
import type { WrittenLetter } from '#mail/letter.ts'
import { type Claimed, claimEndedMail, claimEndsMail } from '#mail/texts.ts'

export type DeletionBegun = {
  ends_at: Instant
  /** null where a mail has it */
  take_back_url: string | null
}

/**
 * Begins to delete the caller's account, whose contact was `typed`. The way back is mailed; only who cannot be
 * reached by mail is answered it. Throws the errors of `beginDeletion`.
 */
export async function deleteAccount(
  deps: ActionDeps,
  caller: Caller,
  { typed, from }: { typed: string; from: Device },
): Promise<DeletionBegun> {
  const { db, clock, config, outbox } = deps
  const token = randomToken()
  const url = `${config.publicUrl}/way-back/${token}`
  const proof = { typed, tokenHash: hashToken(token) }
  const mailBrand = await readMailBrand(deps, caller.accountId)
  const notify = aboutDeletion(deps, mailBrand, { url, from })
  const { account, ends_at } = await beginDeletion(db, caller, proof, clock(), notify)
  await removeOldExports(deps)
  const isMailed = outbox.isOpen && account.email !== null && account.email_verified_at !== null
  return { ends_at, take_back_url: isMailed ? null : url }
}

function aboutDeletion(
  deps: ActionDeps,
  mailBrand: ClaimersBrand,
  { url, from }: { url: string; from: Device },
): Notify<Deletion> {
  const { clock, outbox } = deps
  return async (trx, { account, ends_at, codes }) => {
    const origin = mailOrigin(deps)
    const about = { ...origin, now: clock(), url, endsAt: ends_at, ...from }
    const { reason: _, ...mail } = accountDeletionMail(about)
    await outbox.putTo(trx, { accountId: account.id, ...mail, expiresAt: ends_at })
    const tell = aboutCodes(deps, mailBrand, {
      toChild: (code) => codeEndsMail({ ...origin, code, endsAt: ends_at }),
      toClaimer: claimEndsMail,
    })
    for (const code of codes) await tell(trx, code)
  }
}

type ClaimersBrand = Pick<Claimed, 'brand' | 'site'>

/** Returns the brand of mails to claimers. Reads it before the transaction, because finders wait for that. */
async function readMailBrand(deps: ActionDeps, accountId: string): Promise<ClaimersBrand> {
  const branding = await resolveAccountBrand(deps.db, accountId, deps.clock())
  // Without the logo: a fleet would write it a thousand times in one transaction.
  return resolveMailBrand(deps, {
    ...branding,
    brand: branding.brand && { ...branding.brand, logo_file: null },
  })
}

type Letters = { toChild: (code: string) => WrittenLetter; toClaimer: (claim: Claimed) => MailText }

/** The address of a claim was typed by somebody and never verified. */
const MAILS_TO_CLAIMER = 3

/**
 * Notifies the users of an account's codes that it is deleted: child users at verified addresses alone, and
 * claimers in the brand of the account, because they may not know the product.
 */
function aboutCodes(
  deps: ActionDeps,
  { brand, site }: ClaimersBrand,
  letters: Letters,
): Notify<EndingCode> {
  const mailed = new Map<string, Set<string>>()
  return async (trx, { qr_id, ...whom }) => {
    const name = formatQrId(qr_id)
    if ('accountId' in whom) {
      const { reason: _, ...mail } = letters.toChild(name)
      await deps.outbox.putTo(trx, { ...whom, ...mail })
      return
    }
    const mayMail: MayMail = (address) => {
      const names = mailed.get(address) ?? new Set()
      mailed.set(address, names.add(name))
      return [...names].indexOf(name) < MAILS_TO_CLAIMER
    }
    const write = (words: Catalogue) => letters.toClaimer({ words, site, brand, name })
    await toClaimer(deps, mayMail, write)(trx, whom)
  }
}

/** Takes a deletion back; `token` is that of the link. Throws invalid. */
export async function keepAccount({ db, clock }: ActionDeps, token: string): Promise<void> {
  if (await takeDeletionBack(db, hashToken(token), clock())) return
  throw new DomainError('invalid.dead_link')
}

/**
 * Removes the accounts whose days are over, with their files, in small steps. A failure of one account does not stop
 * the removal of others. The next call continues after a stop, a crash or a failure. The next start removes files
 * without a row.
 */
export async function removeDeleted(deps: ActionDeps, signal?: AbortSignal): Promise<void> {
  const { db, clock, log } = deps
  const failed: string[] = []
  while (!signal?.aborted) {
    const account = await claimDueDeletion(db, failed, clock())
    if (!account) return
    await removeNow(deps, account, signal).catch((err) => {
      failed.push(account.id)
      log.error({ account: account.id, err }, 'account not removed')
    })
  }
}

async function removeNow(deps: ActionDeps, account: Account, signal?: AbortSignal): Promise<void> {
  const notify = aboutCodes(deps, await readMailBrand(deps, account.id), {
    toChild: (code) => codeEndedMail({ ...mailOrigin(deps), code }),
    toClaimer: claimEndedMail,
  })
  const removing = { account, ...makingOf(deps), notify }
  for await (const stored_names of removeAccount(deps.db, removing)) {
    await removeStoredFiles(deps, { stored_names })
    if (signal?.aborted) return
  }
  await removeOldExports(deps)
  deps.log.info({ account: account.id }, 'account removed')
}
