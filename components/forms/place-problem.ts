/** Which field a sentence of the rules or of the server is about; the first that fits. */
export type About<F extends string> = readonly (readonly [RegExp, F])[]

export type PlacedProblem<F extends string> = { at: Partial<Record<F, string>>; elsewhere?: string }

type Placing<F extends string> = {
  isInForm?: (field: F) => boolean
  /** the refusal as the page says it */
  say?: (problem: string) => string
}

/** Puts a refusal beside the field it is about, if the form has it. */
export function placeBy<F extends string>(
  about: About<F>,
  problem: string | undefined,
  { isInForm = () => true, say = (same) => same }: Placing<F> = {},
): PlacedProblem<F> {
  if (!problem) return { at: {} }
  const field = about.find(([pattern]) => pattern.test(problem))?.[1]
  if (!field || !isInForm(field)) return { at: {}, elsewhere: say(problem) }
  return { at: { [field]: say(problem) } as Partial<Record<F, string>> }
}
