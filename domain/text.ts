/** The most UTF-16 units a field may hold, as `maxlength` in a form counts them. */
export const LENGTHS = { name: 120, message: 1000, notes: 2000, other: 200 } as const

/**
 * The text as it is kept: trimmed, without control characters, line ends as `\n` (a form sends
 * `\r\n`); null when nothing visible is left or the value is no text.
 */
export function cleanText(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, '')
    .trim()
  return /[^\s\p{Cf}]/u.test(text) ? text : null
}

/** Why a text is too long for its field, in a sentence that names the field by its label. */
export function lengthProblem(
  label: string,
  value: string | null | undefined,
  max: number,
): string | undefined {
  return value && value.length > max ? `${label} must be at most ${max} characters` : undefined
}
