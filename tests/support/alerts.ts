import type { Alert } from '#domain/alerts/alert.ts'
import type { Delivery } from '#mail/channels/channel.ts'

export const ALERT: Alert = {
  event: 'message',
  title: 'Lights are on, or a window is open',
  body: 'MH 12 AB 1234\nThe left window. गाड़ी मंदिर के पास है 🚗',
  url: 'https://keys.example.in/dashboard/messages/abc',
  isUrgent: false,
  qr_id: 'QR0000000001',
}

export function deliveryOf(alert: Partial<Alert>): Delivery {
  return { id: 'rowOfTheOutbox-1', at: '2026-11-20T09:59:00.000Z', alert: { ...ALERT, ...alert } }
}
