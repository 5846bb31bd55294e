import { expect, test } from 'vitest'
import { printedLine, printWarning } from '#domain/print-letters.ts'

test.each([
  ['NeelRath Cabs', 'NeelRath Cabs', []],
  ['Cab 🚕 Co', 'Cab Co', ['🚕']],
  ['🚕', '', ['🚕']],
  ['नीलरथ कैब्स', 'नीलरथ कैब्स', []],
  ['محمد (علی) ٹیکسی ۲۴', 'محمد (علی) ٹیکسی ۲۴', []],
  ['ମୋହନ Cabs', 'Cabs', ['ମୋ', 'ହ', 'ନ']],
  ['₹ € № …', '₹ € № …', []],
  ['👍🏽 Cabs 👍🏽', 'Cabs', ['👍🏽']],
  // A mark that the font of its letter does not have.
  ['x\u0302', 'x', ['x\u0302']],
] as const)('%s is printed as "%s"', (text, shown, missing) => {
  expect(printedLine(text)).toEqual({ shown, missing })
})

test('the warning lists the characters without a glyph', () => {
  expect(printWarning('NeelRath Cabs')).toBeUndefined()
  expect(printWarning('Cab 🚕 Co')).toBe(
    'Labels and pictures are printed without 🚕: their fonts do not have it.',
  )
  expect(printWarning('🚕 漢 Co')).toBe(
    'Labels and pictures are printed without 🚕 漢: their fonts do not have them.',
  )
})
