import { findProgram, installPackages } from './debian.mjs'
import { say } from './say.mjs'

/** What the tests start beside Chromium: the setting that names it, its programs, its package. */
const PROGRAMS = [
  { setting: 'FIREFOX', names: ['firefox-esr', 'firefox'], package: 'firefox-esr' },
  { setting: 'WEBKIT_DRIVER', names: ['WebKitWebDriver'], package: 'webkit2gtk-driver' },
  // WebKit has no mode without a display.
  { setting: 'XVFB', names: ['Xvfb'], package: 'xvfb' },
]

/** Sets the settings of the programs that are here or that apt-get brings, and says which are not. */
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
  if (names.length > 0) say(`Not here: ${names.join(', ')}. The main job is not tested with them.`)
}
