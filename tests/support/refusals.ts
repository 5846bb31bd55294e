import { englishText, type Refusal } from '#locales/refusal.ts'

/** Returns the English sentence of a rule's refusal. */
export function textOf(refusal: Refusal | undefined): string | undefined {
  return refusal && englishText(refusal)
}
