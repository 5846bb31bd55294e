import { DomainError } from '#domain/error.ts'
import { has, type Right } from '#domain/people/roles.ts'
import type { HeldShare, Holder } from '#domain/people/share.ts'

/** Somebody who acts for an owner, and the share by which it does. */
export type Help = { helper: Holder; share: HeldShare }

/** The account of an act, and its helper where another person does it. */
export type Acting = { ownerId: string; help?: Help | undefined }

/** The acts for an owner that are about no single code. `company`: those of a company do them, too. */
const ACTS = {
  create: { right: 'create', company: true },
  images: { right: 'edit', company: false },
} as const satisfies Record<string, { right: Right; company: boolean }>
type OwnersAct = keyof typeof ACTS

/** Returns whether a share lets its person do something for the owner. A share of one code never does. */
export function mayActBy(
  { role, company_fleet_name, code_id }: HeldShare,
  act: OwnersAct,
): boolean {
  const { right, company } = ACTS[act]
  return has(role, right) && !code_id && (company || !company_fleet_name)
}

/** Returns the owners that somebody may choose for an act. */
export function ownersFor({ shares = [] }: Holder, act: OwnersAct): { id: string; name: string }[] {
  const able = shares.filter((share) => mayActBy(share, act))
  return able.map(({ owner_id, owner_name }) => ({ id: owner_id, name: owner_name }))
}

/**
 * Returns the account of an act: the named owner, else the caller itself. Throws not_found for an owner who shares
 * nothing with it, and forbidden where its role or its scope lacks the act.
 */
export function actFor(holder: Holder, ownerId: string | undefined, act: OwnersAct): Acting {
  if (!ownerId || ownerId === holder.id) return { ownerId: holder.id }
  const share = holder.shares?.find(({ owner_id }) => owner_id === ownerId)
  if (!share) throw new DomainError('not_found.user')
  if (!mayActBy(share, act)) throw new DomainError('forbidden.role')
  return { ownerId, help: { helper: holder, share } }
}

/** Returns the fields of everything that a person of one company makes. */
export function companyOf(help: Help | undefined): { company_fleet_name?: string } {
  const company_fleet_name = help?.share.company_fleet_name
  return company_fleet_name ? { company_fleet_name } : {}
}
