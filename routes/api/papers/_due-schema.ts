import { z } from '@hono/zod-openapi'
import { DOCUMENT_TYPE_IDS } from '#domain/papers/document.ts'
import { DUE_DAYS, DUE_KINDS, DUE_STATES, MOST_DUE_DAYS } from '#domain/papers/due.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { answer, message, ownerSecurity, problems, sessionSecurity } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'

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

export const due = apiCall({
  subject: 'Documents',
  middleware: signedIn,
  security: ownerSecurity,
  operationId: 'listDue',
  summary: 'List what ends soon, and what has ended',
  method: 'get',
  path: '/',
  request: {
    query: z.object({
      days: z.string().optional().openapi({
        type: 'integer',
        minimum: 0,
        maximum: MOST_DUE_DAYS,
        default: DUE_DAYS,
        description: 'how far to look ahead',
      }),
    }),
  },
  responses: {
    200: answer(
      'The nearest first; of several dates for one thing the latest',
      z.object({ items: z.array(item) }),
    ),
    ...problems(400),
  },
})

const asOwner = { subject: 'Calendar', middleware: signedIn, security: sessionSecurity } as const

export const makeCalendar = apiCall({
  ...asOwner,
  operationId: 'makeCalendar',
  summary: 'Make the calendar, or give it a new address',
  method: 'post',
  path: '/',
  responses: {
    201: answer(
      'The address for calendar programs. An earlier one stops working',
      z.object({ url: z.string().openapi({ example: 'webcal://driveqr.example/calendar/….ics' }) }),
    ),
  },
})

export const deleteCalendar = apiCall({
  ...asOwner,
  operationId: 'deleteCalendar',
  summary: 'Remove the calendar',
  method: 'delete',
  path: '/',
  responses: { 200: answer('Its address stops working', message) },
})
