/** Prints a progress line to stderr, because the command uses stdout. */
export function say(line) {
  process.stderr.write(`driveqr: ${line}\n`)
}

export function fail(line, code = 1) {
  say(line)
  process.exit(code)
}
