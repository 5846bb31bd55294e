import { createHistogram, type Family, type Histogram, single } from '#domain/metrics/exposition.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Seconds. A scan page takes a millisecond or less, and waits up to three seconds for the database. */
const DURATIONS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const COMMIT_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]

type RouteCounts = { byStatus: Map<number, number>; seconds: Histogram }

/**
 * Creates the counters of this process. A request costs two additions and no memory: `route` is one
 * of the templates of the URL table.
 */
export function createMetrics() {
  const routes = new Map<string, RouteCounts>()
  const commits = createHistogram(COMMIT_SIZES)
  let uncounted = 0

  function countsOf(route: string): RouteCounts {
    const known = routes.get(route)
    if (known) return known
    const made = { byStatus: new Map<number, number>(), seconds: createHistogram(DURATIONS) }
    routes.set(route, made)
    return made
  }

  return {
    /** After a request was answered; of a stream after its headers. */
    noteRequest(route: string, status: number, seconds: number): void {
      const counts = countsOf(route)
      counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1)
      counts.seconds.observe(seconds)
    },
    /** Counts the scans of a commit. */
    noteCommit: (scans: number): void => commits.observe(scans),
    /** After a scan could not be committed. */
    noteUncounted: (): void => void uncounted++,
    toFamilies(): Family[] {
      return [
        {
          name: 'driveqr_requests_total',
          type: 'counter',
          help: 'Answered requests by route template and status.',
          samples: [...routes].flatMap(([route, { byStatus }]) =>
            [...byStatus].map(([status, value]) => ({ labels: { route, status }, value })),
          ),
        },
        {
          name: 'driveqr_request_duration_seconds',
          type: 'histogram',
          help: 'Time from a request to its answer, or to the headers of a stream.',
          samples: [...routes].flatMap(([route, { seconds }]) => seconds.toSamples({ route })),
        },
        single(
          'driveqr_scans_committed_total',
          'counter',
          'Scans that are on the disk of the database.',
          commits.sum(),
        ),
        single(
          'driveqr_scans_failed_total',
          'counter',
          'Scans that were not counted because the database did not take them in time.',
          uncounted,
        ),
        {
          name: 'driveqr_scan_commit_scans',
          type: 'histogram',
          help: 'Scans in a commit.',
          samples: commits.toSamples(),
        },
      ]
    },
  }
}
