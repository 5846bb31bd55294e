import { expect, test } from 'vitest'
import { deviceText } from '#mail/account-notices.ts'
import { scanAlert } from '#mail/alerts.ts'

const code = {
  event: 'scan',
  qr_id: '7K3MQ9WD4XTP',
  vehicle_registration: 'MH12QX4827',
  owner_name: null,
} as const

function alertOf(scans: number, minutes: number) {
  const [since, now] = ['2026-11-20T10:00:00.000Z', new Date(`2026-11-20T10:${minutes}:00.000Z`)]
  const origin = { site: 'localhost', timezone: 'Asia/Kolkata', publicUrl: 'http://localhost' }
  return scanAlert({ code, scans, since, now }, origin).alert
}

test('an alert of many scans groups their digits', () => {
  const { title, body } = alertOf(1234, 15)
  expect(title).toBe('Scanned 1,234 times · MH 12 QX 4827')
  expect(body).toBe('MH 12 QX 4827: 1,234 scans in the last 15 minutes.')
})

test('scans that were held back for longer than a quarter of an hour have the time of the first', () => {
  const { body } = alertOf(2, 21)
  expect(body).toBe('MH 12 QX 4827: 2 scans since 20 Nov 2026, 3:30 pm (Asia/Kolkata).')
})

test('the name that a program gives itself is no link', () => {
  expect(deviceText({ device: 'other', browser: 'www.evil.com' })).toBe('a device (www. evil. com)')
})
