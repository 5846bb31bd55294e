/** The one module that uses sharp. It runs in a process of its own (`image-process.ts`). */
import { open as openFile } from 'node:fs/promises'
import type { JpegOptions, Sharp, SharpInput, SharpOptions } from 'sharp'
import { DomainError } from '#domain/error.ts'
import { asRefusal } from '#storage/files.ts'

/** An image to be drawn from one path to another: a document's, a thumbnail, or one of a popup. */
export type Drawing = { as: 'jpg' | 'png' | 'thumbnail' | 'popup'; from: string; to: string }
export type DrawnImage = { width: number; height: number; size: number }

const LONGEST_DOCUMENT_SIDE = 4000
const LONGEST_POPUP_SIDE = 1600
const LONGEST_THUMBNAIL_SIDE = 400
const MOST_PIXELS = 40_000_000
/** For images that must be decoded whole, at up to 8 bytes a pixel. */
const MOST_PIXELS_IN_PASSES = 13_000_000
const LONGEST_SIDE = 16_000
const MOST_SECONDS = 10

const READ: SharpOptions = {
  limitInputPixels: MOST_PIXELS,
  // Accepts the JPEGs of phones that libjpeg only warns about, but no truncated ones.
  failOn: 'error',
  sequentialRead: true,
  pages: 1,
}

/** Optimised coding saves 4 % but needs the whole image in memory: 300 MB for 12 MP. */
const JPEG: JpegOptions = { quality: 85, optimizeCoding: false }

const DRAWN_AS: Record<Drawing['as'], (image: Sharp) => Sharp> = {
  jpg: (image) => fitInto(image, LONGEST_DOCUMENT_SIDE).jpeg(JPEG),
  png: (image) => fitInto(image, LONGEST_DOCUMENT_SIDE).png(),
  thumbnail: (image) =>
    fitInto(image, LONGEST_THUMBNAIL_SIDE)
      .flatten({ background: '#fff' })
      .jpeg({ ...JPEG, quality: 75 }),
  // A poster takes half the bytes of a JPEG and keeps its transparency. More effort saves 5 % for
  // twice the time.
  popup: (image) => fitInto(image, LONGEST_POPUP_SIDE).webp({ quality: 80, effort: 2 }),
}

function fitInto(image: Sharp, side: number): Sharp {
  return image.resize(side, side, { fit: 'inside', withoutEnlargement: true })
}

/** Draws an image. Throws a DomainError for one that is refused, and for a full disk. */
export async function drawImage({ as, from, to }: Drawing): Promise<DrawnImage> {
  const open = await loadSharp()
  const startedAt = performance.now()
  try {
    await assertReasonable(open(from))
    await assertWholeWebp(from)
    // Applies the EXIF orientation before the metadata is dropped.
    const upright = open(from).timeout({ seconds: MOST_SECONDS }).rotate()
    const { width, height, size } = await DRAWN_AS[as](upright).toFile(to)
    return { width, height, size }
  } catch (error) {
    throw asImageRefusal(error, performance.now() - startedAt)
  }
}

async function assertReasonable(image: Sharp): Promise<void> {
  const { width, height, isProgressive, pages = 1 } = await image.metadata()
  if (Math.max(width, height) > LONGEST_SIDE) throw tooManyPixels()
  // The last pass may change every pixel, so the whole image must be in memory.
  if (isProgressive && width * height > MOST_PIXELS_IN_PASSES) throw tooManyInPasses()
  if (pages > 1) throw new DomainError('unsupported', 'Moving images are not accepted')
}

const RIFF_HEAD_BYTES = 8

/** libwebp accepts truncated files, so the length in the header is checked. */
async function assertWholeWebp(file: string): Promise<void> {
  const handle = await openFile(file)
  try {
    const { buffer } = await handle.read(Buffer.alloc(RIFF_HEAD_BYTES), 0, RIFF_HEAD_BYTES, 0)
    const { size } = await handle.stat()
    const isCut =
      buffer.toString('latin1', 0, 4) === 'RIFF' && size < RIFF_HEAD_BYTES + buffer.readUInt32LE(4)
    if (isCut) throw damaged()
  } finally {
    await handle.close()
  }
}

/** Concurrent failures can mix up their messages, so a timeout is recognised by its duration. */
function asImageRefusal(error: unknown, tookMs: number): unknown {
  const refusal = asRefusal(error)
  if (refusal instanceof DomainError) return refusal
  if (/exceeds pixel limit/.test((error as Error).message)) return tooManyPixels()
  if (tookMs >= MOST_SECONDS * 1000) {
    return new DomainError('unavailable', 'This image takes too long to read. Try a smaller one.')
  }
  return damaged()
}

function damaged(): DomainError {
  return new DomainError('unsupported', 'This image is damaged and cannot be read')
}

function tooManyPixels(): DomainError {
  return new DomainError(
    'too_large',
    'Image is larger than 40 megapixels or longer than 16,000 pixels',
  )
}

function tooManyInPasses(): DomainError {
  return new DomainError(
    'too_large',
    'Progressive and interlaced images may have 13 megapixels at most. Save this one as a plain JPG.',
  )
}

type OpenImage = (input: SharpInput) => Sharp
let loading: Promise<OpenImage> | undefined

function loadSharp(): Promise<OpenImage> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
    })
    sharp.concurrency(1)
    sharp.cache(false)
    return (input) => sharp(input, READ)
  })
  return loading
}
