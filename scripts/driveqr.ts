#!/usr/bin/env node
import { readConfigWith } from '#config.ts'
import { runCommandLine } from '#scripts/_program.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // In `driveqr qr create … | head` the reader stops early, but the work must be completed.
  if (error.code !== 'EPIPE') throw error
})

// Files are created for this user alone: they contain names, numbers and keys.
process.umask(0o077)
process.exitCode = await runCommandLine(process.argv.slice(2), {
  terminal: { in: process.stdin, out: process.stdout, err: process.stderr },
  clock: () => new Date(),
  readConfig: (instead = {}) => readConfigWith(instead),
})
