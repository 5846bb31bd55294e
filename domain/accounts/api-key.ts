import { DomainError } from '#domain/error.ts'
import { hasApiAccess, type PlanId } from '#domain/plans/plan.ts'
import { cleanLine, LENGTHS, lengthProblem } from '#domain/text.ts'
import type { Refusal } from '#locales/refusal.ts'

/** Lets people and secret scanners recognise a leaked key. */
export const KEY_PREFIX = 'dqk_'
export const MOST_KEYS = 20
/** The rights of keys. Who changes codes reads them too. */
export const SCOPES = ['codes:read', 'codes:write', 'papers', 'messages'] as const
export type Scope = (typeof SCOPES)[number]
/** null for a key made without scopes, which may make the calls of keys from before there were any. */
export type KeyScopes = Scope[] | null
const WITHOUT_SCOPES: Scope[] = ['codes:read', 'codes:write', 'papers']
/** The words for a scope: of its tick, and after "can". */
export const SCOPE_WORDS: Record<Scope, { label: string; can: string }> = {
  'codes:read': { label: 'See codes', can: 'read your QR codes' },
  'codes:write': { label: 'Change codes', can: 'read and change your QR codes' },
  papers: { label: 'Documents', can: 'read and change your documents' },
  messages: { label: 'Messages', can: 'read and answer your messages' },
}

export const NO_API_ACCESS = 'API access is available on the Enterprise plan'

/** Throws forbidden for a plan without API access. */
export function assertApiAccess({ subscription_plan }: { subscription_plan: PlanId }): void {
  if (!hasApiAccess(subscription_plan)) throw new DomainError('forbidden.api_access')
}

/** Checks whether a key has a scope. */
export function hasScope(scopes: KeyScopes, needed: Scope): boolean {
  const held = scopes ?? WITHOUT_SCOPES
  return held.includes(needed) || (needed === 'codes:read' && held.includes('codes:write'))
}

/** Lists the words for the scopes of a key, without a scope that another one includes. */
export function wordsOfScopes(scopes: KeyScopes) {
  const held = SCOPES.filter((scope) => hasScope(scopes, scope))
  const named = held.filter((scope) => scope !== 'codes:read' || !held.includes('codes:write'))
  return named.map((scope) => SCOPE_WORDS[scope])
}

/** Returns why a key cannot have this name. */
export function keyNameProblem(typed: string | null | undefined): Refusal | undefined {
  const name = cleanLine(typed)
  return name ? lengthProblem('Name', name, LENGTHS.name) : 'invalid.key_name_missing'
}

/** Returns why a key cannot have these scopes. */
export function keyScopesProblem(scopes: KeyScopes): Refusal | undefined {
  return scopes?.length === 0 ? 'invalid.key_scopes_missing' : undefined
}
