import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { say } from './say.mjs'

/** The first of these programs found in PATH. */
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

/** Installs packages by apt-get, as root or by sudo without a password. Returns whether it worked. */
export function installPackages(packages) {
  if (!existsSync('/usr/bin/apt-get')) return false
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  if (sudo.length > 0 && spawnSync('sudo', ['-n', 'true']).status !== 0) return false
  say(`Installing ${packages.join(', ')} (apt-get)`)
  return apt(sudo, ['update']) && apt(sudo, ['install', '-y', ...packages])
}

function apt(sudo, args) {
  const quiet = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq']
  const [command, ...rest] = [...sudo, ...quiet, '--no-install-recommends', ...args]
  return spawnSync(command, rest, { stdio: ['ignore', 'ignore', 2] }).status === 0
}
