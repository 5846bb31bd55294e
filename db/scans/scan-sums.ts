import type { Instant } from '#db/schema.ts'

/**
 * Returns the quarter of an hour (UTC) of an instant, as `2026-11-20T09:15`. A day of any zone
 * begins with one, so sums by quarter give sums by day in any zone.
 */
export function quarterOf(instant: Instant): string {
  const minute = Math.floor(Number(instant.slice(14, 16)) / 15) * 15
  return instant.slice(0, 14) + String(minute).padStart(2, '0')
}
