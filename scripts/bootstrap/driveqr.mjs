#!/usr/bin/env node
// The command `driveqr`: `driveqr backup` is `npm run driveqr -- backup`.
process.argv.splice(2, 0, 'driveqr')
await import('../bootstrap.mjs')
