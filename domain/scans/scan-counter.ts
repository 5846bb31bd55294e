export type ScanCounter = ReturnType<typeof createScanCounter>

/** Codes that are counted at the same time: 4 MB of memory. */
const MOST_CODES = 20_000

/**
 * Counts scans by code, until somebody takes them: lost codes apart, because their alerts do not wait for
 * those of the others. It costs the scan page nothing measurable.
 */
export function createScanCounter() {
  const lost = new Map<string, number>()
  const others = new Map<string, number>()
  const size = () => lost.size + others.size
  let onFirst = () => {}
  return {
    /** Counts a scan. With too many codes, those that come last are left out, unless they are lost. */
    note({ qr_id, lost_since }: { qr_id: string; lost_since: string | null }): void {
      const counts = lost_since === null ? others : lost
      const count = counts.get(qr_id)
      if (count === undefined && counts === others && size() >= MOST_CODES) return
      counts.set(qr_id, (count ?? 0) + 1)
      if (size() === 1) onFirst()
    },
    /** Up to `most` lost codes and how often they were scanned, those that came first. */
    takeLost: (most: number) => takeFrom(lost, most),
    /** The same of codes that were not lost at their first scan. */
    takeOthers: (most: number) => takeFrom(others, most),
    isEmpty: () => size() === 0,
    /** Calls back when there is something to take. */
    watch(callback: () => void): void {
      onFirst = callback
    },
  }
}

function takeFrom(counts: Map<string, number>, most: number): Map<string, number> {
  const taken = new Map<string, number>()
  for (const [qrId, count] of counts) {
    if (taken.size === most) break
    taken.set(qrId, count)
    counts.delete(qrId)
  }
  return taken
}
