import { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/deps.ts'

/**
 * The DomainError of an act, for a page that shows it beside its form; undefined on success.
 * not_found is thrown on, unless `also` says that the form itself names the missing thing.
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

/** Sets Retry-After on a page that shows a refusal beside its form. */
export function sayWhenAgain(c: AppContext, refusal: DomainError | undefined): void {
  if (refusal?.retryAfter !== undefined) c.header('Retry-After', String(refusal.retryAfter))
}
