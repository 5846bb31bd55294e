import { DomainError, NotSignedIn } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/context.ts'

/**
 * The DomainError of an act, for a page that shows it beside its form; undefined on success.
 * not_found is thrown on, unless `also` says that the form itself names the missing thing, and so is that the
 * session has ended meanwhile: its page is for nobody any more.
 */
export async function refusalOf(
  act: Promise<unknown>,
  { also }: { also?: 'not_found' } = {},
): Promise<DomainError | undefined> {
  return act.then(
    () => undefined,
    (error) => {
      const isOver = error instanceof NotSignedIn
      const isShown = error instanceof DomainError && (error.code !== 'not_found' || also)
      if (isShown && !isOver) return error
      throw error
    },
  )
}

/** For what takes something away: an earlier request whose answer was lost may have done it. */
export async function orIsGone(act: Promise<unknown>): Promise<void> {
  await act.catch((error) => {
    const isGone = error instanceof DomainError && error.code === 'not_found'
    if (!isGone) throw error
  })
}

/** Sets Retry-After on a page that shows a refusal beside its form. */
export function sayWhenAgain(c: AppContext, refusal: DomainError | undefined): void {
  if (refusal?.retryAfter !== undefined) c.header('Retry-After', String(refusal.retryAfter))
}
