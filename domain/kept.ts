/** Keeps a value for each name, so that it is made once. Forgets all of them when there are too many. */
export function keepUpTo<T>(most: number): (name: string, make: () => T) => T {
  const kept = new Map<string, T>()
  return (name, make) => {
    const known = kept.get(name)
    if (known) return known
    if (kept.size >= most) kept.clear()
    const made = make()
    kept.set(name, made)
    return made
  }
}
