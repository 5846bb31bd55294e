import { open } from 'node:fs/promises'
import type { FileKind } from '#domain/papers/file-kind.ts'

const HEAD_BYTES = 12
/** Chromium searches no further back for the cross-reference table. */
const PDF_TAIL_BYTES = 4096

const text = (at: number, expected: string) => (head: Buffer) =>
  head.toString('latin1', at, at + expected.length) === expected

const MAGIC: [FileKind, (head: Buffer) => boolean][] = [
  ['pdf', text(0, '%PDF-')],
  ['jpg', text(0, '\xff\xd8\xff')],
  ['png', text(0, '\x89PNG\r\n\x1a\n')],
  ['webp', (head) => text(0, 'RIFF')(head) && text(8, 'WEBP')(head)],
]

/**
 * The kind of a file by its first bytes, not by its name. For an image this is only a first check:
 * decoding it comes later.
 */
export async function sniffKind(path: string): Promise<FileKind | undefined> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const head = buffer.subarray(0, bytesRead)
    return MAGIC.find(([, matches]) => matches(head))?.[0]
  } finally {
    await handle.close()
  }
}

/** Whether a PDF has its end marker. Readers start there, so a truncated PDF cannot be opened. */
export async function hasPdfEnd(path: string): Promise<boolean> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const from = Math.max(0, size - PDF_TAIL_BYTES)
    const { buffer } = await handle.read(Buffer.alloc(size - from), 0, size - from, from)
    return buffer.includes('%%EOF')
  } finally {
    await handle.close()
  }
}
