import { DomainError } from '#domain/error.ts'

const MOST_FILES = {
  /** of one account on one code: each type and side about twice */
  Document: 30,
  /** of a ticket */
  Attachment: 30,
  /** of an account; few, because finders must dismiss them */
  'Popup image': 20,
} as const

/** Throws plan_limit when there are as many files already. */
export function assertFileQuota(what: keyof typeof MOST_FILES, count: number): void {
  const limit = MOST_FILES[what]
  if (count < limit) return
  throw new DomainError(
    { code: 'plan_limit.files', values: { files: what, count, limit } },
    { planLimit: { current_count: count, limit } },
  )
}
