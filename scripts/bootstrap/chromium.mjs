import { spawnSync } from 'node:child_process'
import { findProgram, installPackages, isExecutable } from './debian.mjs'
import { say } from './say.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const DEBIAN_PACKAGES = ['chromium', 'fonts-noto-color-emoji']
const HINDI_FONT = 'fonts-lohit-deva'

export const NO_CHROMIUM =
  'The browser tests need Chromium: install it (Debian: apt-get install chromium) ' +
  'or set CHROMIUM=/path/to/chromium, then run npm test again.'

/** The browser in CHROMIUM, or one on this machine, or one installed by apt-get. */
export function findOrInstallChromium() {
  return process.env.CHROMIUM ?? find() ?? (installPackages(DEBIAN_PACKAGES) ? find() : undefined)
}

/** The scan page is also in Hindi and its tests measure text, but browsers have no Hindi font. */
export function installHindiFont() {
  const { error, stdout } = spawnSync('fc-list', [':lang=hi'], { encoding: 'utf8' })
  if (error || stdout.trim()) return
  if (!installPackages([HINDI_FONT])) say(`There is no font for Hindi here: install ${HINDI_FONT}.`)
}

function find() {
  return findProgram(NAMES) ?? [MAC].find(isExecutable)
}
