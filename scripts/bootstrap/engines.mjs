import { findProgram, installPackages } from './debian.mjs'
import { say } from './say.mjs'

/** The programs that tests start besides Chromium: variable, program names, Debian package. */
const PROGRAMS = [
  { setting: 'FIREFOX', names: ['firefox-esr', 'firefox'], package: 'firefox-esr' },
  { setting: 'WEBKIT_DRIVER', names: ['WebKitWebDriver'], package: 'webkit2gtk-driver' },
  // WebKit needs a display.
  { setting: 'XVFB', names: ['Xvfb'], package: 'xvfb' },
]

/** Finds or installs the programs, sets their variables, and reports the missing ones. */
export function findOrInstallEngines() {
  const lacking = missingEnginePackages()
  const names = lacking.length > 0 && installPackages(lacking) ? missingEnginePackages() : lacking
  if (names.length > 0) say(`Not installed, so not tested: ${names.join(', ')}.`)
}

/** Sets the variables of the programs that are here. Returns the Debian packages of the others. */
export function missingEnginePackages() {
  for (const { setting, names } of PROGRAMS) {
    const found = process.env[setting] ?? findProgram(names)
    if (found) process.env[setting] = found
  }
  return PROGRAMS.filter(({ setting }) => !process.env[setting]).map((program) => program.package)
}
