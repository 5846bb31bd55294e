import { execFileSync } from 'node:child_process'
import type { Row } from './support/report.ts'

type Made = { seconds: number; peakMb: number; pauseMs: number; megabytes: number }

/** Files of many codes: their time beyond drawing, and their memory, which must not grow. */
export function benchLabels(): Row[] {
  const pictures = make('pictures', 1_000)
  const pdf = make('pdf', 1_000)
  const zip = make('zip', 1_000)
  const large = make('zip', 5_000)
  return [
    timeRow('Labels of 1,000 codes as PDF ÷ their PNGs alone', pdf, pictures),
    timeRow('ZIP of 1,000 PNGs and SVGs ÷ the PNGs alone', zip, pictures),
    {
      what: 'Peak memory, ZIP of 5,000 codes ÷ of 1,000',
      measured: `${large.peakMb.toFixed(0)} MB for ${large.megabytes.toFixed(0)} MB`,
      limit: `${zip.peakMb.toFixed(0)} MB for ${zip.megabytes.toFixed(0)} MB`,
      ratio: large.peakMb / zip.peakMb,
      budget: { atMost: 2 },
    },
  ]
}

function make(kind: string, count: number): Made {
  const args = ['lab/bench/targets/files.ts', kind, String(count)]
  const stripping = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
  return JSON.parse(execFileSync(process.execPath, [...stripping, ...args], { encoding: 'utf8' }))
}

function timeRow(what: string, file: Made, pictures: Made): Row {
  const { seconds, peakMb, pauseMs } = file
  return {
    what,
    measured: `${seconds.toFixed(2)} s, peak ${peakMb.toFixed(0)} MB, longest pause ${pauseMs.toFixed(0)} ms`,
    limit: `${pictures.seconds.toFixed(2)} s`,
    ratio: seconds / pictures.seconds,
    budget: undefined,
  }
}
