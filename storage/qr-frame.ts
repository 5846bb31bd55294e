import { readFile, writeFile } from 'node:fs/promises'
import { createFairQueue } from '#domain/fair-queue.ts'
import { EDGE, type Frame, HEAD, LOGO, measureFrame, printedFrame } from '#formats/qr-frame.ts'
import { qrMatrix, qrPng } from '#formats/qr-image.ts'
import type { FileStore } from '#storage/files.ts'
import { drawFrame } from '#storage/image-process.ts'

/**
 * Sends one picture at a time to the process that draws images, and accounts take turns: an account that
 * requests hundreds delays neither finders' photos nor other accounts.
 */
const queue = createFairQueue({
  concurrency: 1,
  maxWaiting: 1000,
  maxWaitMs: 60_000,
  refusal: 'unavailable.pictures',
})

/** Draws the picture of `framedSvg` as PNG, for an account. Throws unavailable when too many wait. */
export function framedPng(
  store: FileStore,
  account: string,
  url: string,
  size: number,
  frame: Frame,
): Promise<Buffer> {
  return queue.inTurn([account], () => drawFramed(store, url, size, frame))
}

async function drawFramed(
  store: FileStore,
  url: string,
  size: number,
  given: Frame,
): Promise<Buffer> {
  const frame = printedFrame(given)
  const { ground, text: color, logo, name } = frame
  const matrix = qrMatrix(url)
  const { code, top, width, height } = measureFrame(matrix.size, frame)
  const [codeFile, logoFile, to] = [
    store.newTemporary(),
    store.newTemporary(),
    store.newTemporary(),
  ]
  const pixels = (modules: number) => modules * size
  const roomFrom = (left: number, width: number) => ({
    left: pixels(left),
    top: pixels(EDGE),
    width: pixels(width),
    height: pixels(LOGO),
  })
  const beside = logo ? HEAD : 0
  try {
    await writeFile(codeFile, qrPng(matrix, size), { mode: 0o600 })
    if (logo) await writeFile(logoFile, logo, { mode: 0o600 })
    await drawFrame({
      to,
      ground,
      width: pixels(width),
      height: pixels(height),
      code: { file: codeFile, left: pixels(EDGE), top: pixels(top) },
      logo: logo && { file: logoFile, room: roomFrom(EDGE, name ? LOGO : code) },
      name: name ? { text: name, color, room: roomFrom(EDGE + beside, code - beside) } : undefined,
    })
    return await readFile(to)
  } finally {
    await store.discard([codeFile, logoFile, to])
  }
}
