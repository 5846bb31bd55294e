import qrcode from 'qrcode'
import { qrPng } from '#formats/qr-image.ts'
import { median, type Row } from './support/report.ts'

const SECONDS_EACH = 0.5
const ROUNDS = 3
const PIXELS_PER_MODULE = 10

/** Images per second, from matrix to bytes, compared with the `qrcode` library. */
export async function benchQrPng(): Promise<Row[]> {
  const ours: number[] = []
  const library: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    library.push(await rate((text) => qrcode.toBuffer(text, { scale: PIXELS_PER_MODULE })))
    ours.push(await rate((text) => qrPng(text, PIXELS_PER_MODULE)))
  }
  return [
    {
      what: 'QR code to PNG ÷ qrcode.toBuffer',
      measured: `${median(ours).toFixed(0)} a second`,
      limit: `${median(library).toFixed(0)} a second`,
      ratio: median(ours) / median(library),
      budget: { atLeast: 20 },
    },
  ]
}

async function rate(draw: (text: string) => unknown): Promise<number> {
  const startedAt = performance.now()
  let drawn = 0
  while (performance.now() - startedAt < SECONDS_EACH * 1000) {
    await draw(`https://keys.example.in/scan/${String(drawn++).padStart(12, '7K3M')}`)
  }
  return drawn / ((performance.now() - startedAt) / 1000)
}
