#!/usr/bin/env node
import { readConfig } from '#config.ts'
import { runCommandLine } from '#scripts/_program.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `driveqr user list | head` has seen enough, which is no failure.
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

process.exitCode = await runCommandLine(process.argv.slice(2), {
  terminal: { in: process.stdin, out: process.stdout, err: process.stderr },
  clock: () => new Date(),
  readConfig,
})
