/** The result of a trial: a short sentence with figures, and whether the promise was kept. */
export type Outcome = { figure: string; isKept: boolean }

/** Gets its own folder, which is removed afterwards. */
export type Trial = (work: string) => Promise<Outcome>

export type Drill = {
  name: string
  promise: string
  trial: Trial
  /** The same trial without a guard. It must break the promise. */
  control: { without: string; trial: Trial }
  /** Required programs, and the Debian packages to install them from. */
  programs?: Record<string, string>
  /** Why the drill cannot run here; undefined when it can. */
  obstacle?: () => string | undefined
}

export const needsRoot = () => (process.getuid?.() === 0 ? undefined : 'needs root')

/** `1 scan`, `2 scans`. */
export function count(n: number, what: string): string {
  return `${n.toLocaleString('en-IN')} ${what}${n === 1 ? '' : 's'}`
}
