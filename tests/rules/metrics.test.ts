import { describe, expect, test } from 'vitest'
import { createHistogram, toExposition } from '#domain/metrics/exposition.ts'
import { createMetrics } from '#domain/metrics/metrics.ts'

describe('the text format of Prometheus', () => {
  test('has help, type and a line for each series', () => {
    const text = toExposition([
      {
        name: 'driveqr_requests_total',
        type: 'counter',
        help: 'Answered requests.',
        samples: [{ labels: { route: '/scan/:qr_id', status: 200 }, value: 3 }],
      },
      { name: 'up', type: 'gauge', help: 'Whether.', samples: [{ value: 1 }] },
    ])
    expect(text).toBe(
      [
        '# HELP driveqr_requests_total Answered requests.',
        '# TYPE driveqr_requests_total counter',
        'driveqr_requests_total{route="/scan/:qr_id",status="200"} 3',
        '# HELP up Whether.',
        '# TYPE up gauge',
        'up 1',
        '',
      ].join('\n'),
    )
  })

  test('a label cannot end its quotes or its line', () => {
    const labels = { route: 'a"b\\c\nd' }
    const text = toExposition([
      { name: 'a', type: 'gauge', help: 'A.', samples: [{ labels, value: 1 }] },
    ])
    expect(text).toContain('a{route="a\\"b\\\\c\\nd"} 1\n')
  })

  test('a bucket contains what is at its bound, and those below it', () => {
    const histogram = createHistogram([1, 2])
    for (const value of [0.5, 1, 1.5, 2, 3]) histogram.observe(value)
    const text = toExposition([
      { name: 'a', type: 'histogram', help: 'A.', samples: histogram.toSamples({ b: 'c' }) },
    ])
    expect(text.split('\n').slice(2, -1)).toEqual([
      'a_bucket{b="c",le="1"} 2',
      'a_bucket{b="c",le="2"} 4',
      'a_bucket{b="c",le="+Inf"} 5',
      'a_sum{b="c"} 8',
      'a_count{b="c"} 5',
    ])
  })
})

test('requests are counted by route and status, and scans by their commits', () => {
  const metrics = createMetrics()
  metrics.noteRequest('/scan/:qr_id', 200, 0.002)
  metrics.noteRequest('/scan/:qr_id', 200, 0.02)
  metrics.noteRequest('/scan/:qr_id', 404, 0.001)
  metrics.noteCommit(5)
  metrics.noteCommit(1)
  metrics.noteUncounted()
  const lines = toExposition(metrics.toFamilies()).split('\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'driveqr_requests_total{route="/scan/:qr_id",status="200"} 2',
      'driveqr_requests_total{route="/scan/:qr_id",status="404"} 1',
      'driveqr_request_duration_seconds_bucket{route="/scan/:qr_id",le="0.0025"} 2',
      'driveqr_request_duration_seconds_count{route="/scan/:qr_id"} 3',
      'driveqr_scans_committed_total 6',
      'driveqr_scans_failed_total 1',
      'driveqr_scan_commit_scans_bucket{le="1"} 1',
      'driveqr_scan_commit_scans_bucket{le="8"} 2',
    ]),
  )
})
