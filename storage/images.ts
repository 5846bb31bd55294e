/** The one module that uses sharp. It runs in a process of its own (`image-process.ts`). */
import { createReadStream } from 'node:fs'
import { open as openFile } from 'node:fs/promises'
import type { JpegOptions, Metadata, OverlayOptions, Sharp, SharpOptions } from 'sharp'
import { DomainError } from '#domain/error.ts'
import { asRefusal } from '#storage/files.ts'

/** An image to be drawn from one path to another: a document's, a thumbnail, one of a popup, or a logo. */
export type Drawing = {
  as: 'jpg' | 'png' | 'thumbnail' | 'popup' | 'logo' | 'small-logo'
  from: string
  to: string
}
/** A rectangle, in pixels from the upper left corner. */
type Room = { left: number; top: number; width: number; height: number }
/** A code on a ground, with a logo and a name above it, each as large as its room and in its middle. */
export type FrameDrawing = {
  as: 'frame'
  to: string
  ground: string
  width: number
  height: number
  code: { file: string; left: number; top: number }
  logo: { file: string; room: Room } | undefined
  name: { text: string; color: string; room: Room } | undefined
}
export type DrawnImage = { width: number; height: number; size: number }

const LONGEST_DOCUMENT_SIDE = 4000
const LONGEST_POPUP_SIDE = 1600
const LONGEST_THUMBNAIL_SIDE = 400
const LONGEST_LOGO_SIDE = 512
/** Three times its size on the page; less where that would take too many bytes. */
const SMALL_LOGO_SIDES = [120, 96, 72, 48, 32]
const SMALL_LOGO_BYTES = 3000
const MOST_PIXELS = 40_000_000
/** For images that must be decoded whole, at up to 8 bytes a pixel. */
const MOST_PIXELS_IN_PASSES = 13_000_000
/** A photo has about ten. Each empty one goes over the whole image, at 33 bytes of its file. */
const MOST_PASSES = 1_000
const LONGEST_SIDE = 16_000

const READ: SharpOptions = {
  limitInputPixels: MOST_PIXELS,
  // Accepts the JPEGs of phones that libjpeg only warns about, but no truncated ones.
  failOn: 'error',
  sequentialRead: true,
  pages: 1,
}

/** Optimised coding saves 4 % but needs the whole image in memory: 300 MB for 12 MP. */
const JPEG: JpegOptions = { quality: 85, optimizeCoding: false }

const DRAWN_AS: Record<Exclude<Drawing['as'], 'small-logo'>, (image: Sharp) => Sharp> = {
  jpg: (image) => fitInto(image, LONGEST_DOCUMENT_SIDE).jpeg(JPEG),
  png: (image) => fitInto(image, LONGEST_DOCUMENT_SIDE).png(),
  thumbnail: (image) =>
    fitInto(image, LONGEST_THUMBNAIL_SIDE)
      .flatten({ background: '#fff' })
      .jpeg({ ...JPEG, quality: 75 }),
  // A poster takes half the bytes of a JPEG and keeps its transparency. More effort saves 5 % for
  // twice the time.
  popup: (image) => fitInto(image, LONGEST_POPUP_SIDE).webp({ quality: 80, effort: 2 }),
  // A format that label files and all mail programs know. A palette keeps a photo at 200 KB.
  logo: (image) => fitInto(image, LONGEST_LOGO_SIDE).png({ palette: true }),
}

function fitInto(image: Sharp, side: number): Sharp {
  return image.resize(side, side, { fit: 'inside', withoutEnlargement: true })
}

/** Draws an image. Throws a DomainError for one that is refused, and for a full disk. */
export async function drawImage(drawing: Drawing | FrameDrawing): Promise<DrawnImage> {
  const open = await loadSharp()
  if (drawing.as === 'frame') return drawFrame(open, drawing)
  const { as, from, to } = drawing
  try {
    const { isProgressive, format } = await assertReasonable(open(from))
    if (isProgressive && format === 'jpeg') await assertFewPasses(from)
    await assertWholeWebp(from)
    // Applies the EXIF orientation before the metadata is dropped.
    const upright = open(from).rotate()
    if (as === 'small-logo') return await drawSmallLogo(upright, to)
    const { width, height, size } = await DRAWN_AS[as](upright).toFile(to)
    return { width, height, size }
  } catch (error) {
    throw asImageRefusal(error)
  }
}

