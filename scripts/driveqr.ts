#!/usr/bin/env node
import { readConfig } from '#config.ts'
import { runCommandLine } from '#scripts/_program.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `driveqr qr create … | head` has seen enough, but the work is to be done to its end.
  if (error.code !== 'EPIPE') throw error
})

// What is written is this user's alone: it holds names, numbers and keys.
process.umask(0o077)
process.exitCode = await runCommandLine(process.argv.slice(2), {
  terminal: { in: process.stdin, out: process.stdout, err: process.stderr },
  clock: () => new Date(),
  readConfig,
})
