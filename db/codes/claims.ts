import { sql } from 'kysely'
import { recordConsent } from '#db/accounts/consents.ts'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { tryActivationCode } from '#db/codes/activation.ts'
import { helpOn, laterThan } from '#db/codes/qr-changes.ts'
import { getOwnQrCode, getOwnRow, type OwnQrCode } from '#db/codes/qr-codes.ts'
import { NO_DETAILS, toColumns } from '#db/codes/qr-columns.ts'
import type { Making } from '#db/codes/qr-creation.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import type { SecretTry } from '#db/codes/wrong-tries.ts'
import { assertKept } from '#db/deletions/leaving.ts'
import type { Notify } from '#db/outbox.ts'
import { recordHelp } from '#db/people/help.ts'
import { endShares } from '#db/people/people.ts'
import type { Flag, QrCode } from '#db/schema.ts'
import { hashToken, keyedToken, randomToken, type SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { normalizeEmail } from '#domain/accounts/contact.ts'
import {
  assertClaimable,
  assertMayUndo,
  type Claim,
  claimState,
  isHeldByClaimer,
} from '#domain/codes/claim.ts'
import { DEFAULT_CLAIM_MESSAGE } from '#domain/codes/qr.ts'
import { DomainError } from '#domain/error.ts'
import type { Network } from '#domain/networks.ts'
import type { Lang } from '#locales/languages.ts'

/** The value of the PIN's column without one. */
export const NO_PIN = { pin_hash: null }
/** The values of the claim columns once an account has taken the code. Its link still leads that account to it. */
export const TAKEN = { claim_email: null, claim_lang: null, claimed_at: null, claim_notice: null }
/** The values of the claim columns without a claim. */
export const NO_CLAIM = { ...TAKEN, take_token_hash: null }

/** The values for a code that is off because its owner's account is being deleted, and is on as before again. */
export const NO_ENDING = {
  // One that a moderator switched off meanwhile stays off.
  is_active: sql<Flag>`case when is_ending = 1 and stopped_by_report is null then 1 else is_active end`,
  is_ending: toFlag(false),
}

/** A claimer's input on a page in that language, and their account if they have one. */
export type Claimer = {
  claim: Claim
  /** as it was typed */
  activationCode: string | null
  accountId: string | undefined
  /** from which they claim */
  networks: readonly Network[]
  lang: Lang
  /** a random text of the form that was sent: the same form may be sent again when its answer was lost */
  formKey?: string | undefined
}
/** The recipient and the language of a mail about a claim. */
export type ClaimAddress = { to: string; lang: Lang }
/** The recipients of the news that a claim was undone: its claimer only with an address. */
export type UndoneClaim = { issuerId: string; claimer: ClaimAddress | undefined }

/**
 * Writes a claimer's details on an unclaimed code, once. It becomes the code of a claimer's account
 * at once. Without an account it stays with its issuer, held by the claimer, who takes it by the
 * token that only this answer contains, or where the account with the verified e-mail is offered it. The same form, sent again because
 * its answer was lost, finds its own claim and gets the same token; what a claimer without an account
 * has changed in it since is stored. Throws not_found, conflict for a claimed code or a child's, and
 * forbidden or too_many for a wrong activation code. `notify` gets the e-mail, if there is one, and
 * its language. `notice` is the version that the claimer was shown.
 */
export async function claimQrCode(
  db: Db,
  qrId: string,
  { claim, activationCode, accountId, networks, lang, formKey }: Claimer,
  { secretKey, now, notice }: { secretKey: SecretKey; now: Date; notice: string },
  notify: Notify<ClaimAddress>,
): Promise<{ take_token: string | null }> {
  const made = formKey ? keyedToken(secretKey, 'claim form', qrId, formKey) : randomToken()
  const take_token = accountId ? null : made
  const take_token_hash = take_token && hashToken(take_token)
  const claim_email = accountId || !claim.email ? null : normalizeEmail(claim.email)
  const tried = await inTransaction(db, async (trx) => {
    const found = await trx
      .selectFrom('qr_codes')
      .selectAll()
      .where('qr_id', '=', qrId)
      .executeTakeFirst()
    if (formKey && accountId && isClaimedAs(found, accountId, claim)) return undefined
    const isAgain = isHeldBy(found, take_token_hash)
    const code = isAgain ? { ...found, is_claimed: toFlag(false) } : found
    assertClaimable(code)
    if (accountId) await assertKept(trx, accountId)
    const from = { secretKey, networks, now }
    const tried = await tryActivationCode(trx, code.id, activationCode, from)
    if (tried.outcome !== 'right') return tried
    const { numUpdatedRows } = await trx
      .updateTable('qr_codes')
      .set({
        ...toColumns(claim),
        public_message: claim.public_message ?? DEFAULT_CLAIM_MESSAGE,
        is_claimed: toFlag(true),
        owner_id: accountId ?? code.owner_id,
        claim_email,
        claim_lang: claim_email ? lang : null,
        claimed_at: take_token && (code.claimed_at ?? toInstant(now)),
        claim_notice: take_token && notice,
        take_token_hash,
        // The issuer must not have a PIN for fields that the claimer fills in later.
        ...NO_PIN,
        updated_at: laterThan(code.updated_at, now),
      })
      .where('id', '=', code.id)
      .where(({ eb, or }) =>
        or([eb('is_claimed', '=', toFlag(false)), eb('take_token_hash', '=', take_token_hash)]),
      )
      .where('is_active', '=', toFlag(true))
      .executeTakeFirst()
    if (!numUpdatedRows) throw new DomainError('conflict.claimed')
    if (accountId) await endShares(trx, { code_id: code.id })
    if (accountId) await recordConsent(trx, accountId, notice, now)
    if (claim_email && claim_email !== code.claim_email)
      await notify(trx, { to: claim_email, lang })
    return tried
  })
  // Only now, because a wrong try is committed.
  if (tried) assertActivated(tried)
  return { take_token }
}

/** Checks whether a claimer without an account holds the code, by a link of that hash. */
function isHeldBy(code: QrCode | undefined, hash: string | null): code is QrCode {
  return !!code && !!hash && isHeldByClaimer(code) && code.take_token_hash === hash
}

/** Checks whether the account's claim of a code is stored, as it was typed. */
function isClaimedAs(code: QrCode | undefined, accountId: string, claim: Claim): boolean {
  if (!code || code.owner_id !== accountId || claimState(code) !== 'claimed') return false
  const stored: Record<string, unknown> = code
  const typed = { ...claim, public_message: claim.public_message ?? DEFAULT_CLAIM_MESSAGE }
  return Object.entries(toColumns(typed)).every(([name, value]) => stored[name] === value)
}

function assertActivated(tried: SecretTry): void {
  if (tried.outcome === 'wrong') throw new DomainError('forbidden.activation')
  if (tried.outcome !== 'locked') return
  const { retryAfter } = tried
  throw new DomainError({ code: 'too_many.activation', values: { wait: retryAfter } })
}

/**
 * Makes a code blank and unclaimed again, within seven days of a claim, while no account has taken
 * it. A code that needed its activation code needs it again. Throws not_found, forbidden and conflict.
 */
export async function undoClaim(
  db: Db,
  issuer: Viewer,
  qrId: string,
  { now, contactMode }: Making,
  notify: Notify<UndoneClaim>,
): Promise<OwnQrCode> {
  return inTransaction(db, async (trx) => {
    const code = await getOwnRow(trx, issuer, qrId, 'create')
    assertMayUndo(code, now)
    const { numUpdatedRows } = await trx
      .updateTable('qr_codes')
      .set({ ...NO_DETAILS, ...NO_PIN, ...NO_CLAIM, is_claimed: toFlag(false) })
      .set({ contact_mode: contactMode, thing: 'keys' })
      .set({ show_vehicle: toFlag(true), show_city: toFlag(true) })
      .set({ updated_at: laterThan(code.updated_at, now) })
      .where('id', '=', code.id)
      .where('owner_id', '=', code.owner_id)
      .where('claimed_at', '=', code.claimed_at)
      .executeTakeFirst()
    if (!numUpdatedRows) throw new DomainError('conflict.no_claim')
    await recordHelp(trx, issuer, helpOn(issuer, 'claim_undone', code), now)
    await notify(trx, { issuerId: code.owner_id, claimer: claimAddress(code) })
    return getOwnQrCode(trx, issuer, qrId)
  })
}

/** Returns the recipient of mails about a claim; undefined without an address. Old claims have no language. */
export function claimAddress({
  claim_email: to,
  claim_lang,
}: Pick<QrCode, 'claim_email' | 'claim_lang'>): ClaimAddress | undefined {
  return to ? { to, lang: claim_lang ?? 'en' } : undefined
}

/** Returns the code of a claimer's link; undefined when the link is no longer valid. */
export async function findClaimToTake(db: Db, token: string): Promise<string | undefined> {
  const code = await db
    .selectFrom('qr_codes')
    .select('qr_id')
    .where('take_token_hash', '=', hashToken(token))
    .where('claimed_at', 'is not', null)
    .executeTakeFirst()
  return code?.qr_id
}

/** Returns the code that an account took by a link and still has: it may not have seen the answer. */
export async function findTakenCode(
  db: Db,
  token: string,
  accountId: string | undefined,
): Promise<string | undefined> {
  if (!accountId) return undefined
  const code = await db
    .selectFrom('qr_codes')
    .select('qr_id')
    .where('take_token_hash', '=', hashToken(token))
    .where('claimed_at', 'is', null)
    .where('owner_id', '=', accountId)
    .executeTakeFirst()
  return code?.qr_id
}

/**
 * Moves a claimed code to an account, once; undefined when the link was used or the claim undone. Throws conflict
 * for an account that is being deleted.
 */
export async function takeClaim(
  db: Db,
  token: string,
  accountId: string,
  now: Date,
): Promise<string | undefined> {
  return inTransaction(db, async (trx) => {
    await assertKept(trx, accountId)
    return moveClaim(trx, token, accountId, now)
  })
}

/** Moves a claimed code to an account, as a step of taking it. */
export async function moveClaim(
  trx: Trx,
  token: string,
  accountId: string,
  now: Date,
): Promise<string | undefined> {
  const taken = await trx
    .updateTable('qr_codes')
    .set({ owner_id: accountId, ...TAKEN, ...NO_ENDING, updated_at: toInstant(now) })
    .where('take_token_hash', '=', hashToken(token))
    .where('claimed_at', 'is not', null)
    .returning(['id', 'qr_id'])
    .executeTakeFirst()
  if (taken) await endShares(trx, { code_id: taken.id })
  return taken?.qr_id
}
