// The programs that the tests start besides Node.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, installMeanwhile, isExecutable } from './debian.mjs'

const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const CHROMIUM_ON_MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
/** Debian has a folder for each version of PostgreSQL, and none of them in the PATH. */
const POSTGRES = '/usr/lib/postgresql'
const LANGUAGES = ['hi', 'bn', 'te', 'mr', 'ta', 'gu', 'kn', 'ml', 'pa', 'ur']

/** By name: the variable with the path, the search for it, and Debian's packages. */
const PROGRAMS = {
  chromium: {
    setting: 'CHROMIUM',
    search: () => findProgram(CHROMIUM) ?? [CHROMIUM_ON_MAC].find(isExecutable),
    packages: ['chromium', 'fonts-noto-color-emoji'],
  },
  // Chromium without its windows, in which most tests take half the time.
  shell: {
    setting: 'CHROMIUM_SHELL',
    search: () => findProgram(['chromium-headless-shell']),
    packages: ['chromium-headless-shell'],
  },
  postgres: { setting: 'POSTGRES_BIN', search: searchPostgres, packages: ['postgresql'] },
  firefox: {
    setting: 'FIREFOX',
    search: () => findProgram(['firefox-esr', 'firefox']),
    packages: ['firefox-esr'],
  },
  webkit: {
    setting: 'WEBKIT_DRIVER',
    search: () => findProgram(['WebKitWebDriver']),
    packages: ['webkit2gtk-driver'],
  },
  // The display that WebKit needs.
  xvfb: { setting: 'XVFB', search: () => findProgram(['Xvfb']), packages: ['xvfb'] },
  // The tests measure the texts of all languages.
  fonts: { search: searchFonts, packages: ['fonts-noto-core'] },
}

/** Finds the programs or installs them by apt-get, and sets their variables. Returns the names of the missing ones. */
export async function findOrInstall(names) {
  const missing = () => names.filter((name) => !find(name))
  const packagesOf = (programs) => programs.flatMap((name) => PROGRAMS[name].packages)
  // One call installs all packages; if it fails, each gets a call of its own.
  if (missing().length > 1) await installMeanwhile(packagesOf(missing()))
  for (const name of missing()) await installMeanwhile(packagesOf([name]))
  return missing()
}

/** Finds or installs a program. Returns its path, or throws an error with the remedy. */
export async function findOrFail(name) {
  await findOrInstall([name])
  const { setting, packages } = PROGRAMS[name]
  const path = find(name)
  if (!path)
    throw new Error(
      `Install ${packages[0]} (apt-get install ${packages[0]}) or set ${setting} to its path.`,
    )
  return path
}

/** Returns the path of a program, and sets its variable if it has one. */
function find(name) {
  const { setting, search } = PROGRAMS[name]
  const path = process.env[setting] ?? search()
  if (path && setting) process.env[setting] = path
  return path
}

function searchPostgres() {
  if (!existsSync(POSTGRES)) return undefined
  const newestFirst = readdirSync(POSTGRES).sort((a, b) => Number(b) - Number(a))
  return newestFirst
    .map((version) => join(POSTGRES, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

/** Returns a word if there is a font for each language. */
function searchFonts() {
  const found = LANGUAGES.map(
    (lang) => spawnSync('fc-list', [`:lang=${lang}`], { encoding: 'utf8' }).stdout,
  )
  return found.every((names) => names?.trim()) ? 'installed' : undefined
}
