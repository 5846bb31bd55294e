import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { say } from './say.mjs'

/**
 * Runs a program from node_modules/.bin, with `env` besides this process's, and its output to
 * `output`, an open file. Returns whether it succeeded.
 */
export async function runTool(name, args, { env, output = 'inherit' } = {}) {
  say(`${name} ${args.join(' ')}`)
  const tool = spawn(resolve('node_modules/.bin', name), args, {
    env: { ...process.env, ...env },
    stdio: ['inherit', output, output],
  })
  try {
    const [status] = await once(tool, 'exit')
    return status === 0
  } catch (error) {
    say(`${name} could not be started: ${error.message}`)
    return false
  }
}

/** Checks format and lint, then types. Returns whether each succeeded. */
export async function runStaticChecks() {
  return [
    await runTool('biome', ['check', '--error-on-warnings']),
    await runTool('tsc', ['--noEmit']),
  ]
}
