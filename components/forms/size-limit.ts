import type { FileRule } from '#domain/papers/file-kind.ts'
import { englishText } from '#locales/refusal.ts'

/** Returns the attributes of a field by which its page checks a file's size when it is chosen. */
export function sizeLimit({ maxBytes, tooLarge }: FileRule) {
  return { 'data-most': maxBytes, 'data-large': englishText(tooLarge) }
}
