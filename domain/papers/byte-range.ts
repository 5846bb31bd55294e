/** First and last byte, both included. */
export type ByteRange = { first: number; last: number }

/**
 * Returns the part of a file that a `Range` header requests. Undefined means the whole file, for a
 * missing or malformed header; `beyond` means that the range cannot be satisfied.
 */
export function readRange(
  header: string | undefined,
  size: number,
): ByteRange | 'beyond' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (!from && !to) return undefined
  if (!from) {
    const length = Math.min(Number(to), size)
    return length > 0 ? { first: size - length, last: size - 1 } : 'beyond'
  }
  const range = { first: Number(from), last: Math.min(to ? Number(to) : size - 1, size - 1) }
  if (to && Number(to) < Number(from)) return undefined
  return range.first < size ? range : 'beyond'
}
