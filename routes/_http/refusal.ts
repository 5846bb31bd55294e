import { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/deps.ts'

/**
 * For a page that shows a refusal beside its form: what the act was refused for, nothing when it
 * was done. What is not there is no matter of the form, and stays an error, unless the form is
 * where it was named.
 */
export async function refusalOf(
  act: Promise<unknown>,
  { also }: { also?: 'not_found' } = {},
): Promise<DomainError | undefined> {
  return act.then(
    () => undefined,
    (error) => {
      if (error instanceof DomainError && (error.code !== 'not_found' || also)) return error
      throw error
    },
  )
}

/** Says when to come again, on a page that shows a refusal beside its form. */
export function sayWhenAgain(c: AppContext, refusal: DomainError | undefined): void {
  if (refusal?.retryAfter !== undefined) c.header('Retry-After', String(refusal.retryAfter))
}
