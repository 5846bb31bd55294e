import { DomainError } from '#domain/error.ts'

/** The two ways to decide a pending request. */
export const DECISION_ACTIONS = ['approve', 'reject'] as const
export type DecisionAction = (typeof DECISION_ACTIONS)[number]

export const DECISION_STATUSES = ['pending', 'approved', 'rejected'] as const
export type DecisionStatus = (typeof DECISION_STATUSES)[number]

/** The filters of a list of requests. */
export const DECISION_FILTERS = [
  { id: '', label: 'All' },
  { id: 'pending', label: 'Pending' },
  { id: 'approved', label: 'Approved' },
  { id: 'rejected', label: 'Rejected' },
] as const

export const DECISION_WORDS = { approve: 'Approve', reject: 'Reject' } as const

export const DECIDED = { approve: 'approved', reject: 'rejected' } as const

export const REQUEST_DECIDED = 'This request has already been decided'

export const OWN_REQUEST = 'Another admin must decide your own request'

/** Throws forbidden for the decider's own request. `deciderId` is null for the command line. */
export function assertNotOwn(deciderId: string | null, accountId: string): void {
  if (deciderId === accountId) throw new DomainError('forbidden.own_request')
}

/** The most decided requests that keep their places in a list. */
export const MOST_KEPT = 24

/** Reads the ids of a list's address that were decided while it was open, and keep their places in it. */
export function readKept(sent: string | undefined): string[] {
  return (sent ?? '').split(',').filter(Boolean).slice(-MOST_KEPT)
}

/** Returns the same address field with one more id. */
export function withKept(sent: string | undefined, id: string): string {
  return [...readKept(sent).filter((each) => each !== id), id].slice(-MOST_KEPT).join(',')
}

export function findDecisionStatus(sent: string | undefined): DecisionStatus | undefined {
  return DECISION_STATUSES.find((status) => status === sent)
}
