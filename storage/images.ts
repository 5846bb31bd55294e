/** The one module that uses sharp. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import type { JpegOptions, Sharp, SharpInput, SharpOptions } from 'sharp'
import { DomainError } from '#domain/error.ts'
import { asRefusal } from '#storage/files.ts'

export type DrawnImage = { width: number; height: number; size: number }

const LONGEST_DOCUMENT_SIDE = 4000
const LONGEST_POPUP_SIDE = 1600
const LONGEST_THUMBNAIL_SIDE = 400
const MOST_PIXELS = 40_000_000
/** For images that must be decoded whole, at up to 8 bytes a pixel. */
const MOST_PIXELS_IN_PASSES = 13_000_000
const LONGEST_SIDE = 16_000
const MOST_SECONDS = 10
const AT_ONCE = 1

const READ: SharpOptions = {
  limitInputPixels: MOST_PIXELS,
  // Accepts the JPEGs of phones that libjpeg only warns about, but no truncated ones.
  failOn: 'error',
  sequentialRead: true,
  pages: 1,
}

/** Optimised coding saves 4 % but needs the whole image in memory: 300 MB for 12 MP. */
const JPEG: JpegOptions = { quality: 85, optimizeCoding: false }

/** Redraws a document image: upright, in its own format, at most 4000 px, without metadata. */
export function redrawDocument(from: string, to: string, kind: 'jpg' | 'png'): Promise<DrawnImage> {
  return redraw(from, to, (image) => {
    const fitted = fitInto(image, LONGEST_DOCUMENT_SIDE)
    return kind === 'jpg' ? fitted.jpeg(JPEG) : fitted.png()
  })
}

/** Draws a JPEG of at most 400 px, with white for transparency. */
export function drawThumbnail(from: string, to: string): Promise<DrawnImage> {
  return redraw(from, to, (image) =>
    fitInto(image, LONGEST_THUMBNAIL_SIDE)
      .flatten({ background: '#fff' })
      .jpeg({ ...JPEG, quality: 75 }),
  )
}

/**
 * Redraws an image for the scan page: WebP of at most 1600 px without metadata. A poster takes half
 * the bytes of a JPEG and keeps its transparency. More effort saves 5 % for twice the time.
 */
export function redrawPopupImage(from: string, to: string): Promise<DrawnImage> {
  return redraw(from, to, (image) =>
    fitInto(image, LONGEST_POPUP_SIDE).webp({ quality: 80, effort: 2 }),
  )
}

function fitInto(image: Sharp, side: number): Sharp {
  return image.resize(side, side, { fit: 'inside', withoutEnlargement: true })
}

function redraw(from: string, to: string, draw: (image: Sharp) => Sharp): Promise<DrawnImage> {
  return inTurn(async () => {
    const open = await loadSharp()
    const startedAt = performance.now()
    try {
      await assertReasonable(open(from))
      await assertWholeWebp(from)
      // Applies the EXIF orientation before the metadata is dropped.
      const image = draw(open(from).timeout({ seconds: MOST_SECONDS }).rotate())
      const { width, height, size } = await image.toFile(to)
      return { width, height, size }
    } catch (error) {
      throw asImageRefusal(error, performance.now() - startedAt)
    }
  })
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

const POOL_THREAD = 'libuv-worker'
const POOL_PRIORITY = 10

/**
 * Lowers the priority of the threads that draw images, so that requests come first: libuv's pool,
 * which logins and files share, and the threads that inherit its priority. Only Linux has
 * priorities per thread; elsewhere images and requests share the core evenly.
 */
function yieldToPages(): void {
  const threads = '/proc/self/task'
  if (!existsSync(threads)) return
  for (const thread of readdirSync(threads)) {
    if (nameOf(`${threads}/${thread}`) === POOL_THREAD) setPriority(Number(thread), POOL_PRIORITY)
  }
}

/** Empty for a thread that has ended since it was listed. */
function nameOf(thread: string): string {
  const file = `${thread}/comm`
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

type OpenImage = (input: SharpInput) => Sharp
let loading: Promise<OpenImage> | undefined

/** Loaded with the first image, to save memory and start time. */
function loadSharp(): Promise<OpenImage> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
    })
    sharp.concurrency(1)
    sharp.cache(false)
    yieldToPages()
    return (input) => sharp(input, READ)
  })
  return loading
}

const waiting: (() => void)[] = []
let running = 0

/** Draws one image at a time: each takes a whole core and tens of megabytes. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
