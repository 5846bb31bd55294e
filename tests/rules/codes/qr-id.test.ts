import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DEMO_QR_ID, formatQrId, makeQrId, parseQrId } from '#domain/codes/qr-id.ts'

const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const IDS = Array.from({ length: 3000 }, () => makeQrId(randomBytes))

/** The definition in 55-bit arithmetic: the value mod 37. */
function checkByDefinition(id: string): bigint {
  let value = 0n
  for (const symbol of id.slice(0, 11)) value = value * 32n + BigInt(SYMBOLS.indexOf(symbol))
  return value % 37n
}

/** A source that hands out these bytes, draw by draw. */
function sourceOf(...draws: number[][]) {
  return (length: number) => {
    const draw = draws.shift() ?? []
    expect(draw).toHaveLength(length)
    return Uint8Array.from(draw)
  }
}

describe('a new QR id', () => {
  it('has 12 symbols of which the last is the value mod 37', () => {
    for (const id of IDS) {
      expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/)
      expect(BigInt(SYMBOLS.indexOf(id.charAt(11)))).toBe(checkByDefinition(id))
    }
  })

  it('is drawn again until its check is a symbol', () => {
    const unfit = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0] // value 32
    const fit = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 31] // value 31
    expect(makeQrId(sourceOf(unfit, fit))).toBe('0000000000ZZ')
  })

  it('uses all 55 bits evenly', () => {
    const most = IDS.length / 32
    for (let place = 0; place < 11; place++) {
      const counts = new Map<string, number>()
      for (const id of IDS) counts.set(id.charAt(place), (counts.get(id.charAt(place)) ?? 0) + 1)
      expect(counts.size).toBe(32)
      for (const count of counts.values()) {
        expect(count).toBeGreaterThan(most * 0.4)
        expect(count).toBeLessThan(most * 1.8)
      }
    }
    expect(new Set(IDS).size).toBe(IDS.length)
  })
})

describe('a typed id', () => {
  it('is found as printed, grouped, in small letters and with look-alikes', () => {
    for (const id of IDS) {
      expect(parseQrId(id)).toBe(id)
      expect(parseQrId(formatQrId(id))).toBe(id)
      expect(parseQrId(` ${id.toLowerCase().replace(/(..)/g, '$1 ')}`)).toBe(id)
      expect(parseQrId(id.replaceAll('0', 'o').replaceAll('1', 'l'))).toBe(id)
      expect(parseQrId(id.replaceAll('0', 'O').replaceAll('1', 'I'))).toBe(id)
    }
  })

  it('is refused with any single wrong character', () => {
    for (const id of IDS.slice(0, 30)) {
      for (let place = 0; place < 12; place++) {
        for (const symbol of SYMBOLS) {
          if (symbol === id[place]) continue
          expect(parseQrId(id.slice(0, place) + symbol + id.slice(place + 1))).toBeUndefined()
        }
      }
    }
  })

  it('is refused with any two neighbours swapped', () => {
    for (const id of IDS) {
      for (let place = 0; place < 11; place++) {
        const [a, b] = [id.charAt(place), id.charAt(place + 1)]
        if (a === b) continue
        expect(parseQrId(id.slice(0, place) + b + a + id.slice(place + 2))).toBeUndefined()
      }
    }
  })

  it.each([
    '',
    'DEMO',
    '0',
    '00000000000',
    '0000000000000',
    '00000000000U',
    '00000000000*',
    '../../etc/passwd',
    'ſ00000000000',
    '%00',
    "' or 1=1 --",
    '0'.repeat(101),
    ` ${' '.repeat(100)}000000000000`,
    '\ud800',
  ])('is refused without an error as %j', (typed) => {
    expect(parseQrId(typed)).toBeUndefined()
  })

  it('may be the id whose symbols are all zero', () => {
    expect(parseQrId('oOo0-0000–0000')).toBe('000000000000')
  })
})

describe('an id as people read it', () => {
  it('is shown in groups of four', () => {
    expect(formatQrId('7K3MQ9WD4XTP')).toBe('7K3M-Q9WD-4XTP')
    expect(formatQrId(DEMO_QR_ID)).toBe('DEMO')
  })
})
