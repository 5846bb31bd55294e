import { withoutHidden } from '#domain/text.ts'

/** What is told from a file's content; it is also the ending of the name under which it is stored. */
export type FileKind = 'pdf' | 'jpg' | 'png' | 'webp'

export const CONTENT_TYPES: Record<FileKind, string> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

/** What an upload may be, and what somebody is told who sends something else. */
export type FileRule = {
  kinds: readonly FileKind[]
  maxBytes: number
  tooLarge: string
  wrongKind: string
  /** for the `accept` of a file input: a convenience, the content decides */
  accept: string
}

const MEGABYTE = 1024 * 1024

export const DOCUMENT_FILES: FileRule = {
  kinds: ['pdf', 'jpg', 'png'],
  maxBytes: 10 * MEGABYTE,
  tooLarge: 'File is larger than 10 MB',
  wrongKind: 'Only PDF, JPG and PNG files are accepted',
  accept: '.pdf,.jpg,.jpeg,.png',
}

export const IMAGE_FILES: FileRule = {
  kinds: ['jpg', 'png', 'webp'],
  maxBytes: 5 * MEGABYTE,
  tooLarge: 'Image is larger than 5 MB',
  wrongKind: 'Only JPG, PNG and WebP images are accepted',
  accept: '.jpg,.jpeg,.png,.webp',
}

export const NO_FILE = 'Please select a file'

/**
 * What can be said against a file before it is sent, from its name, its size in bytes, and the
 * type that the browser makes of the name. Its content is for the server to judge.
 */
export function fileProblem(
  file: { name: string; size: number; type: string },
  rule: FileRule,
): string | undefined {
  const isAccepted = rule.kinds.some(
    (kind) => ENDINGS[kind].test(file.name) || CONTENT_TYPES[kind] === file.type,
  )
  if (!isAccepted) return rule.wrongKind
  return file.size > rule.maxBytes ? rule.tooLarge : undefined
}

const STORED_NAME = /^[a-z2-7]{26}\.(pdf|jpg|png|webp)$/

/** The kind that a stored name ends in; undefined for what is no stored name. */
export function kindOfStoredName(name: string): FileKind | undefined {
  return STORED_NAME.exec(name)?.[1] as FileKind | undefined
}

const LONGEST_NAME = 120
const ENDINGS: Record<FileKind, RegExp> = {
  pdf: /\.pdf$/i,
  jpg: /\.jpe?g$/i,
  png: /\.png$/i,
  webp: /\.webp$/i,
}

/**
 * A file's name as it is shown and given back: its last part alone, without hidden characters (but
 * with the joiners that Hindi is spelt with), at most 120 characters, and with an
 * ending that says what the content is: a text that calls itself `page.html` must not come back
 * as one.
 */
export function cleanFileName(sent: string, kind: FileKind): string {
  const visible = withoutHidden(sent)
  const last = (visible.split(/[/\\]/).at(-1) ?? '').trim()
  const stem = last.replace(ENDINGS[kind], '').replace(/^[.\s\u200c-\u200d]+/, '')
  const ending = ENDINGS[kind].exec(last)?.[0] ?? `.${kind}`
  const short = Array.from(stem).slice(0, LONGEST_NAME - ending.length)
  return `${short.join('').trim() || 'file'}${ending}`
}

/** The header that names a file (RFC 6266), for clients that read UTF-8 and for those that don't. */
export function contentDisposition(way: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^ !#$&+\-.0-9A-Z^_a-z{}~()@,;=[\]']/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${way}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
