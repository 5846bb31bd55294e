import type { FileKind } from '#domain/papers/file-kind.ts'

/** The bytes at the start of a file that `sniffKind` needs: as far as viewers search for a PDF's header. */
export const HEAD_BYTES = 1024
/** The bytes at the end of a PDF in which Chromium searches for the cross-reference table. */
export const PDF_TAIL_BYTES = 4096

const text = (at: number, expected: string) => (head: Buffer) =>
  head.toString('latin1', at, at + expected.length) === expected

const MAGIC: [FileKind, (head: Buffer) => boolean][] = [
  ['jpg', text(0, '\xff\xd8\xff')],
  ['png', text(0, '\x89PNG\r\n\x1a\n')],
  ['webp', (head) => text(0, 'RIFF')(head) && text(8, 'WEBP')(head)],
  // Last, because a picture may contain these letters. Programs put marks, lines and comments before them.
  ['pdf', (head) => head.subarray(0, HEAD_BYTES).includes('%PDF-')],
]

/**
 * Returns the kind of a file by its first bytes, not by its name. For an image this is only a first
 * check: decoding it comes later.
 */
export function sniffKind(head: Buffer): FileKind | undefined {
  return MAGIC.find(([, matches]) => matches(head))?.[0]
}

/** Checks for the end marker of a PDF. Readers start there, so they cannot open a truncated PDF. */
export function hasPdfEnd(tail: Buffer): boolean {
  return tail.includes('%%EOF')
}
