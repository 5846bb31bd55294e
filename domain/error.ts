import {
  codeOf,
  englishText,
  type Refusal,
  type RefusalCode,
  subjectOf,
  valuesOf,
} from '#locales/refusal.ts'

/** The first part of a code. It sets the HTTP status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'plan_limit'
  | 'forbidden'
  | 'not_found'
  | 'not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'unprocessable'
  | 'too_many'
  | 'fault'
  | 'unavailable'

export type PlanLimit = { current_count: number; limit: number }
/** A limit of tries in a window of `seconds`. */
export type LimitUse = { name: string; count: number; seconds: number }

type Details = {
  retryAfter?: number
  planLimit?: PlanLimit
  confirm?: boolean
  field?: string
  limit?: LimitUse
}

/**
 * A refused request. `message` is its English sentence. `retryAfter` is in seconds, by default the refusal's
 * `wait`, and goes with `too_many` and `unavailable`; `planLimit` goes with `plan_limit`; `limit` with `too_many`; `confirm` with `forbidden`,
 * where the signed-in person must first confirm their identity. `field` is the field of the request, if a schema knows it.
 */
export class DomainError extends Error {
  readonly kind: ErrorKind
  readonly code: RefusalCode
  readonly refusal: Refusal
  readonly retryAfter: number | undefined
  readonly planLimit: PlanLimit | undefined
  readonly confirm: boolean
  readonly field: string | undefined
  readonly limit: LimitUse | undefined

  constructor(
    refusal: Refusal,
    { retryAfter, planLimit, confirm = false, field, limit }: Details = {},
  ) {
    super(englishText(refusal))
    this.name = 'DomainError'
    this.refusal = refusal
    this.code = codeOf(refusal)
    this.kind = this.code.split('.')[0] as ErrorKind
    this.retryAfter = retryAfter ?? (valuesOf(refusal).wait as number | undefined)
    this.planLimit = planLimit
    this.confirm = confirm
    this.field = field
    this.limit = limit
  }

  /** See `subjectOf`. */
  get subject(): string {
    return subjectOf(this.refusal)
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
