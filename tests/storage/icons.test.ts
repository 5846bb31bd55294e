import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, test } from 'vitest'

const SIGNAL = '#ffc61a'
/** The difference of palettes and smoothed edges, of the 255 steps of a colour. */
const MOST_DIFFERENCE = 0.5

/** The mark in the middle of a square, as wide as this share of it. */
async function draw(size: number, share: number): Promise<Buffer> {
  const mark = await sharp(readFileSync('components/icons/icon.svg'), { density: 72 * 16 })
    .resize(Math.round(size * share))
    .png()
    .toBuffer()
  return sharp({ create: { width: size, height: size, channels: 3, background: SIGNAL } })
    .composite([{ input: mark }])
    .removeAlpha()
    .raw()
    .toBuffer()
}

// A launcher cuts the maskable one down to a circle of 80 %.
test.each([
  ['apple-touch-icon.png', 180, 11 / 15],
  ['icon-192.png', 192, 11 / 15],
  ['icon-512.png', 512, 11 / 15],
  ['icon-maskable-512.png', 512, 0.6],
])('%s is the mark of icon.svg', async (name, size, share) => {
  const [found, drawn] = [
    await sharp(`components/icons/${name}`).removeAlpha().raw().toBuffer(),
    await draw(size, share),
  ]
  expect(found.length).toBe(drawn.length)
  const difference = found.reduce((sum, byte, n) => sum + Math.abs(byte - (drawn[n] ?? 0)), 0)
  expect(difference / found.length).toBeLessThan(MOST_DIFFERENCE)
})
