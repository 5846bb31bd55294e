import { findProgram, installPackages } from '#scripts/bootstrap/debian.mjs'

/** The programs that figures are compared with or made with, and the Debian packages they are in. */
const PACKAGES = { wrk: 'wrk', nginx: 'nginx-light', sqlite3: 'sqlite3' }

/** Installs what is missing where it may. Throws when there is no wrk, which makes the load. */
export function prepareTools(): void {
  const missing = Object.entries(PACKAGES).filter(([program]) => !findProgram([program]))
  if (missing.length > 0) installPackages(missing.map(([, name]) => name))
  if (!findProgram(['wrk'])) throw new Error('There is no wrk (Debian: apt-get install wrk)')
}

/** Where a program is; without it the figure is left out with a line that says so. */
export function findTool(program: 'nginx' | 'sqlite3', figure: string): string | undefined {
  const found = findProgram([program])
  if (!found) {
    console.log(`${figure}: left out, there is no ${program} (Debian: ${PACKAGES[program]})`)
  }
  return found
}
