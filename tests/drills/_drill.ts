/** What a trial came to: a short sentence with its figures, and whether the promise was kept. */
export type Outcome = { figure: string; isKept: boolean }

/** A folder of the trial's own, which is removed after it. */
export type Trial = (work: string) => Promise<Outcome>

export type Drill = {
  name: string
  promise: string
  trial: Trial
  /** The same trial with a guard taken out, which must not keep the promise. */
  control: { without: string; trial: Trial }
  /** Programs that are found or installed first, by the Debian package they come in. */
  programs?: Record<string, string>
  /** Why the drill cannot be held here, if it cannot. */
  obstacle?: () => string | undefined
}

export const needsRoot = () => (process.getuid?.() === 0 ? undefined : 'needs root')

/** `1 scan`, `2 scans`. */
export function count(n: number, what: string): string {
  return `${n.toLocaleString('en-IN')} ${what}${n === 1 ? '' : 's'}`
}
