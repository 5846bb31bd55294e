import type { Pass } from '#domain/accounts/admission.ts'

/** For so long the link of an invitation works. */
export const INVITATION_DAYS = 7

/** The text after the end of an invitation. */
export const INVITATION_WITHDRAWN = 'Invitation withdrawn'

/** Returns the pass of an invitation. Only the operator's has no account that made it. */
export function passOfInvitation({ account_id }: { account_id: string | null }): Pass {
  return account_id === null ? 'operator' : 'admin'
}
