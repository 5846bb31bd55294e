export type DueState = 'past' | 'soon' | 'later'

/** Enough to renew an insurance or to find a free day at a garage. */
const SOON_DAYS = 30

/** How soon a day is due; both as YYYY-MM-DD. Today is not past. */
export function dueState(day: string, today: string): DueState {
  const days = (Date.parse(day) - Date.parse(today)) / 86_400_000
  if (days < 0) return 'past'
  return days <= SOON_DAYS ? 'soon' : 'later'
}
