import { hasPlans } from '#domain/plans/offer.ts'

export const ROLES = ['client', 'premium', 'moderator', 'admin', 'super_admin'] as const
export type Role = (typeof ROLES)[number]

const LABELS: Record<Role, string> = {
  client: 'Client',
  premium: 'Premium User',
  moderator: 'Moderator',
  admin: 'Admin',
  super_admin: 'Super Admin',
}

/** Returns whether the role opens the admin area. */
export function isAdmin(role: string): boolean {
  return role === 'admin' || role === 'super_admin'
}

/** Returns whether the role decides about reports. `premium` does not: it only grants a plan. */
export function isOfStaff(role: string): boolean {
  return role === 'moderator' || isAdmin(role)
}

/** Returns the role as it counts: without plans one that only grants a plan is none. */
export function roleNow<R extends string>(role: R): R | 'client' {
  return role === 'premium' && !hasPlans() ? 'client' : role
}

/** Returns the stored roles that count as a role. */
export function rolesCountedAs(role: Role): Role[] {
  return ROLES.filter((stored) => roleNow(stored) === role)
}

/** Returns the text of the header badge. An unknown role is capitalised. */
export function roleLabel(stored: string): string {
  const role = roleNow(stored)
  if (Object.hasOwn(LABELS, role)) return LABELS[role as Role]
  return role.charAt(0).toUpperCase() + role.slice(1)
}
