import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { say } from './say.mjs'

/** Returns the first of these programs found in PATH. */
export function findProgram(names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const QUIETLY = ['ignore', 'ignore', 2]

/** Installs packages by apt-get, as root or by sudo without a password. Returns whether it worked. */
export function installPackages(packages) {
  const run = ([command, ...args]) => spawnSync(command, args, { stdio: QUIETLY }).status === 0
  return aptRuns(packages)?.every(run) ?? false
}

/** Installs packages like `installPackages`, while this process goes on with other work. */
export async function installMeanwhile(packages) {
  for (const [command, ...args] of aptRuns(packages) ?? []) {
    const [status] = await once(spawn(command, args, { stdio: QUIETLY }), 'exit')
    if (status !== 0) return
  }
}

/** Returns the commands, or undefined without apt-get or without permission. */
function aptRuns(packages) {
  if (!existsSync('/usr/bin/apt-get')) return undefined
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  if (sudo.length > 0 && spawnSync('sudo', ['-n', 'true']).status !== 0) return undefined
  say(`Installing ${packages.join(', ')} (apt-get)`)
  const apt = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq']
  return [
    [...apt, 'update'],
    [...apt, '--no-install-recommends', 'install', '-y', ...packages],
  ]
}
