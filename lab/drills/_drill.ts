/** The result of a trial: a short sentence with figures, and whether the promise was kept. */
export type Outcome = { figure: string; isKept: boolean }

/** Runs in a folder of its own, which is removed afterwards, with the server of a program. */
export type Trial = (work: string, program: string) => Promise<Outcome>

export type Drill = {
  name: string
  promise: string
  trial: Trial
  /** The guard that the control lacks. */
  without: string
  /** Builds the server without the guard; the product itself when absent. */
  guardless?: () => Promise<string>
  /** The trial without the guard, which must break the promise. It is `trial` when absent. */
  control?: Trial
  /** Required programs, and the Debian packages to install them from. */
  programs?: Record<string, string>
  /** Returns why the drill cannot run here; undefined when it can. */
  obstacle?: () => string | undefined
}

export const needsRoot = () => (process.getuid?.() === 0 ? undefined : 'needs root')

/** Returns `1 scan`, `2 scans`. */
export function count(n: number, what: string): string {
  return `${n.toLocaleString('en-IN')} ${what}${n === 1 ? '' : 's'}`
}
