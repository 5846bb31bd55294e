import { withoutHidden } from '#domain/text.ts'
import type { Refusal, RefusalCode } from '#locales/refusal.ts'

/** The kind of a file as its content shows. It is also the extension of the stored name. */
export type FileKind = 'pdf' | 'jpg' | 'png' | 'webp'

export const CONTENT_TYPES: Record<FileKind, string> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
}

/** The allowed kinds of an upload, and the refusals of other files. */
export type FileRule = {
  kinds: readonly FileKind[]
  maxBytes: number
  tooLarge: Refusal
  wrongKind: Refusal
  /** for the `accept` of a file input; the server checks the content */
  accept: string
}

const MEGABYTE = 1024 * 1024

export const DOCUMENT_FILES: FileRule = {
  kinds: ['pdf', 'jpg', 'png'],
  maxBytes: 10 * MEGABYTE,
  tooLarge: { code: 'too_large.file', values: { mb: 10 } },
  wrongKind: 'unsupported.documents',
  accept: '.pdf,.jpg,.jpeg,.png',
}

export const IMAGE_FILES: FileRule = {
  kinds: ['jpg', 'png', 'webp'],
  maxBytes: 5 * MEGABYTE,
  tooLarge: { code: 'too_large.image', values: { mb: 5 } },
  wrongKind: 'unsupported.images',
  accept: '.jpg,.jpeg,.png,.webp',
}

/** A finder's photo, which a phone without script sends as its camera made it. */
export const PHOTO_FILES: FileRule = {
  ...IMAGE_FILES,
  maxBytes: 15 * MEGABYTE,
  tooLarge: { code: 'too_large.image', values: { mb: 15 } },
}

/** The logo of a brand. */
export const LOGO_FILES: FileRule = {
  ...IMAGE_FILES,
  maxBytes: 2 * MEGABYTE,
  tooLarge: { code: 'too_large.image', values: { mb: 2 } },
}

/** The refusals of a file before it is sent. */
export const FILE_REFUSALS = [
  'invalid.no_file',
  'too_large.file',
  'too_large.image',
  'unsupported.documents',
  'unsupported.images',
] as const satisfies RefusalCode[]

/**
 * Checks a file before it is sent by its name, its size in bytes and the type that the browser
 * derives from the name. The server checks the content.
 */
export function fileProblem(
  file: { name: string; size: number; type: string },
  rule: FileRule,
): Refusal | undefined {
  const isAccepted = rule.kinds.some(
    (kind) => ENDINGS[kind].test(file.name) || CONTENT_TYPES[kind] === file.type,
  )
  if (!isAccepted) return rule.wrongKind
  return file.size > rule.maxBytes ? rule.tooLarge : undefined
}

const STORED_NAME = /^[a-z2-7]{26}\.(pdf|jpg|png|webp)$/

/** Returns the kind of a stored file by its name; undefined for other names. */
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
 * Returns a file's name for display and download: without folders and hidden characters (except the
 * joiners used in Hindi), normalised, because a Mac spells letters differently, at most 120
 * characters, with the extension of its real kind, so that an upload named `page.html` is never
 * downloaded as HTML.
 */
export function cleanFileName(sent: string, kind: FileKind, longest = LONGEST_NAME): string {
  const visible = withoutHidden(sent.normalize())
  const last = (visible.split(/[/\\]/).at(-1) ?? '').trim()
  const stem = last.replace(ENDINGS[kind], '').replace(/^[.\s\u200c-\u200d]+/, '')
  const ending = ENDINGS[kind].exec(last)?.[0] ?? `.${kind}`
  const short = Array.from(stem).slice(0, longest - ending.length)
  return `${short.join('').trim() || 'file'}${ending}`
}

/** Systems take names of 255 bytes, with a number before them, and a character has up to four. */
const LONGEST_UNPACKED_NAME = 60

/** Returns a file's name in a ZIP, which every system can unpack: Windows refuses some signs. */
export function unpackedName(sent: string, kind: FileKind): string {
  return cleanFileName(sent, kind, LONGEST_UNPACKED_NAME).replace(/[<>:"|?*]/g, '_')
}

/** Returns the Content-Disposition header (RFC 6266), with a fallback for clients without UTF-8. */
export function contentDisposition(way: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^ !#$&+\-.0-9A-Z^_a-z{}~()@,;=[\]']/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${way}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
