import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { CSV_BOM, type CsvCell, toCsv } from '#domain/csv.ts'
import { CommandError } from '#domain/error.ts'
import { qrPng, qrSvg } from '#formats/qr-image.ts'
import { print, printLine, startProgress, type Terminal } from '#scripts/_terminal.ts'

export type MadeCode = {
  qr_id: string
  qr_type: string
  url: string
  created_at: string
  activation_code?: string
  /** of an import, whose list says which code is of which vehicle */
  vehicle_registration?: string | null
}
/** Receives the created codes in batches, so that memory does not grow with their number. */
export type Sink = { add(codes: readonly MadeCode[]): void; close(): void }

export const IMAGE_FORMATS = ['png', 'svg'] as const
export type ImageFormat = (typeof IMAGE_FORMATS)[number]

const DRAW: Record<ImageFormat, (text: string, size: number) => string | Buffer> = {
  png: qrPng,
  svg: qrSvg,
}

/** Writes an image of each code, named by its id. `size` is in pixels per module. */
export function openFolder(path: string, formats: readonly ImageFormat[], size: number): Sink {
  const folder = resolve(path)
  makeFolder(folder)
  return {
    add(codes) {
      for (const code of codes) {
        for (const format of formats) {
          writeFileSync(join(folder, fileName(code, format)), DRAW[format](code.url, size))
        }
      }
    },
    close() {},
  }
}

/** Not `recursive`: without permission Node gives a wrong error or hangs. */
function makeFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  mkdirSync(folder)
}

type Listed = {
  /** the images that it names */
  formats: readonly ImageFormat[]
  hasActivation?: boolean
  ofVehicles?: boolean
}

/** Writes a CSV list, flushed to the disk on close. */
export function openList(path: string, listed: Listed): Sink {
  const { formats, hasActivation = false, ofVehicles = false } = listed
  const handle = openNew(resolve(path))
  const vehicle = ofVehicles ? ['vehicle_registration'] : []
  const secret = hasActivation ? ['activation_code'] : []
  const named = ['qr_id', 'printed_id', 'url', 'qr_type', 'created_at']
  const headings = [...vehicle, ...named, ...secret, ...formats]
  // writeSync would hide a full disk by writing only a part.
  writeFileSync(handle, CSV_BOM + toCsv([headings]))
  const rowOf = (code: MadeCode) => [
    ...(ofVehicles ? [code.vehicle_registration ?? null] : []),
    ...toRow(code, formats),
  ]
  return {
    add(codes) {
      writeFileSync(handle, toCsv(codes.map(rowOf)))
    },
    close() {
      fsyncSync(handle)
      closeSync(handle)
    },
  }
}

function toRow(code: MadeCode, formats: readonly ImageFormat[]): CsvCell[] {
  const { qr_id, url, qr_type, created_at, activation_code } = code
  const images = formats.map((format) => fileName(code, format))
  const secret = activation_code ? [activation_code] : []
  return [qr_id, formatQrId(qr_id), url, qr_type, created_at, ...secret, ...images]
}

/** Opens a new file. Throws conflict when it exists, so that no earlier list is overwritten. */
export function openNew(file: string): number {
  try {
    return openSync(file, 'wx')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CommandError(`${file} already exists: name another file`)
  }
}

function fileName({ qr_id }: MadeCode, format: ImageFormat): string {
  return `${qr_id}.${format}`
}

/** Writes one JSON object, valid also when only some of the codes were created. */
export function openJson(terminal: Terminal, about: Record<string, unknown>): Sink {
  let count = 0
  print(terminal, `${JSON.stringify(about).slice(0, -1)},"qr_codes":[`)
  return {
    add(codes) {
      const objects = codes.map((code) => JSON.stringify(code)).join(',\n')
      print(terminal, `${count > 0 ? ',' : ''}\n${objects}`)
      count += codes.length
    },
    close() {
      terminal.out.write(`\n],"created_count":${count}}\n`)
    },
  }
}

export function openLines(terminal: Terminal): Sink {
  return {
    add(codes) {
      for (const { qr_id, url, activation_code } of codes) {
        const secret = activation_code ? `  ${activation_code}` : ''
        printLine(terminal, `${formatQrId(qr_id)}  ${url}${secret}`)
      }
    },
    close() {},
  }
}

export function openProgress(terminal: Terminal, total: number): Sink {
  const progress = startProgress(terminal, total)
  return { add: ({ length }) => progress.advance(length), close: progress.end }
}
