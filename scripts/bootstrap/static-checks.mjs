import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { say } from './say.mjs'

/** Runs a program from node_modules/.bin. Returns whether it succeeded. */
export function runTool(name, args) {
  say(`${name} ${args.join(' ')}`)
  const { error, status } = spawnSync(resolve('node_modules/.bin', name), args, {
    stdio: 'inherit',
  })
  if (error) say(`${name} could not be started: ${error.message}`)
  return status === 0
}

/** Checks format and lint, then types. Returns whether each succeeded. */
export function runStaticChecks() {
  return [runTool('biome', ['check', '--error-on-warnings']), runTool('tsc', ['--noEmit'])]
}
