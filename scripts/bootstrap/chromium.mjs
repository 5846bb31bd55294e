import { spawnSync } from 'node:child_process'
import { findProgram, installPackages, isExecutable } from './debian.mjs'
import { say } from './say.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const SHELL = 'chromium-headless-shell'
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const DEBIAN_PACKAGES = ['chromium', 'fonts-noto-color-emoji']
/** Noto in all scripts. */
const FONTS = 'fonts-noto-core'
const LANGUAGES = ['hi', 'bn', 'te', 'mr', 'ta', 'gu', 'kn', 'ml', 'pa', 'ur']

export const NO_CHROMIUM =
  'The browser tests need Chromium: install it (Debian: apt-get install chromium) ' +
  'or set CHROMIUM=/path/to/chromium, then run npm test again.'

/** Returns the browser in CHROMIUM, or one on this machine, or one installed by apt-get. */
export function findOrInstallChromium() {
  return find() ?? (installPackages(DEBIAN_PACKAGES) ? find() : undefined)
}

/**
 * Returns Chromium without its windows, in which most tests take half the time: the one in CHROMIUM_SHELL, or on this
 * machine, or installed by apt-get. Returns the whole browser where there is none.
 */
export function findOrInstallShell() {
  const shell = findShell() ?? (installPackages([SHELL]) ? findShell() : undefined)
  return shell ?? findOrInstallChromium()
}

/** Installs fonts for all languages, whose texts the tests measure. */
export function installFonts() {
  const missing = LANGUAGES.filter((lang) => fontsFor(lang) === '')
  if (missing.length === 0 || installPackages([FONTS])) return
  say(`There are no fonts for ${missing.join(', ')} here: install ${FONTS}.`)
}

/** Returns the Debian packages that the browser tests need and this machine lacks. */
export function missingChromiumPackages(isQuick) {
  const shell = findShell() ? [] : [SHELL]
  if (isQuick) return shell
  return [
    ...(find() ? [] : DEBIAN_PACKAGES),
    ...shell,
    ...(LANGUAGES.every(fontsFor) ? [] : [FONTS]),
  ]
}

function find() {
  return process.env.CHROMIUM ?? findProgram(NAMES) ?? [MAC].find(isExecutable)
}

function findShell() {
  return process.env.CHROMIUM_SHELL ?? findProgram([SHELL])
}

/** Returns the fonts' names, or undefined without fc-list, which Chromium's package installs. */
function fontsFor(lang) {
  const { error, stdout } = spawnSync('fc-list', [`:lang=${lang}`], { encoding: 'utf8' })
  return error ? undefined : stdout.trim()
}
