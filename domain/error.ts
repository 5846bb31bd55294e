import { codeOf, englishText, type Refusal, type RefusalCode } from '#locales/refusal.ts'

/** The first part of a code. It sets the HTTP status. */
export type ErrorKind =
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

/** The text of a link that was used, expired or never existed. */
export const DEAD_LINK = 'This link is no longer valid'

export type PlanLimit = { current_count: number; limit: number }

type Details = { retryAfter?: number; planLimit?: PlanLimit; confirm?: boolean }

/**
 * A refused request. `message` is its English sentence. `retryAfter` is in seconds and goes with
 * `too_many` and `unavailable`; `planLimit` goes with `plan_limit`; `confirm` with `forbidden`,
 * where the signed-in person must first confirm their identity.
 */
export class DomainError extends Error {
  readonly kind: ErrorKind
  readonly code: RefusalCode | undefined
  readonly refusal: Refusal | undefined
  readonly retryAfter: number | undefined
  readonly planLimit: PlanLimit | undefined
  readonly confirm: boolean

  constructor(refusal: Refusal, details?: Details)
  constructor(kind: ErrorKind, sentence: string, details?: Details)
  constructor(first: Refusal | ErrorKind, second?: string | Details, third?: Details) {
    const isSentence = typeof second === 'string'
    super(isSentence ? second : englishText(first as Refusal))
    const details = (isSentence ? third : second) ?? {}
    this.name = 'DomainError'
    this.refusal = isSentence ? undefined : (first as Refusal)
    this.code = this.refusal && codeOf(this.refusal)
    this.kind = (this.code ?? String(first)).split('.')[0] as ErrorKind
    this.retryAfter = details.retryAfter
    this.planLimit = details.planLimit
    this.confirm = details.confirm ?? false
  }
}

/** Thrown when nobody is signed in, or the session has ended. */
export class NotSignedIn extends DomainError {
  constructor() {
    super('unauthenticated.session')
  }
}

/** A refusal of a command, for the person at the command line. */
export class CommandError extends Error {}
