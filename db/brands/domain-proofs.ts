import type { Updateable } from 'kysely'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { getOwnDomain, newDomainToken, noDomain, type OwnDomain } from '#db/brands/domains.ts'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import type { Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { type DomainAlert, endOfProof, type ProofPlace } from '#domain/brands/domain-name.ts'
import { DomainError } from '#domain/error.ts'

/** An alert about a domain to the account that has it, or had it. */
export type NotifyOfDomain = Notify<DomainAlert & { accountId: string }>

/**
 * Records that the caller's domain was checked, and the place of its proof; undefined without a proof. A first
 * proof takes the domain over from the account that held it. Throws conflict for a file on a domain of another
 * account, which may serve that file, not_found, and unauthenticated when the caller's session has ended.
 */
export async function recordProof(
  db: Db,
  caller: Caller,
  token: string,
  place: ProofPlace | undefined,
  now: Date,
  notify: NotifyOfDomain,
): Promise<OwnDomain> {
  const { accountId } = caller
  const asked_at = toInstant(now)
  return inTransactionOf(db, caller, async (trx) => {
    const { domain, verified_at, ...own } = await getOwnDomain(trx, accountId)
    // Another domain was named while the proof of this one was looked up.
    if (own.token !== token) throw noDomain()
    if (place && !verified_at) await takeOver(trx, { accountId, domain }, place, notify)
    const found = { ...FOUND, verified_at: verified_at ?? asked_at, proven_at: asked_at }
    await put(trx, accountId, { asked_at, ...(place && found) })
    if (place && !verified_at) await notify(trx, { accountId, domain, kind: 'proven' })
    return getOwnDomain(trx, accountId)
  })
}

const FOUND = { missing_since: null, is_unconfirmed: toFlag(false) }
const ENDED = { ...FOUND, verified_at: null, proven_at: null }

async function takeOver(
  trx: Trx,
  { accountId, domain }: { accountId: string; domain: string },
  place: ProofPlace,
  notify: NotifyOfDomain,
): Promise<void> {
  const holder = await trx
    .selectFrom('brand_domains')
    .select('account_id')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .where('account_id', '!=', accountId)
    .executeTakeFirst()
  if (!holder) return
  if (place !== 'dns') throw new DomainError('conflict.domain_taken')
  // A record that still stands in the DNS must not take it back.
  await put(trx, holder.account_id, { ...ENDED, token: newDomainToken() })
  await notify(trx, { accountId: holder.account_id, domain, kind: 'taken' })
}

type Due = Pick<Tables['brand_domains'], 'account_id' | 'domain' | 'token'>

/** Lists the verified domains whose proof was last found before an instant, or is missing. */
export async function listDueDomains(db: Db, before: Date): Promise<Due[]> {
  return db
    .selectFrom('brand_domains')
    .select(['account_id', 'domain', 'token'])
    .where('verified_at', 'is not', null)
    .where((eb) =>
      eb.or([eb('proven_at', '<=', toInstant(before)), eb('missing_since', 'is not', null)]),
    )
    .orderBy('asked_at')
    .execute()
}

/**
 * Records whether the proof of a verified domain was found again. Notifies the account when the proof is missing,
 * and when the domain ends because of that.
 */
export async function recordRepeatedCheck(
  db: Db,
  { account_id: accountId, token }: Due,
  isFound: boolean,
  now: Date,
  notify: NotifyOfDomain,
): Promise<void> {
  const asked_at = toInstant(now)
  await inTransaction(db, async (trx) => {
    const row = await trx
      .selectFrom('brand_domains')
      .select(['domain', 'missing_since'])
      .where('account_id', '=', accountId)
      .where('token', '=', token)
      .where('verified_at', 'is not', null)
      .executeTakeFirst()
    // The domain was removed or taken over during the check.
    if (!row) return
    const { domain, missing_since } = row
    const about = { accountId, domain }
    if (isFound) await put(trx, accountId, { asked_at, proven_at: asked_at, missing_since: null })
    else if (!missing_since) {
      await put(trx, accountId, { asked_at, missing_since: asked_at })
      await notify(trx, { ...about, kind: 'missing', endsAt: endOfProof(asked_at) })
    } else if (endOfProof(missing_since) > now) await put(trx, accountId, { asked_at })
    else {
      await put(trx, accountId, { ...ENDED, asked_at })
      await notify(trx, { ...about, kind: 'ended' })
    }
  })
}

/** Ends the domain of an account. The account can prove it again. */
export async function endDomain(trx: Trx, accountId: string): Promise<void> {
  await put(trx, accountId, ENDED)
}

/** Keeps an account's domain out of new links until the account confirms it. Returns the domain, if it has one. */
export async function doubtDomain(db: DbOrTrx, accountId: string): Promise<string | null> {
  const row = await db
    .updateTable('brand_domains')
    .set({ is_unconfirmed: toFlag(true) })
    .where('account_id', '=', accountId)
    .where('verified_at', 'is not', null)
    .returning('domain')
    .executeTakeFirst()
  return row?.domain ?? null
}

async function put(
  trx: Trx,
  accountId: string,
  change: Updateable<Tables['brand_domains']>,
): Promise<void> {
  await trx.updateTable('brand_domains').set(change).where('account_id', '=', accountId).execute()
}
