import { expect, test } from 'vitest'
import { formatPlate } from '#domain/codes/plate.ts'

test.each([
  ['DL3CAB1234', 'DL 3C AB 1234'],
  ['DL 8S AB 1234', 'DL 8S AB 1234'],
  ['DL1C1234', 'DL 1C 1234'],
  ['DL12CAB1234', 'DL 12C AB 1234'],
  ['MH12QX4827', 'MH 12 QX 4827'],
  ['GJ1A1', 'GJ 1 A 1'],
  ['22BH1234AB', '22 BH 1234 AB'],
  ['77CD1234', '77 CD 1234'],
  ['MHVAAB1234', 'MH VA AB 1234'],
  ['T1126MH1234A', 'T1126 MH 1234 A'],
  ['TAXI 7', 'TAXI 7'],
])('%s is printed as %s', (typed, printed) => expect(formatPlate(typed)).toBe(printed))
