import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { say } from './say.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
// The scan page speaks Hindi too, and its tests measure the text.
const DEBIAN_PACKAGES = ['chromium', 'fonts-noto-core', 'fonts-noto-color-emoji']

export const NO_CHROMIUM =
  'The browser tests need Chromium: install it (Debian: apt-get install chromium) ' +
  'or set CHROMIUM=/path/to/chromium, then run npm test again.'

/** The browser that CHROMIUM names, or one on this machine, or one that apt-get brings. */
export function findOrInstallChromium() {
  return process.env.CHROMIUM ?? find() ?? (install() ? find() : undefined)
}

function find() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...paths, MAC].find(isExecutable)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function install() {
  if (!existsSync('/usr/bin/apt-get')) return false
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  if (sudo.length > 0 && spawnSync('sudo', ['-n', 'true']).status !== 0) return false
  say(`Installing ${DEBIAN_PACKAGES.join(', ')} (apt-get)`)
  return apt(sudo, ['update']) && apt(sudo, ['install', '-y', ...DEBIAN_PACKAGES])
}

function apt(sudo, args) {
  const quiet = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq']
  const [command, ...rest] = [...sudo, ...quiet, '--no-install-recommends', ...args]
  return spawnSync(command, rest, { stdio: ['ignore', 'ignore', 2] }).status === 0
}
