import { expect, test } from 'vitest'
import { HEAD_BYTES, sniffKind } from '#formats/sniff.ts'

const PDF = '%PDF-1.7\n%âãÏÓ\n'
const headOf = (text: string) => Buffer.from(text, 'latin1').subarray(0, HEAD_BYTES)

test.each([
  ['a mark of UTF-8', '\xef\xbb\xbf'],
  ['two line ends', '\r\n\r\n'],
  ['a comment', '% made by hand\n'],
  ['as much as viewers skip', ' '.repeat(HEAD_BYTES - 5)],
])('a PDF may begin with %s', (_what, before) => {
  expect(sniffKind(headOf(before + PDF))).toBe('pdf')
})

test('a header that viewers do not find makes no PDF, and none in a picture', () => {
  expect(sniffKind(headOf(' '.repeat(HEAD_BYTES - 4) + PDF))).toBeUndefined()
  expect(sniffKind(headOf(`\xff\xd8\xff${PDF}`))).toBe('jpg')
  expect(sniffKind(headOf('<html>'))).toBeUndefined()
})
