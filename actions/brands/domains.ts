import type { ActionDeps } from '#actions/deps.ts'
import { getOwnDomain, type OwnDomain, settleProof } from '#db/brands/domains.ts'
import { proofOf } from '#domain/brands/domain-name.ts'
import { DomainError } from '#domain/error.ts'

/**
 * Looks for the proof that the account's domain is its own, in the DNS and as a file. Throws invalid when
 * it is at neither place, not_found, and conflict when another account was sooner.
 */
export async function proveDomain(
  { db, clock, domainProof }: ActionDeps,
  accountId: string,
): Promise<OwnDomain> {
  const own = await getOwnDomain(db, accountId)
  if (own.verified_at) return own
  const isProven = await domainProof(proofOf(own.domain, own.token))
  const settled = await settleProof(db, own, isProven, clock())
  if (!isProven) throw new DomainError('invalid.domain_proof')
  return settled
}
