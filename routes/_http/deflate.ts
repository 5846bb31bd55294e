/**
 * DEFLATE (RFC 1951) for pages of one shape: what never changes is searched for repetitions once, and only
 * the texts between are coded for each page. zlib begins anew each time.
 */

/** Of a piece the bytes that stand for themselves, and what is repeated, as far away as if there were no gaps. */
type Coded = (number | Repeat)[]

/** Of each symbol its code, the first bit last, and the code's length in bits. */
type Code = { codes: number[]; bits: number[] }
type Codes = { literals: Code; distances: Code }

/**
 * What is written, in order. A number from 0 on is up to 16 bits, shifted to the left by five, and their count. A
 * negative one is a distance without the gaps since the piece that the next number names.
 */
type Steps = Int32Array

export type Deflater = {
  /** the block up to the first gap */
  start: Written & { bytes: Buffer }
  pieces: { steps: Steps; size: number }[]
  /** of each symbol the step that writes it */
  literals: Steps
  distances: Steps
}

const SHORTEST = 3
const LONGEST = 258
export const FARTHEST = 32_768
const END_OF_BLOCK = 256
const LITERALS = 286
const DISTANCES = 30
/** What is on every page counts as much as this many symbols that a text may need. */
const KNOWN = 16
/** In this order the header has the lengths of the codes that it says lengths with. */
const LENGTHS_IN_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const SAME_AGAIN = 16
const MOST_BITS = 16
/** Of the same three bytes, so that a page full of them takes no longer. */
const MOST_PLACES = 64

/** For one page at a time. A code is less than two bytes, and a byte of a text takes two steps at most. */
const output = Buffer.allocUnsafeSlow(2 * FARTHEST)
const textSteps = new Int32Array(2 * FARTHEST)
/** Where four bytes of a text, by their key, were last. */
const seen = new Int16Array(4096)
const gapsBefore = [0]

/** What symbols cost before there is a code for them. */
const GUESSED: Costs = {
  literals: Array.from({ length: LITERALS }, (_, symbol) => (symbol < END_OF_BLOCK ? 6 : 7)),
  distances: new Array(DISTANCES).fill(4),
}

const toStep = (bits: number, count: number) => (bits << 5) | count
const toSteps = ({ codes, bits }: Code) =>
  Int32Array.from(codes, (code, i) => toStep(code, bits[i] as number))

/** `head` comes before the pieces, which may repeat it. */
export function makeDeflater(head: Buffer, rest: Buffer[]): Deflater {
  const pieces = [head, ...rest]
  const repeats = findRepeats(pieces)
  const guessed = codesFor(code(pieces, repeats, GUESSED))
  const costs = { literals: guessed.literals.bits, distances: guessed.distances.bits }
  const coded = code(pieces, repeats, costs)
  const codes = codesFor(coded)
  const literals = toSteps(codes.literals)
  const distances = toSteps(codes.distances)
  const compiled = coded.map((piece) => compile(piece, literals))
  const [ofHead, ...ofRest] = compiled as [Steps, ...Steps[]]
  const start = { at: 0, bits: 0, count: 0 }
  write(start, headerOf(codes), 0, distances)
  write(start, ofHead, 0, distances)
  return {
    start: { ...start, bytes: Buffer.from(output.subarray(0, start.at)) },
    pieces: ofRest.map((steps, i) => ({ steps, size: (rest[i] as Buffer).length })),
    literals,
    distances,
  }
}

function codesFor(coded: Coded[]): Codes {
  const literals: number[] = new Array(LITERALS).fill(1)
  const distances: number[] = new Array(DISTANCES).fill(1)
  const count = (counts: number[], symbol: number) => {
    counts[symbol] = (counts[symbol] as number) + KNOWN
  }
  for (const symbol of coded.flat()) {
    if (typeof symbol === 'number') count(literals, symbol)
    else {
      count(literals, lengthSymbol(symbol.length))
      count(distances, distanceSymbol(symbol.distance - 1))
    }
  }
  return { literals: toCode(literals, 15), distances: toCode(distances, 15) }
}

function compile(coded: Coded, literals: Steps): Steps {
  return merge(
    coded.flatMap((symbol) => {
      if (typeof symbol === 'number') return literals[symbol] as number
      return [...lengthSteps(symbol.length, literals), -symbol.distance, symbol.piece]
    }),
  )
}

/** Steps that follow each other as one, if there is room. */
function merge(steps: number[]): Steps {
  const merged: number[] = []
  let [bits, count] = [0, 0]
  const end = () => {
    if (count > 0) merged.push(toStep(bits, count))
    bits = 0
    count = 0
  }
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i] as number
    if (step < 0) {
      end()
      merged.push(step, steps[++i] as number)
      continue
    }
    if (count + (step & 31) > MOST_BITS) end()
    bits |= (step >> 5) << count
    count += step & 31
  }
  end()
  return Int32Array.from(merged)
}

/**
 * The texts and pieces as one block, the last of its stream. `rest` are their bytes, `lengths` how many of them
 * each text has; with the head they are at most `FARTHEST`. The answer is valid until the next call.
 */
