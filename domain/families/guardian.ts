/** For so long a child user waits. Without an answer the registration is undone. */
export const GUARDIAN_DAYS = 7

/** Returns the address at which the owner of a code confirms to be the guardian of its user. */
export function guardianAction(childId: string): string {
  return `/dashboard/guardian/${childId}`
}
