import { expect, test } from 'vitest'
import { scanAlert } from '#mail/alerts.ts'

test('an alert of many scans groups their digits', () => {
  const code = {
    event: 'scan',
    qr_id: '7K3MQ9WD4XTP',
    vehicle_registration: 'MH12QX4827',
    owner_name: null,
  } as const
  const [since, now] = ['2026-11-20T10:00:00.000Z', new Date('2026-11-20T10:15:00.000Z')]
  const { alert } = scanAlert(
    { code, scans: 1234, since, now },
    { site: 'localhost', timezone: 'Asia/Kolkata', publicUrl: 'http://localhost' },
  )
  expect(alert.title).toBe('Scanned 1,234 times · MH 12 QX 4827')
  expect(alert.body).toBe('MH 12 QX 4827: 1,234 scans in the last 15 minutes.')
})
