export type ScanCounter = ReturnType<typeof createScanCounter>

/** Codes that are counted at the same time: 4 MB of memory. */
const MOST_CODES = 20_000

/** Counts scans by code, until somebody takes them. It costs the scan page nothing measurable. */
export function createScanCounter() {
  const counts = new Map<string, number>()
  let onFirst = () => {}
  return {
    /** Counts a scan. With too many codes, those that come last are left out, unless they are lost. */
    note({ qr_id, lost_since }: { qr_id: string; lost_since: string | null }): void {
      const count = counts.get(qr_id)
      if (count === undefined && lost_since === null && counts.size >= MOST_CODES) return
      counts.set(qr_id, (count ?? 0) + 1)
      if (counts.size === 1) onFirst()
    },
    /** Up to `most` codes and how often they were scanned, those that came first. */
    take(most: number): Map<string, number> {
      const taken = new Map<string, number>()
      for (const [qrId, count] of counts) {
        if (taken.size === most) break
        taken.set(qrId, count)
        counts.delete(qrId)
      }
      return taken
    },
    isEmpty: () => counts.size === 0,
    /** Calls back when there is something to take. */
    watch(callback: () => void): void {
      onFirst = callback
    },
  }
}
