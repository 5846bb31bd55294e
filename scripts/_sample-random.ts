export type Random = ReturnType<typeof createRandom>

/** Creates a generator of deterministic random numbers for a seed (mulberry32). Not for secrets. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  /** Returns a number from 0 up to but not including 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(next() * end)
  const bytes = (length: number) => Uint8Array.from({ length }, () => below(256))
  /** Returns an id in the format of `randomId`: 96 bits, no hyphen at the beginning. */
  function id(): string {
    const made = Buffer.from(bytes(12)).toString('base64url')
    return made.startsWith('-') ? id() : made
  }
  return {
    next,
    below,
    bytes,
    id,
    pick: <T>(from: readonly T[]): T => from[below(from.length)] as T,
  }
}
