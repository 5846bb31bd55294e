/**
 * Draws images and opens PDFs in a separate process of lower priority: decoding one maps tens of megabytes
 * and takes a whole core, which delays requests in the same process. A crash, or the kernel when memory is
 * short, ends this process and not the server.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DomainError } from '#domain/error.ts'
import type { PdfProblem } from '#domain/papers/document.ts'
import { FONTS } from '#formats/fonts.ts'
import type { Refusal } from '#locales/refusal.ts'
import type { Drawing, DrawnImage, FrameDrawing } from '#storage/images.ts'
import { lowerPriority } from '#storage/lower-priority.ts'
import type { PdfToOpen } from '#storage/pdf.ts'

export type Task = Drawing | FrameDrawing | PdfToOpen
type Done = DrawnImage | PdfProblem | null
export type Answer = { done: Done } | { refusal: Refusal } | { error: string }

/** Beside this file, also in the built program. */
const FONT_SETTINGS = fileURLToPath(new URL('fonts.conf', FONTS))

/** Its memory, and the 100 ms of its start, are worth keeping between the photos of one owner. */
const IDLE_MS = 60_000
/**
 * A few megabytes can take hours to decode: a progressive JPEG may go over the whole image 100,000 times.
 * This limits processor time, because on a busy machine an honest image waits for most of its time.
 */
const MOST_PROCESSOR_MS = 15_000
/** Images behind one that waits for the disk or the processor wait too. */
const MOST_MS = 60_000
const RETRY_AFTER = 5

/** Redraws a document image: upright, in its own format, at most 4000 px, without metadata. */
export function redrawDocument(from: string, to: string, kind: 'jpg' | 'png'): Promise<DrawnImage> {
  return draw({ as: kind, from, to })
}

/** Draws a JPEG of at most 400 px, with white for transparency. */
export function drawThumbnail(from: string, to: string): Promise<DrawnImage> {
  return draw({ as: 'thumbnail', from, to })
}

/** Redraws an image for the scan page: WebP of at most 1600 px without metadata. */
export function redrawPopupImage(from: string, to: string): Promise<DrawnImage> {
  return draw({ as: 'popup', from, to })
}

/** Draws a logo for labels and mails: PNG of at most 512 px without metadata. */
export function redrawLogo(from: string, to: string): Promise<DrawnImage> {
  return draw({ as: 'logo', from, to })
}

/** Draws a logo for pages: WebP of at most 3 KB without metadata. */
export function redrawSmallLogo(from: string, to: string): Promise<DrawnImage> {
  return draw({ as: 'small-logo', from, to })
}

/** Draws a code on a ground, with a logo and a name above it, as a PNG. */
export function drawFrame(frame: Omit<FrameDrawing, 'as'>): Promise<DrawnImage> {
  return draw({ as: 'frame', ...frame })
}

/**
 * Returns why a PDF shows no page to those who have no password for it; null if it shows one, and if it could
 * not be opened in time, because this is only a hint.
 */
export async function findPdfProblem(from: string): Promise<PdfProblem | null> {
  return inTurn({ as: 'pdf', from }).catch((error) => {
    if (error instanceof DomainError) return null
    throw error
  }) as Promise<PdfProblem | null>
}

function draw(drawing: Drawing | FrameDrawing): Promise<DrawnImage> {
  return inTurn(drawing) as Promise<DrawnImage>
}

let last: Promise<unknown> = Promise.resolve()

/** Does one task at a time: each takes a whole core and tens of megabytes. */
function inTurn(task: Task): Promise<Done> {
  const done = last.then(() => doNow(task))
  last = done.catch(() => undefined)
  return done
}

async function doNow(task: Task): Promise<Done> {
  const answer = await ask(task)
  if ('done' in answer) return answer.done
  if ('error' in answer) throw new Error(answer.error)
  throw new DomainError(answer.refusal)
}

let running: ChildProcess | undefined
let pending: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined
let idle: NodeJS.Timeout | undefined

async function ask(task: Task): Promise<Answer> {
  clearTimeout(idle)
  running ??= start()
  const child = running
  keepsAlive(child, true)
  const deadline = setTimeout(() => lose(child, takesTooLong()), MOST_MS)
  try {
    return await new Promise((resolve, reject) => {
      pending = { resolve, reject }
      child.send(task)
    })
  } finally {
    clearTimeout(deadline)
    keepsAlive(child, false)
    idle = setTimeout(stop, IDLE_MS).unref()
  }
}

function start(): ChildProcess {
  // The sources have it beside this file, and so have the programs that are built from them.
  const program = new URL(`./draw-images${extname(import.meta.url)}`, import.meta.url)
  // Without the settings, which contain passwords.
  const child = fork(fileURLToPath(program), [String(MOST_PROCESSOR_MS)], {
    env: { FONTCONFIG_FILE: FONT_SETTINGS },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  lowerPriority(child)
  const end = (_code: unknown, signal?: NodeJS.Signals) =>
    lose(child, signal === 'SIGVTALRM' ? takesTooLong() : interrupted())
  // A last message can be read after the exit, when the next process is asked already.
  child.on('message', (answer: Answer) => running === child && pending?.resolve(answer))
  return child.on('exit', end).on('error', () => end(null))
}

/** Ends a process, and refuses its images. The next image gets another one. */
function lose(child: ChildProcess, refusal: DomainError): void {
  if (running !== child) return
  running = undefined
  child.kill('SIGKILL')
  pending?.reject(refusal)
}

/** Ends the process: it does when it is disconnected. */
function stop(): void {
  running?.disconnect()
  running = undefined
}

/** A command ends without waiting for a process that draws nothing. */
function keepsAlive(child: ChildProcess, keeps: boolean): void {
  for (const handle of [child, child.channel]) handle?.[keeps ? 'ref' : 'unref']()
}

function takesTooLong(): DomainError {
  return new DomainError('unavailable.image_slow')
}

function interrupted(): DomainError {
  return new DomainError('unavailable.image_interrupted', { retryAfter: RETRY_AFTER })
}
