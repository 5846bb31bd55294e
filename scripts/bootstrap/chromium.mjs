import { findProgram, installPackages, isExecutable } from './debian.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
// The scan page speaks Hindi too, and its tests measure the text.
const DEBIAN_PACKAGES = ['chromium', 'fonts-noto-core', 'fonts-noto-color-emoji']

export const NO_CHROMIUM =
  'The browser tests need Chromium: install it (Debian: apt-get install chromium) ' +
  'or set CHROMIUM=/path/to/chromium, then run npm test again.'

/** The browser that CHROMIUM names, or one on this machine, or one that apt-get brings. */
export function findOrInstallChromium() {
  return process.env.CHROMIUM ?? find() ?? (installPackages(DEBIAN_PACKAGES) ? find() : undefined)
}

function find() {
  return findProgram(NAMES) ?? [MAC].find(isExecutable)
}
