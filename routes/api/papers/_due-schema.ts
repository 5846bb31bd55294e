import { z } from '@hono/zod-openapi'
import { DOCUMENT_TYPE_IDS } from '#domain/papers/document.ts'
import { DUE_DAYS, DUE_KINDS, DUE_STATES, MOST_DUE_DAYS } from '#domain/papers/due.ts'
import { ownerCalls, sessionCalls } from '#routes/api/_call.ts'
import { answer } from '#routes/api/_payloads.ts'

const ownerCall = ownerCalls('Documents')

const item = z
  .object({
    kind: z.enum(DUE_KINDS).openapi({
      description: 'where the date is: on a document, or in a field of the code',
    }),
    qr_id: z.string(),
    vehicle_registration: z.string().nullable(),
    document_id: z.string().nullable(),
    document_type: z.enum(DOCUMENT_TYPE_IDS).nullable(),
    ends_on: z.iso.date(),
    state: z.enum(DUE_STATES).openapi({ description: 'what ends today is due' }),
  })
  .openapi('DueItem')

export const due = ownerCall('listDue', 'List what ends soon, and what has ended', {
  get: '/',
  query: z.object({
    days: z.string().optional().openapi({
      type: 'integer',
      minimum: 0,
      maximum: MOST_DUE_DAYS,
      default: DUE_DAYS,
      description: 'how far to look ahead',
    }),
  }),
  200: answer(
    'The nearest first; of several dates for one thing the latest',
    z.object({ items: z.array(item) }),
  ),
})

const call = sessionCalls('Calendar')

export const makeCalendar = call('makeCalendar', 'Make the calendar, or give it a new address', {
  post: '/',
  makes: true,
  secrets: ['url'],
  201: answer(
    'The address for calendar programs. An earlier one stops working',
    z.object({ url: z.string().openapi({ example: 'webcal://driveqr.example/calendar/….ics' }) }),
  ),
})

export const deleteCalendar = call('deleteCalendar', 'Remove the calendar', {
  delete: '/',
  200: 'Its address stops working',
})
