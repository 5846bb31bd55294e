import { DomainError } from '#domain/error.ts'

/**
 * For a page that shows a refusal beside its form: what the act was refused for, nothing when it
 * was done. What is not there is no matter of the form, and stays an error.
 */
export async function refusalOf(act: Promise<unknown>): Promise<DomainError | undefined> {
  return act.then(
    () => undefined,
    (error) => {
      if (error instanceof DomainError && error.code !== 'not_found') return error
      throw error
    },
  )
}
