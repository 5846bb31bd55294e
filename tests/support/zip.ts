import { crc32, inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50
const DEFLATED = 8

/** Reads the files of a ZIP by name, from its central directory. Throws for a damaged one. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22
  if (zip.readUInt32LE(end) !== END) throw new Error('No end of a ZIP')
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let n = 0; n < zip.readUInt16LE(end + 10); n++) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error(`Entry ${n} is not there`)
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)]
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const stored = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    const file = zip.readUInt16LE(at + 10) === DEFLATED ? inflateRawSync(stored) : stored
    if (crc32(file) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} is broken`)
    if (file.length !== zip.readUInt32LE(at + 24)) throw new Error(`${name} is cut off`)
    files.set(name, file)
    at += 46 + nameLength + extraLength + zip.readUInt16LE(at + 32)
  }
  return files
}