async function drawFrame(open: OpenImage, frame: FrameDrawing): Promise<DrawnImage> {
  const { to, ground: background, width, height, code, logo, name } = frame
  const layers: OverlayOptions[] = [{ input: code.file, left: code.left, top: code.top }]
  if (logo) {
    const { file, room } = logo
    const fitted = open(file).resize(room.width, room.height, { fit: 'inside' })
    layers.push(await centred(fitted.ensureAlpha(), room))
  }
  if (name) {
    const { text, color, room } = name
    const markup = `<span foreground="${color}">${escapeMarkup(text)}</span>`
    const { width, height } = room
    const font = { font: 'Noto Sans Bold', rgba: true, align: 'centre' } as const
    layers.push(await centred(open({ text: { text: markup, width, height, ...font } }), room))
  }
  const ground = open({ create: { width, height, channels: 3, background } })
  return ground.composite(layers).png({ palette: true }).toFile(to)
}

/** Returns a layer of pixels in the middle of its room, because images are only read from files. */
async function centred(image: Sharp, room: Room): Promise<OverlayOptions> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const left = room.left + Math.round((room.width - info.width) / 2)
  const top = room.top + Math.round((room.height - info.height) / 2)
  return { input: data, raw: info, left, top }
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Draws the logo as large as its bytes allow, because every byte delays the phone call. */
async function drawSmallLogo(image: Sharp, to: string): Promise<DrawnImage> {
  for (const side of SMALL_LOGO_SIDES) {
    for (const quality of [90, 70, 40]) {
      const webp = { quality, alphaQuality: quality, effort: 6 }
      const drawn = await fitInto(image.clone(), side).webp(webp).toFile(to)
      if (drawn.size <= SMALL_LOGO_BYTES) return drawn
    }
  }
  throw damaged()
}

async function assertReasonable(image: Sharp): Promise<Metadata> {
  const metadata = await image.metadata()
  const { width, height, isProgressive, pages = 1 } = metadata
  if (Math.max(width, height) > LONGEST_SIDE) throw tooManyPixels()
  // The last pass may change every pixel, so the whole image must be in memory.
  if (isProgressive && width * height > MOST_PIXELS_IN_PASSES) throw tooManyInPasses()
  if (pages > 1) throw new DomainError('unsupported.image_moving')
  return metadata
}

/** Marks the start of each pass of a JPEG. Other data contains it by chance once in 64 KB. */
const START_OF_PASS = Buffer.from([0xff, 0xda])

async function assertFewPasses(file: string): Promise<void> {
  let passes = 0
  let end = Buffer.alloc(0)
  for await (const read of createReadStream(file) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([end, read])
    for (
      let at = bytes.indexOf(START_OF_PASS);
      at >= 0;
      at = bytes.indexOf(START_OF_PASS, at + 2)
    ) {
      passes++
    }
    end = bytes.subarray(-1)
  }
  if (passes > MOST_PASSES) throw damaged()
}

const RIFF_HEAD_BYTES = 8

/** Checks the length in the header, because libwebp accepts truncated files. */
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

function asImageRefusal(error: unknown): unknown {
  const refusal = asRefusal(error)
  if (refusal instanceof DomainError) return refusal
  if (/exceeds pixel limit/.test((error as Error).message)) return tooManyPixels()
  return damaged()
}

function damaged(): DomainError {
  return new DomainError('unsupported.image_damaged')
}

function tooManyPixels(): DomainError {
  return new DomainError('too_large.image_pixels')
}

function tooManyInPasses(): DomainError {
  return new DomainError('too_large.image_passes')
}

/** Opens a file, or creates an image from options. */
type OpenImage = (input: string | SharpOptions) => Sharp
let loading: Promise<OpenImage> | undefined

function loadSharp(): Promise<OpenImage> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile', 'VipsForeignLoadWebpFile'],
    })
    sharp.concurrency(1)
    sharp.cache(false)
    return (input) => (typeof input === 'string' ? sharp(input, READ) : sharp(input))
  })
  return loading
}
