/** Returns the address at which the owner of a code confirms to be the guardian of its user. */
export function guardianAction(childId: string): string {
  return `/dashboard/guardian/${childId}`
}
