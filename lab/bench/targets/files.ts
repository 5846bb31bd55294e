/** Makes one file of many codes in a separate process, and prints time and memory. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { planLabels } from '#domain/codes/labels.ts'
import { drawLabels } from '#formats/label-pdf.ts'
import { qrMatrix, qrPng } from '#formats/qr-image.ts'
import { zipCodes } from '#formats/qr-zip.ts'

const [kind, count] = process.argv.slice(2)
const codes = Array.from({ length: Number(count) }, (_, n) => {
  const qr_id = String(n).padStart(12, '0')
  return { qr_id, url: `https://keys.example.in/scan/${qr_id}` }
})
const [first = { url: '' }] = codes
const size = (errorCorrection: 'M' | 'Q') => qrMatrix(first.url, { errorCorrection }).size
const plan = planLabels({ sheet: 'a4' }, { M: size('M'), Q: size('Q') })
const now = new Date()

const FILES: Record<string, () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>> = {
  pdf: () => drawLabels(codes, { plan, start: 1, outline: false, now }),
  zip: () => zipCodes(codes, { list: '', prefix: 'DriveQR', size: 10, now }),
  pictures: () => codes.map(({ url }) => qrPng(url, 10)),
}

const delay = monitorEventLoopDelay({ resolution: 1 })
const startedAt = performance.now()
delay.enable()
let bytes = 0
for await (const piece of FILES[kind ?? '']?.() ?? []) bytes += piece.length
delay.disable()
const seconds = (performance.now() - startedAt) / 1000
const peakMb = process.resourceUsage().maxRSS / 1024
console.log(JSON.stringify({ seconds, peakMb, pauseMs: delay.max / 1e6, megabytes: bytes / 1e6 }))
