import { expect, test } from 'vitest'
import { CSV_BOM, toCsv, withoutGuard } from '#domain/csv.ts'

test('every row ends in CRLF, the last one too', () => {
  expect(
    toCsv([
      ['a', 'b'],
      ['c', 'd'],
    ]),
  ).toBe('a,b\r\nc,d\r\n')
  expect(toCsv([])).toBe('')
})

test.each([
  ['plain', 'plain'],
  ['one, two', '"one, two"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\rlines', '"two\rlines"'],
  [' padded ', ' padded '],
  ['चाबी', 'चाबी'],
  ['', ''],
  [null, ''],
  [0, '0'],
  [true, 'true'],
])('%j is written as %j', (cell, text) => {
  expect(toCsv([[cell]])).toBe(`${text}\r\n`)
})

test.each([
  ['=1+1', "'=1+1"],
  ['+919876543210', "'+919876543210"],
  ['-2', "'-2"],
  [-1, "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\r=1', '"\'\r\'=1"'],
  ['=cmd|"/c calc"', '"\'=cmd|""/c calc"""'],
  ['a;=1+1', "a;'=1+1"],
  ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
  ['a\n-2+3', '"a\n\'-2+3"'],
  ['a;"=1+1;', '"a;\'""=1+1;"'],
  ["'=1+1", "''=1+1"],
  ['"=1+1', '"\'""=1+1"'],
  ['＝1+1', "'＝1+1"],
  ['＋91', "'＋91"],
  ['－2', "'－2"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['a;＝1+1', "a;'＝1+1"],
])('%j, which a spreadsheet would run, is disarmed', (cell, text) => {
  expect(toCsv([[cell]])).toBe(`${text}\r\n`)
})

test.each([
  '=1',
  "'=1",
  '\t=1',
  '\r\n=1',
  'a;\'+91;;\t=1;"\'"-1',
  "'Tis mine; 'twas yours",
  "\n'''=''=",
  "'＝1;＋2",
  "'0012",
  "''Jan 3",
])('%j is imported as it was exported', (cell) => {
  const [, written = ''] = /^"?(.*?)"?\r\n$/s.exec(toCsv([[cell]])) ?? []
  expect(withoutGuard(written.replaceAll('""', '"'))).toBe(cell)
})

test('a text that only contains such a character stays as it is', () => {
  expect(toCsv([['a=b', '1-2-a', 'x@y.in']])).toBe('a=b,1-2-a,x@y.in\r\n')
})

test('the byte order mark is that of UTF-8', () => {
  expect([...new TextEncoder().encode(CSV_BOM)]).toEqual([0xef, 0xbb, 0xbf])
})
