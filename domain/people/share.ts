import { isHeldByClaimer } from '#domain/codes/claim.ts'
import { DomainError } from '#domain/error.ts'
import { type Access, has, type Right, type ShareRole } from '#domain/people/roles.ts'
import type { PlanId } from '#domain/plans/plan.ts'

/** The codes of a share: all of the owner, those of one company, or one. At most one of both is set. */
export type Scope = { company_fleet_name: string | null; code_id: string | null }

/** A share that one owner gives an account. */
export type HeldShare = Scope & {
  id: string
  owner_id: string
  owner_name: string
  role: ShareRole
  /** of its owner */
  plan: PlanId
  /** the own domain of the owner's codes as `https://…` */
  address?: string | undefined
}

/** An account, as far as its access to codes depends on it. `shares` are those with it; without them it has none. */
export type Holder = { id: string; shares?: readonly HeldShare[] }

type Code = {
  id: string
  owner_id: string
  child_account_id: string | null
  company_fleet_name: string | null
  /** when a claimer without an account took it, whose details it has until then */
  claimed_at: string | null
}

/** Returns how an account has a code, undefined for a code of others. */
export function accessTo(holder: Holder, code: Code): Access | undefined {
  if (code.owner_id === holder.id) return 'owner'
  if (code.child_account_id === holder.id) return 'child'
  return shareOf(holder, code)?.role
}

/** Returns whether others share codes with an account. */
export function hasShares({ shares = [] }: Holder): boolean {
  return shares.length > 0
}

/** Returns the share by which an account has a code of another. An owner has at most one with it. */
export function shareOf({ id, shares = [] }: Holder, code: Code): HeldShare | undefined {
  if (code.child_account_id === id) return undefined
  return shares.find((share) => share.owner_id === code.owner_id && covers(share, code))
}

/** Returns the account for which somebody acts on a code: an owner who shares it, else itself. */
export function actsFor(
  { id }: Holder,
  { access, owner_id }: { access: Access; owner_id: string },
): string {
  return access === 'owner' || access === 'child' ? id : owner_id
}

function covers({ company_fleet_name, code_id }: Scope, code: Code): boolean {
  if (code_id) return code_id === code.id
  if (!company_fleet_name) return true
  return company_fleet_name === code.company_fleet_name && !isHeldByClaimer(code)
}

/** Returns the plan that opens something on the codes of an account: that of an owner who shares, else one's own. */
export function planOf(
  { subscription_plan, shares = [] }: Holder & { subscription_plan: PlanId },
  accountId: string,
): PlanId {
  return shares.find(({ owner_id }) => owner_id === accountId)?.plan ?? subscription_plan
}

/**
 * Returns an account with the shares of the owners whose plan opens something, and `shared` where its own plan does
 * not. Undefined where no plan does.
 */
export function whereOpen<Viewer extends Holder & { subscription_plan: PlanId }>(
  viewer: Viewer,
  isOpen: (plan: PlanId) => boolean,
): { viewer: Viewer; whose: 'shared' | null } | undefined {
  const shares = (viewer.shares ?? []).filter(({ plan }) => isOpen(plan))
  const isOwn = isOpen(viewer.subscription_plan)
  if (!isOwn && shares.length === 0) return undefined
  return { viewer: { ...viewer, shares }, whose: isOwn ? null : 'shared' }
}

/** Returns the share by which an account has a code that it sees. */
export function shareBehind(
  { shares = [] }: Holder,
  { access, owner_id }: { access: Access; owner_id: string },
): HeldShare | undefined {
  if (access === 'owner' || access === 'child') return undefined
  return shares.find((share) => share.owner_id === owner_id)
}

/** Returns whether somebody has a code as one of a company, out of which it must not move the code. */
export function isBoundToCompany(holder: Holder, code: Code): boolean {
  return Boolean(shareOf(holder, code)?.company_fleet_name)
}

/** Returns whether somebody handles the documents of an account on the codes that it sees. */
export function handlesPapersOf(holder: Holder, accountId: string): boolean {
  const owners = sharesFor(holder, 'papers').map(({ owner_id }) => owner_id)
  return [holder.id, ...owners].includes(accountId)
}
/** Which codes of a list: those without a share, or with one. */
export const WHOSE = { mine: 'Mine', shared: 'Shared' } as const
export type Whose = keyof typeof WHOSE

/** Returns the shares of an account that give a right. */
export function sharesFor({ shares = [] }: Holder, right: Right): readonly HeldShare[] {
  return shares.filter(({ role }) => has(role, right))
}

/** Returns whether two lists of shares of an account give the same access. */
export function isSameAccess(some: readonly HeldShare[], others: readonly HeldShare[]): boolean {
  const keyOf = ({ id, role, company_fleet_name, code_id }: HeldShare) =>
    JSON.stringify([id, role, company_fleet_name, code_id])
  return some.map(keyOf).sort().join() === others.map(keyOf).sort().join()
}

/** With how many people an owner may share, by plan: accepted ones and open invitations. */
export const MOST_PEOPLE: Record<PlanId, number> = {
  free: 1,
  premium: 5,
  enterprise: Number.POSITIVE_INFINITY,
}

/** Returns whether a share counts, by the owner's plan and the number of the owner's older shares. */
export function isAwake(plan: PlanId, older: number): boolean {
  return older < MOST_PEOPLE[plan]
}

/** Throws plan_limit for more `people` than the plan of the owner allows. They include the newest. */
export function assertPeople(plan: PlanId, people: number): void {
  if (isAwake(plan, people - 1)) return
  const [limit, count] = [MOST_PEOPLE[plan], people - 1]
  throw new DomainError(
    { code: 'plan_limit.people', values: { count, limit } },
    { planLimit: { current_count: count, limit } },
  )
}

/** A scope as people name it: all codes of the owner, those of one company, or one. */
export type NamedScope = 'all' | { company_fleet_name: string } | { qr_id: string }

/** Returns the scope of a share as people name it. */
export function nameScope({
  company_fleet_name,
  qr_id,
}: {
  company_fleet_name: string | null
  qr_id: string | null
}): NamedScope {
  if (qr_id) return { qr_id }
  return company_fleet_name ? { company_fleet_name } : 'all'
}
