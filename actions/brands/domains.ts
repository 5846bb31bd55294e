import { alertOrigin, byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import {
  listDueDomains,
  type NotifyOfDomain,
  recordProof,
  recordRepeatedCheck,
} from '#db/brands/domain-proofs.ts'
import { getOwnDomain, type OwnDomain } from '#db/brands/domains.ts'
import { fromFlag, secondsAfter } from '#db/cast.ts'
import { PROOF_SECONDS, proofOf } from '#domain/brands/domain-name.ts'
import { DomainError } from '#domain/error.ts'
import { settingsHref } from '#domain/settings.ts'
import { ownDomainAlert } from '#mail/own-domains.ts'

type Deps = Pick<ActionDeps, 'db' | 'clock' | 'config' | 'outbox' | 'domainProof'>

/**
 * Verifies that the caller's account controls its domain, by a DNS record or a file. Returns the verified domain.
 * Throws invalid without either proof, not_found, conflict for a file when another account has the domain, and
 * unauthenticated when the caller's session has ended.
 */
export async function proveDomain(deps: Deps, caller: Caller): Promise<OwnDomain> {
  const { db, clock, domainProof } = deps
  const own = await getOwnDomain(db, caller.accountId)
  if (own.verified_at && !own.missing_since && !fromFlag(own.is_unconfirmed)) return own
  const place = await domainProof(proofOf(own.domain, own.token))
  const settled = await recordProof(db, caller, own.token, place, clock(), notifyOfDomain(deps))
  if (!place) throw new DomainError('invalid.domain_proof')
  return settled
}

/** Checks the proofs of due domains again, one after another. Stops between two when `signal` is aborted. */
export async function proveDomainsAgain(deps: Deps, signal: AbortSignal): Promise<void> {
  const { db, clock, domainProof } = deps
  const due = await listDueDomains(db, secondsAfter(clock(), -PROOF_SECONDS))
  for (const domain of due) {
    if (signal.aborted) return
    const place = await domainProof(proofOf(domain.domain, domain.token))
    await recordRepeatedCheck(db, domain, place !== undefined, clock(), notifyOfDomain(deps))
  }
}

function notifyOfDomain(deps: Deps): NotifyOfDomain {
  const url = deps.config.publicUrl + settingsHref('branding/domain')
  return byAlert(deps, ({ accountId, ...alert }) => {
    const about = { ...alertOrigin(deps), now: deps.clock(), url }
    return { accountId, ...ownDomainAlert(alert, about) }
  })
}
