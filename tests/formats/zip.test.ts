// @module-tag slow
import { expect, test } from 'vitest'
import { createZip } from '#formats/zip.ts'

test('a ZIP with more than 65,535 files is one too', async () => {
  const pieces: Uint8Array[] = []
  const zip = createZip(async (piece) => void pieces.push(piece), new Date(0))
  const nothing = async function* () {}
  for (let n = 0; n < 65_536; n++) await zip.add(String(n), nothing(), { packed: true })
  await zip.end()
  const end = Buffer.concat(pieces)
  expect(end.readUInt32LE(end.length - 22)).toBe(0x06054b50)
  expect(end.readUInt16LE(end.length - 12)).toBe(0xffff)
  expect(end.readUInt32LE(end.length - 42)).toBe(0x07064b50)
  const large = Number(end.readBigUInt64LE(end.length - 42 + 8))
  expect(end.readUInt32LE(large)).toBe(0x06064b50)
  expect(Number(end.readBigUInt64LE(large + 32))).toBe(65_536)
})
