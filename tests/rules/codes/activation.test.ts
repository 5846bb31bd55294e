import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  makeActivationCode,
  parseActivationCode,
  readActivated,
  writeActivated,
} from '#domain/codes/activation.ts'

describe('an activation code', () => {
  it('is made of six of Crockford’s symbols, all of them', () => {
    const made = Array.from({ length: 400 }, () => makeActivationCode(randomBytes))
    for (const code of made) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{6}$/)
    expect(new Set(made.join('')).size).toBe(32)
  })

  it.each(['001234', '12E345', '7E0001', '5MAR24'])(
    'is drawn again if it is %s, which a spreadsheet reads as a number or a date',
    (first) => {
      const drawn = [first, 'K7M4QX'].map((code) =>
        Uint8Array.from(code, (symbol) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(symbol)),
      )
      expect(makeActivationCode(() => drawn.shift() as Uint8Array)).toBe('K7M4QX')
    },
  )

  it.each(['K7M4QX', 'k7m4qx', ' k7m 4qx ', 'K7M-4QX', 'K7M–4QX'])('is read from %j', (typed) =>
    expect(parseActivationCode(typed)).toBe('K7M4QX'),
  )

  it('is read with look-alikes', () => expect(parseActivationCode('oIl0L1')).toBe('011011'))

  it.each(['', 'K7M4Q', 'K7M4QXX', 'K7M4QU', 'K7M4Q!', 'K7M4QX'.padEnd(21)])(
    'is not read from %j',
    (typed) => expect(parseActivationCode(typed)).toBeUndefined(),
  )

  it('is kept in a form with its code', () => {
    const qr_id = '7K3MQ9WD4X0T'
    const codes = ['K7M4QX', '000000'].map((activation_code) => ({ qr_id, activation_code }))
    expect(readActivated(writeActivated(codes))).toEqual(codes)
    for (const wrong of ['', 'K7M4QX', `${qr_id}:K7`, `x:K7M4QX`]) {
      expect(() => readActivated(wrong)).toThrow('These are no activation codes')
    }
  })
})