export function deflate(deflater: Deflater, rest: Buffer, lengths: number[]): Buffer {
  const { start, pieces, literals, distances } = deflater
  start.bytes.copy(output)
  const { bytes: _, ...written } = start
  seen.fill(-1)
  let at = 0
  let inGaps = 0
  for (let gap = 0; gap < pieces.length; gap++) {
    const { steps, size } = pieces[gap] as Deflater['pieces'][0]
    const length = lengths[gap] as number
    inGaps += length
    gapsBefore[gap + 1] = inGaps
    const count = toTextSteps(rest, at, at + length, gap + 1, literals)
    write(written, textSteps, inGaps, distances, count)
    write(written, steps, inGaps, distances)
    at += length + size
  }
  textSteps[0] = literals[END_OF_BLOCK] as number
  write(written, textSteps, 0, distances, 1)
  for (; written.count > 0; written.count -= 8) {
    output[written.at++] = written.bits
    written.bits >>= 8
  }
  return output.subarray(0, written.at)
}

type Written = { at: number; bits: number; count: number }

function write(
  written: Written,
  steps: Steps,
  inGaps: number,
  distances: Steps,
  length = steps.length,
): void {
  let { at, bits, count } = written
  for (let i = 0; i < length; i++) {
    let step = steps[i] as number
    if (step < 0) {
      const less = inGaps - (gapsBefore[steps[++i] as number] as number) - step - 1
      step = distances[distanceSymbol(less)] as number
      bits |= (step >> 5) << count
      count += step & 31
      if (count >= 16) {
        output[at++] = bits
        output[at++] = bits >> 8
        bits >>>= 16
        count -= 16
      }
      const more = moreOfDistance(less)
      if (more === 0) continue
      step = toStep(less & ((1 << more) - 1), more)
    }
    bits |= (step >> 5) << count
    count += step & 31
    if (count >= 16) {
      output[at++] = bits
      output[at++] = bits >> 8
      bits >>>= 16
      count -= 16
    }
  }
  written.at = at
  written.bits = bits
  written.count = count
}

/** Repeats what texts had before, which is often a number or a name. Returns how many steps that is. */
function toTextSteps(
  rest: Buffer,
  from: number,
  to: number,
  piece: number,
  literals: Steps,
): number {
  let count = 0
  for (let i = from; i < to; ) {
    const key = keyAt(rest, i)
    const earlier = seen[key] as number
    seen[key] = i
    let same = 0
    if (earlier >= 0) {
      const most = Math.min(LONGEST, to - i)
      while (same < most && rest[earlier + same] === rest[i + same]) same++
    }
    if (same > SHORTEST) {
      for (const step of lengthSteps(same, literals)) textSteps[count++] = step
      textSteps[count++] = earlier - i
      textSteps[count++] = piece
      for (let n = 1; n < same; n++) seen[keyAt(rest, i + n)] = i + n
      i += same
    } else textSteps[count++] = literals[rest[i++] as number] as number
  }
  return count
}

function lengthSteps(length: number, literals: Steps): number[] {
  const step = literals[lengthSymbol(length)] as number
  const count = moreOfLength(length)
  return count ? [step, toStep((length - SHORTEST) & ((1 << count) - 1), count)] : [step]
}

/** Alike for the same four bytes, and seldom for others. */
function keyAt(bytes: Buffer, at: number): number {
  const four =
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  return Math.imul(four, 0x9e3779b1) >>> 20
}

type Repeat = { length: number; distance: number; piece: number }

/** What could be repeated at each byte of the pieces: of each length that gets further, the nearest. */
function findRepeats(pieces: Buffer[]): Repeat[][] {
  const all = Buffer.concat(pieces)
  const pieceAt = new Uint16Array(all.length)
  const ends: number[] = []
  for (const piece of pieces) {
    const start = ends.at(-1) ?? 0
    pieceAt.fill(ends.length, start, start + piece.length)
    ends.push(start + piece.length)
  }
  const endAt = (at: number) => ends[pieceAt[at] as number] as number
  const seenAt = new Map<number, number[]>()
  return Array.from(all, (_, at) => {
    const repeats: Repeat[] = []
    if (at + SHORTEST > endAt(at)) return repeats
    const key = all.readUIntBE(at, SHORTEST)
    const earlier = seenAt.get(key) ?? []
    let longest = SHORTEST - 1
    for (const from of earlier) {
      const most = Math.min(LONGEST, endAt(at) - at, endAt(from) - from)
      let length = SHORTEST
      while (length < most && all[from + length] === all[at + length]) length++
      if (length <= longest) continue
      longest = length
      repeats.push({ length, distance: at - from, piece: pieceAt[from] as number })
      if (length === LONGEST) break
    }
    seenAt.set(key, [at, ...earlier.slice(0, MOST_PLACES)])
    return repeats
  })
}

type Costs = { literals: number[]; distances: number[] }

