import type { DomainError } from '#domain/error.ts'
import {
  formatRefusal,
  type Refusal,
  type RefusalTexts,
  refusalText,
  subjectOf,
} from '#locales/refusal.ts'

/** A refusal in the language of the page, with the field or the code that it is about; a DomainError is an English one. */
export type Problem = { readonly subject: string; readonly message: string }

/** The fields of a form by the subjects of refusals: their codes, or the fields that they name. */
export type About<F extends string> = Readonly<Record<string, F>>

export type PlacedProblem<F extends string> = { at: Partial<Record<F, string>>; elsewhere?: string }

/** Returns a refusal of the server in the language of the page. */
export function problemOf(
  words: Parameters<typeof formatRefusal>[0],
  error: DomainError | undefined,
): Problem | undefined {
  return error && { subject: error.subject, message: formatRefusal(words, error.refusal) }
}

/** Returns a refusal of a rule that an island asks, in the language of its texts. */
export function ownProblem(texts: RefusalTexts, refusal: Refusal): Problem {
  return { subject: subjectOf(refusal), message: refusalText(texts, refusal) }
}

/** Puts a refusal beside the field it is about, if the form has it. */
export function placeBy<F extends string>(
  about: About<F>,
  problem: Problem | undefined,
  isInForm: (field: F) => boolean = () => true,
): PlacedProblem<F> {
  if (!problem) return { at: {} }
  const { subject, message } = problem
  const field = about[subject]
  if (!field || !isInForm(field)) return { at: {}, elsewhere: message }
  return { at: { [field]: message } as Partial<Record<F, string>> }
}
