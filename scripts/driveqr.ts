#!/usr/bin/env node
import { readConfigWith } from '#config.ts'
import { runCommandLine } from '#scripts/_program.ts'

// Without a listener the error would end the work. What writes the answer looks whether it was taken.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// Files are created for this user alone: they contain names, numbers and keys.
process.umask(0o077)
process.exitCode = await runCommandLine(process.argv.slice(2), {
  terminal: { in: process.stdin, out: process.stdout, err: process.stderr },
  clock: () => new Date(),
  readConfig: (instead = {}) => readConfigWith(instead),
})
