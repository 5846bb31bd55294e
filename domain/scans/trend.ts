import { formatCount } from '#domain/number.ts'

/** Beyond this a percentage says less than the figure itself. */
const MOST_PERCENT = 999

/** By how much a total has grown: `+12% in 30 days`, `Steady`, `+5 in 30 days` from nothing. */
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
