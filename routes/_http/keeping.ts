const MOST_KEPT = 256

/** What is made once for each name, and anew when there are too many. */
export function keeping<T, Made>(nameOf: (value: T) => string, make: (value: T) => Made) {
  const kept = new Map<string, Made>()
  return (value: T): Made => {
    const name = nameOf(value)
    const known = kept.get(name)
    if (known) return known
    if (kept.size >= MOST_KEPT) kept.clear()
    const made = make(value)
    kept.set(name, made)
    return made
  }
}
