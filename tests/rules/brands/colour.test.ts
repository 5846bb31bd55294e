import { expect, test } from 'vitest'
import { contrastText, readColour, textOn } from '#domain/brands/colour.ts'

/** By the definition of WCAG 2, from channels between 0 and 1. */
function luminance(hex: string): number {
  const linear = (byte: string) => {
    const share = Number.parseInt(byte, 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  const [r, g, b] = [hex.slice(1, 3), hex.slice(3, 5), hex.slice(5, 7)].map(linear) as number[]
  return 0.2126 * (r as number) + 0.7152 * (g as number) + 0.0722 * (b as number)
}

test('text is black or white, the one with more contrast, which is always at least 4.5', () => {
  const steps = Array.from({ length: 18 }, (_, n) => (n * 15).toString(16).padStart(2, '0'))
  let least = Infinity
  for (const r of steps) {
    for (const g of steps) {
      for (const b of steps) {
        const colour = `#${r}${g}${b}`
        const light = luminance(colour)
        const [black, white] = [(light + 0.05) / 0.05, 1.05 / (light + 0.05)]
        const { text, contrast } = textOn(colour)
        expect(contrast).toBeCloseTo(Math.max(black, white), 10)
        expect(text).toBe(black >= white ? '#000000' : '#ffffff')
        least = Math.min(least, contrast)
      }
    }
  }
  expect(least).toBeGreaterThanOrEqual(4.5)
})

test('a colour is #rrggbb in any case, or nothing', () => {
  expect(readColour('#0F4C96')).toBe('#0f4c96')
  expect(readColour(null)).toBeNull()
})

test.each([
  '#fff',
  '0f4c96',
  '#0f4c9',
  '#0f4c966',
  '#0f4c9g',
  'red',
  '#0f4c96 ',
  'rgb(1,2,3)',
  '#０f4c96',
])('%s is refused in the words of the form', (typed) => {
  expect(() => readColour(typed)).toThrow('Please enter a colour like #1a2b3c')
})

test('the form shows the contrast of the typed colours', () => {
  expect(contrastText('#0f4c96')).toBe('Contrast 8.4, white text')
  expect(contrastText('#0f4')).toBe(contrastText('#ffc61a'))
})
