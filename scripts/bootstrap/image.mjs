#!/usr/local/bin/node
// The command `driveqr` of the image. `driveqr start` becomes the server, so that signals reach it.
import { SERVER } from './server.mjs'

if (process.argv[2] === 'start') process.execve(process.execPath, ['node', ...SERVER], process.env)
await import('../../dist/driveqr.js')
