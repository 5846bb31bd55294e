export type ErrorCode =
  | 'invalid'
  | 'unauthenticated'
  | 'plan_limit'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'too_many'
  | 'unavailable'

/** Said of a link that is used up, too late or made up. */
export const DEAD_LINK = 'This link is no longer valid'

export type PlanLimit = { current_count: number; limit: number }

/**
 * A refused request. `message` is the sentence shown to the user, `code` sets the HTTP status.
 * `retryAfter` is in seconds and goes with `too_many` and `unavailable`; `planLimit` goes with
 * `plan_limit`; `confirm` with `forbidden`, where who is signed in must first show who they are.
 */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly retryAfter: number | undefined
  readonly planLimit: PlanLimit | undefined
  readonly confirm: boolean

  constructor(
    code: ErrorCode,
    message: string,
    details: { retryAfter?: number; planLimit?: PlanLimit; confirm?: boolean } = {},
  ) {
    super(message)
    this.name = 'DomainError'
    this.code = code
    this.retryAfter = details.retryAfter
    this.planLimit = details.planLimit
    this.confirm = details.confirm ?? false
  }
}

/** Thrown to whoever is not signed in, or no longer. */
export class NotSignedIn extends DomainError {
  constructor() {
    super('unauthenticated', 'Not authenticated')
  }
}