/** The pieces in as few bits as can be, if each symbol costs what it did before. */
function code(pieces: Buffer[], repeats: Repeat[][], costs: Costs): Coded[] {
  let start = 0
  return pieces.map((bytes) => {
    const cheapest = new Float64Array(bytes.length + 1).fill(Number.POSITIVE_INFINITY, 1)
    const lengths = new Uint16Array(bytes.length + 1)
    const repeated: Repeat[] = []
    const offer = (at: number, length: number, cost: number, repeat?: Repeat) => {
      const total = (cheapest[at] as number) + cost
      if (total >= (cheapest[at + length] as number)) return
      cheapest[at + length] = total
      lengths[at + length] = length
      if (repeat) repeated[at + length] = repeat
    }
    bytes.forEach((byte, at) => {
      offer(at, 1, costs.literals[byte] as number)
      let shortest = SHORTEST
      for (const repeat of repeats[start + at] as Repeat[]) {
        const less = repeat.distance - 1
        const far = (costs.distances[distanceSymbol(less)] as number) + moreOfDistance(less)
        for (let length = shortest; length <= repeat.length; length++) {
          const cost = (costs.literals[lengthSymbol(length)] as number) + moreOfLength(length) + far
          offer(at, length, cost, repeat)
        }
        shortest = repeat.length + 1
      }
    })
    start += bytes.length
    const coded: Coded = []
    for (let at = bytes.length; at > 0; ) {
      const length = lengths[at] as number
      const isRepeat = length >= SHORTEST
      coded.push(isRepeat ? { ...(repeated[at] as Repeat), length } : (bytes[at - 1] as number))
      at -= length
    }
    return coded.reverse()
  })
}

/** Huffman's code in its canonical form. Each symbol has a count. */
function toCode(counts: number[], mostBits: number): Code {
  let bits = bitsOf(counts)
  for (let flatter = counts; Math.max(...bits) > mostBits; bits = bitsOf(flatter)) {
    flatter = flatter.map((count) => (count + 1) >> 1)
  }
  const codes: number[] = []
  let code = 0
  for (let length = 1; length <= mostBits; length++) {
    bits.forEach((each, symbol) => {
      if (each === length) codes[symbol] = reverse(code++, length)
    })
    code <<= 1
  }
  return { codes, bits }
}

function bitsOf(counts: number[]): number[] {
  const bits = counts.map(() => 0)
  const trees = counts.map((count, symbol) => ({ count, symbols: [symbol] }))
  trees.sort((a, b) => b.count - a.count)
  while (trees.length > 1) {
    const [a, b] = trees.splice(-2) as [(typeof trees)[0], (typeof trees)[0]]
    const both = { count: a.count + b.count, symbols: [...a.symbols, ...b.symbols] }
    for (const symbol of both.symbols) bits[symbol] = (bits[symbol] as number) + 1
    trees.splice(trees.findLastIndex(({ count }) => count >= both.count) + 1, 0, both)
  }
  return bits
}

function reverse(code: number, length: number): number {
  let reversed = 0
  for (let i = 0; i < length; i++) reversed |= ((code >> i) & 1) << (length - 1 - i)
  return reversed
}

/** The lengths of the codes: each as it is, or as the one before for 3 to 6 more symbols. */
function headerOf({ literals, distances }: Codes): Steps {
  const lengths = [...literals.bits, ...distances.bits]
  const said: { symbol: number; more?: number }[] = []
  for (let i = 0; i < lengths.length; ) {
    let run = 1
    while (run < 7 && lengths[i + run] === lengths[i]) run++
    if (run < 4) run = 1
    said.push({ symbol: lengths[i] as number })
    if (run > 1) said.push({ symbol: SAME_AGAIN, more: run - 4 })
    i += run
  }
  const counts: number[] = LENGTHS_IN_ORDER.map(() => 1)
  for (const { symbol } of said) counts[symbol] = (counts[symbol] as number) + KNOWN
  const code = toCode(counts, 7)
  const steps = [
    toStep(0b101, 3), // the last block, with codes of its own
    toStep(LITERALS - 257, 5),
    toStep(DISTANCES - 1, 5),
    toStep(LENGTHS_IN_ORDER.length - 4, 4),
    ...LENGTHS_IN_ORDER.map((symbol) => toStep(code.bits[symbol] as number, 3)),
  ]
  const ofLengths = toSteps(code)
  for (const { symbol, more } of said) {
    steps.push(ofLengths[symbol] as number)
    if (more !== undefined) steps.push(toStep(more, 2))
  }
  return merge(steps)
}

function lengthSymbol(length: number): number {
  const more = length - SHORTEST
  if (more < 8) return 257 + more
  if (length === LONGEST) return 285
  const log = 31 - Math.clz32(more)
  return 253 + 4 * log + ((more >> (log - 2)) & 3)
}

/** How many bits follow the symbol of a length. */
function moreOfLength(length: number): number {
  const more = length - SHORTEST
  return more < 8 || length === LONGEST ? 0 : 29 - Math.clz32(more)
}

/** How many bits follow the symbol of a distance less one. */
function moreOfDistance(less: number): number {
  return less < 4 ? 0 : 30 - Math.clz32(less)
}

/** Of a distance less one. */
function distanceSymbol(less: number): number {
  if (less < 2) return less
  const log = 31 - Math.clz32(less)
  return 2 * log + ((less >> (log - 1)) & 1)
}
