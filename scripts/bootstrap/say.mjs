/** One line about what is being done, on stderr: stdout belongs to the command that follows. */
export function say(line) {
  process.stderr.write(`driveqr: ${line}\n`)
}

export function fail(line, code = 1) {
  say(line)
  process.exit(code)
}
