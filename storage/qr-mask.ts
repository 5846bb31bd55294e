/** Modules row by row, 1 is dark. */
type Modules = Uint8Array

const MASKS = [0, 1, 2, 3, 4, 5, 6, 7] as const
export type Mask = (typeof MASKS)[number]

/** The weights of ISO/IEC 18004, section 7.8.3. */
const RUN = 3
const BLOCK = 3
const FINDER = 40
const BALANCE = 10

/**
 * The modules to flip to turn a symbol with mask 0 into one with each mask. They are the same for
 * all symbols of one size and error correction.
 */
export function maskChanges(draw: (mask: Mask) => Modules): Modules[] {
  const plain = draw(0)
  return MASKS.map((mask) => flip(plain, draw(mask)))
}

/** The symbol with the mask that the standard prefers: the one with the lowest penalty. */
export function withBestMask(plain: Modules, changes: readonly Modules[], size: number): Modules {
  let best = plain
  let least = Number.POSITIVE_INFINITY
  for (const change of changes) {
    const candidate = flip(plain, change)
    const points = penalty(candidate, size, least)
    if (points >= least) continue
    best = candidate
    least = points
  }
  return best
}

function flip(modules: Modules, change: Modules): Modules {
  const flipped = new Uint8Array(modules.length)
  for (let i = 0; i < flipped.length; i++)
    flipped[i] = (modules[i] as number) ^ (change[i] as number)
  return flipped
}

/** The standard's penalty points. Counting stops at `enough`. */
function penalty(modules: Modules, size: number, enough: number): number {
  let points = balancePenalty(modules) + blockPenalty(modules, size)
  for (let line = 0; line < size && points < enough; line++) {
    points += linePenalty(modules, line * size, 1, size) + linePenalty(modules, line, size, size)
  }
  return points
}

function balancePenalty(modules: Modules): number {
  let dark = 0
  for (let i = 0; i < modules.length; i++) dark += modules[i] as number
  return Math.abs(Math.ceil((dark * 20) / modules.length) - 10) * BALANCE
}

function blockPenalty(modules: Modules, size: number): number {
  let blocks = 0
  for (let above = 0; above < modules.length - size; above += size) {
    let left = (modules[above] as number) + (modules[above + size] as number)
    for (let i = above + 1; i < above + size; i++) {
      const right = (modules[i] as number) + (modules[i + size] as number)
      if (left === right && right !== 1) blocks++
      left = right
    }
  }
  return blocks * BLOCK
}

/** The penalty of one row or column: runs of five or more, and finder-like patterns. */
function linePenalty(modules: Modules, start: number, step: number, size: number): number {
  let points = 0
  let run = 0
  let last = -1
  let bits = 0
  for (let n = 0, i = start; n < size; n++, i += step) {
    const dark = modules[i] as number
    if (dark === last) run++
    else {
      if (run >= 5) points += RUN + run - 5
      last = dark
      run = 1
    }
    bits = ((bits << 1) | dark) & 0b111_1111_1111
    if (n >= 10 && (bits === 0b101_1101_0000 || bits === 0b000_0101_1101)) points += FINDER
  }
  return run >= 5 ? points + RUN + run - 5 : points
}
