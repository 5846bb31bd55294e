import { formatCount } from '#domain/number.ts'

/** Above this the absolute change is more useful than a percentage. */
const MOST_PERCENT = 999

/** Returns the change of a total: `+12% in 30 days`, `Steady`, or `+5 in 30 days` from zero. */
export function trendText(now: number, before: number): string {
  if (now === before) return 'Steady'
  if (before === 0) return `+${formatCount(now)} in 30 days`
  const percent = Math.round(((now - before) / before) * 100)
  if (percent === 0 || percent > MOST_PERCENT) return `${signed(now - before)} in 30 days`
  return `${signed(percent)}% in 30 days`
}

function signed(change: number): string {
  return `${change > 0 ? '+' : '−'}${formatCount(Math.abs(change))}`
}
