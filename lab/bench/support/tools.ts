import { findProgram, installPackages } from '#scripts/bootstrap/debian.mjs'

/** The programs used for load and comparison, and their Debian packages. */
const PACKAGES = { wrk: 'wrk', nginx: 'nginx-light', sqlite3: 'sqlite3', strace: 'strace' }

/** Installs missing programs if possible. Throws without wrk, which generates the load. */
export function prepareTools(): void {
  const missing = Object.entries(PACKAGES).filter(([program]) => !findProgram([program]))
  if (missing.length > 0) installPackages(missing.map(([, name]) => name))
  if (!findProgram(['wrk'])) throw new Error('wrk is missing (Debian: apt-get install wrk)')
}

/** The path of a program; without it the figure is skipped with a message. */
export function findTool(
  program: 'nginx' | 'sqlite3' | 'strace',
  figure: string,
): string | undefined {
  const found = findProgram([program])
  if (!found) {
    console.log(`${figure}: skipped, because ${program} is missing (Debian: ${PACKAGES[program]})`)
  }
  return found
}
