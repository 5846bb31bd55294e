/** The refusal of a child user's account that waits for its guardian. */
export const WAITS_FOR_GUARDIAN =
  'Your account waits for your guardian: the owner of your QR code has to confirm it first.'

export const SAY_YOUR_AGE = 'Please say whether you are 18 or older'

/** Returns the address at which the owner of a code confirms to be the guardian of its user. */
export function guardianAction(childId: string): string {
  return `/dashboard/guardian/${childId}`
}
