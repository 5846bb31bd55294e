/** After how many minutes without anybody having opened a message the next person hears of it. */
export const STEP_MINUTES = [5, 15, 30, 60] as const
export type StepMinutes = (typeof STEP_MINUTES)[number]
export const LONGEST_STEP_MINUTES = 60

/** Returns the minutes of a text or number; undefined for any others. */
export function stepMinutes(typed: unknown): StepMinutes | undefined {
  return STEP_MINUTES.find((minutes) => minutes === Number(typed))
}
