import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import { CommandError } from '#domain/error.ts'
import { counted } from '#domain/number.ts'
import { formatDateTime } from '#domain/time.ts'

export type Input = Readable & { isTTY?: boolean }
export type Output = Writable & { isTTY?: boolean; columns?: number }
export type Terminal = { in: Input; out: Output; err: Output }

export type Progress = { advance(count: number): void; end(): void }

const REDRAW_EVERY_MS = 100
const LINE_EVERY_MS = 10_000
const BAR_WIDTH = 30

export function printLine(terminal: Terminal, line: string): void {
  print(terminal, `${line}\n`)
}

export function print(terminal: Terminal, text: string): void {
  terminal.out.write(text)
  assertTaken(terminal)
}

/**
 * Throws the error of a write, such as a full disk. In `driveqr qr create … | head` the reader stops early,
 * which is no failure: the work must be completed.
 */
export function assertTaken({ out }: Terminal): void {
  if (out.errored && !isClosedPipe(out.errored)) throw out.errored
}

/** Returns whether the program that reads the answer has ended. */
export function isClosedPipe(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EPIPE'
}

/** Prints indented JSON for programs, or text for people. */
export function printAnswer(
  terminal: Terminal,
  json: boolean,
  answer: unknown,
  toText: () => string,
): void {
  printLine(terminal, json ? JSON.stringify(answer, null, 2) : toText())
}

/** Formats a time with the zone that it is in: `18 Jun 2024, 9:14 am Asia/Kolkata`. */
export function formatMomentIn(zone: string, moment: string): string {
  return `${formatDateTime(moment, zone)} ${zone}`
}

/** Aligns columns. Control characters are removed, because names are untrusted input. */
export function toTable(
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const cells = [headings, ...rows].map((row) =>
    row.map((cell) => String(cell).replace(/\p{Cc}/gu, ' ')),
  )
  const widths = headings.map((_, i) =>
    cells.reduce((widest, row) => Math.max(widest, row[i]?.length ?? 0), 0),
  )
  return cells
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** In bytes a second, until a rate was measured. */
const EXPECTED_RATE = 20 * 1024 * 1024

/** Shows a progress bar on stderr, if that is a terminal, so that piped output stays clean. */
export function startProgress(
  terminal: Terminal,
  total: number,
  show: (count: number) => string = (count) => count.toLocaleString('en-IN'),
): Progress {
  if (!terminal.err.isTTY) return { advance() {}, end() {} }
  return openProgress(terminal, total, (done, seconds) => {
    const rate = Math.round(done / Math.max(0.001, seconds))
    return `${show(done)} of ${show(total)}, ${show(rate)} a second`
  })
}

/**
 * Shows on stderr how long work takes: a bar on a terminal, otherwise a line at the start and every ten
 * seconds. Units are bytes.
 */
export function startLongProgress(terminal: Terminal, total: number, what: string): Progress {
  const expected = total / EXPECTED_RATE
  terminal.err.write(`${what}, about ${inMinutes(expected)}\n`)
  return openProgress(terminal, total, (done, seconds) => {
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const left = share === 0 ? expected : (seconds / share) * (1 - share)
    return `${Math.floor(share * 100)} %, about ${inMinutes(left)} left`
  })
}

/** Draws a bar with a text on a terminal, or prints the text now and then. */
function openProgress(
  { err }: Terminal,
  total: number,
  describe: (done: number, seconds: number) => string,
): Progress {
  const startedAt = performance.now()
  const everyMs = err.isTTY ? REDRAW_EVERY_MS : LINE_EVERY_MS
  let done = 0
  let shownAt = startedAt
  const show = () => {
    shownAt = performance.now()
    const text = describe(done, (shownAt - startedAt) / 1000)
    if (!err.isTTY) return err.write(`${text}\n`)
    const filled = Math.floor((total === 0 ? 1 : Math.min(1, done / total)) * BAR_WIDTH)
    return err.write(`\r\x1b[K${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${text}`)
  }
  return {
    advance(count) {
      done += count
      if (performance.now() - shownAt >= everyMs) show()
    },
    end() {
      if (!err.isTTY) return
      show()
      err.write('\n')
    },
  }
}

function inMinutes(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return minutes > 1 ? counted(minutes, 'minute') : 'a minute'
}

/** Reads a password from a pipe, or at a terminal by two prompts without echo. */
export async function readNewPassword(
  terminal: Terminal,
): Promise<{ password: string; confirmPassword: string }> {
  if (terminal.in.isTTY) {
    const [password = '', confirmPassword = ''] = await askHidden(terminal, [
      'Password',
      'Repeat password',
    ])
    return { password, confirmPassword }
  }
  const password = await readFirstLine(terminal.in)
  return { password, confirmPassword: password }
}

async function readFirstLine(input: Input): Promise<string> {
  const lines = createInterface({ input })
  for await (const line of lines) return line
  return ''
}

/** Uses one reader for all questions, because a second one would lose pasted input. */
async function askHidden({ in: input, err }: Terminal, questions: string[]): Promise<string[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: true })
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(new CommandError('Stopped: no password was given'))
    lines.once('SIGINT', stop)
    lines.once('close', stop)
  })
  const answers = lines[Symbol.asyncIterator]()
  try {
    const given: string[] = []
    for (const question of questions) {
      err.write(`${question}: `)
      const { value } = await Promise.race([answers.next(), stopped])
      err.write('\n')
      given.push(value as string)
    }
    return given
  } finally {
    stopped.catch(() => {})
    lines.close()
  }
}
