/** Even a session in use ends after this. */
export const LONGEST_SESSION_DAYS = 180
