/** The action of the form by which an account takes or refuses codes that were claimed with its address. */
export const CLAIM_OFFERS_ACTION = '/dashboard/claims'
