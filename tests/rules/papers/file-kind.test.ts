import { expect, test } from 'vitest'
import { readRange } from '#domain/papers/byte-range.ts'
import {
  cleanFileName,
  contentDisposition,
  DOCUMENT_FILES,
  fileProblem,
  IMAGE_FILES,
  kindOfStoredName,
} from '#domain/papers/file-kind.ts'
import { textOf } from '#tests/support/refusals.ts'

test.each([
  ['rc.pdf', 'rc.pdf'],
  ['../../rc book.pdf', 'rc book.pdf'],
  ['C:\\papers\\rc.PDF', 'rc.PDF'],
  ['a.php', 'a.php.pdf'],
  ['page.html', 'page.html.pdf'],
  ['evil\u202efdp.exe', 'evilfdp.exe.pdf'],
  ['a\u0000\r\n\u2028b.pdf', 'ab.pdf'],
  ['.pdf', 'file.pdf'],
  ['...', 'file.pdf'],
  ['', 'file.pdf'],
  ['.htaccess', 'htaccess.pdf'],
  ['पॉलिसी.pdf', 'पॉलिसी.pdf'],
  ['क्\u200dष और रा\u200cम.pdf', 'क्\u200dष और रा\u200cम.pdf'],
  ['Re\u0301sume\u0301.pdf', 'R\u00e9sum\u00e9.pdf'],
  ['\u200d.pdf', 'file.pdf'],
  ['\ud800.pdf', 'file.pdf'],
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(116)}.pdf`],
])('a PDF that was sent as %j is shown as %j', (sent, shown) => {
  expect(cleanFileName(sent, 'pdf')).toBe(shown)
})

test('a name keeps an ending that fits the content, however it is written', () => {
  expect(cleanFileName('a.JPEG', 'jpg')).toBe('a.JPEG')
  expect(cleanFileName('a.jpg', 'jpg')).toBe('a.jpg')
  expect(cleanFileName('a.jpg', 'png')).toBe('a.jpg.png')
})

test('a header names a file for clients that know UTF-8 and for those that don’t', () => {
  expect(contentDisposition('attachment', `पॉ "it's" (1)\\%2e.pdf`)).toBe(
    `attachment; filename="__ _it's_ (1)__2e.pdf"; filename*=UTF-8''%E0%A4%AA%E0%A5%89%20%22it%27s%22%20%281%29%5C%252e.pdf`,
  )
})

test('a stored name is 26 letters and digits and one of four endings', () => {
  expect(kindOfStoredName(`${'a2'.repeat(13)}.webp`)).toBe('webp')
  for (const name of ['', 'a.pdf', `${'a1'.repeat(13)}.pdf`, `${'a2'.repeat(13)}.gif`]) {
    expect(kindOfStoredName(name)).toBeUndefined()
  }
})

const MEGABYTE = 1_048_576

test.each([
  ['RC.PDF', '', 10 * MEGABYTE, undefined],
  ['photo', 'image/jpeg', 1, undefined],
  ['rc.pdf', '', 10 * MEGABYTE + 1, 'File is larger than 10 MB'],
  ['rc.webp', 'image/webp', 1, 'Only PDF, JPG and PNG files are accepted'],
  ['rc.pdf.exe', '', 11 * MEGABYTE, 'Only PDF, JPG and PNG files are accepted'],
])('before it is sent, a document %s of the type "%s" with %i bytes: %s', (...sent) => {
  const [name, type, size, problem] = sent
  expect(textOf(fileProblem({ name, type, size }, DOCUMENT_FILES))).toBe(problem)
})

test('before it is sent, an image may have 5 MB', () => {
  const image = (size: number) =>
    textOf(fileProblem({ name: 'a.webp', type: '', size }, IMAGE_FILES))
  expect(image(5 * MEGABYTE)).toBeUndefined()
  expect(image(5 * MEGABYTE + 1)).toBe('Image is larger than 5 MB')
})

test('a range ends where the file ends', () => {
  expect(readRange('bytes=2-', 5)).toEqual({ first: 2, last: 4 })
  expect(readRange('bytes=-99', 5)).toEqual({ first: 0, last: 4 })
  expect(readRange('bytes=5-', 5)).toBe('beyond')
  expect(readRange('bytes=-0', 5)).toBe('beyond')
  expect(readRange('bytes=-1', 0)).toBe('beyond')
  expect(readRange('bytes=3-2', 5)).toBeUndefined()
  expect(readRange('bytes=3-3', 5)).toEqual({ first: 3, last: 3 })
  expect(readRange(undefined, 5)).toBeUndefined()
  expect(readRange(`bytes=${'9'.repeat(400)}-`, 5)).toBe('beyond')
})
