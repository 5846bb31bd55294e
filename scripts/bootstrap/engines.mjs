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
  const missing = () => PROGRAMS.filter(({ setting }) => !process.env[setting])
  const find = () => {
    for (const { setting, names } of missing()) {
      const found = findProgram(names)
      if (found) process.env[setting] = found
    }
  }
  find()
  if (missing().length > 0 && installPackages(missing().map((program) => program.package))) find()
  const names = missing().map((program) => program.package)
  if (names.length > 0) say(`Not installed, so not tested: ${names.join(', ')}.`)
}
