import { z } from '@hono/zod-openapi'
import { pinProblem } from '#domain/codes/qr.ts'
import { CONTACT_MODES, THINGS } from '#domain/codes/visibility.ts'
import { asciiDigits } from '#domain/digits.ts'
import { PUBLIC_SCAN_FIELDS, type PublicScanFields } from '#domain/scans/scan.ts'
import { lost } from '#routes/_http/codes/forms.ts'
import { follows } from '#routes/_http/schema.ts'
import { refusing } from '#routes/_http/schema-refusals.ts'
import { ownerCalls, publicCalls } from '#routes/api/_call.ts'
import { pageFields } from '#routes/api/_paging.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'

/** The number of scans in the answer unless a limit was sent. */
export const RECENT_SCANS = 3
const publicCall = publicCalls('Scans')
const ownerCall = ownerCalls('Scans')

const nullableText = z.string().nullable()
const publicFields = Object.fromEntries(
  PUBLIC_SCAN_FIELDS.map((name) => [name, nullableText]),
) as Record<keyof PublicScanFields, typeof nullableText>

const qrInfo = z.object({
  qr_type: z.string().openapi({ enum: ['normal', 'child'] }),
  is_claimed: z.boolean(),
  is_child_registered: z.boolean(),
})
const publicScan = qrInfo.extend({
  qr_id: z.string(),
  is_active: z.boolean(),
  has_pin: z.boolean(),
  ...publicFields,
  contact_mode: z.enum(CONTACT_MODES).openapi({
    description: 'relay: finders write first, and phone and email are null',
  }),
  thing: z.enum(THINGS).openapi({ description: 'the thing with the code, which was found' }),
  can_message: z.boolean().openapi({
    description: 'whether the owner can be written to; not while the account is blocked',
  }),
  lost: lost.nullable(),
})
const popup = z.object({
  qr_info: qrInfo,
  popup_images: z.array(
    z.object({
      id: z.string(),
      url: z.string(),
      width: z.int().openapi({ description: 'in pixels' }),
      height: z.int().openapi({ description: 'in pixels' }),
    }),
  ),
  admin_messages: z.array(z.object({ id: z.string(), title: z.string(), content: z.string() })),
})
const privateFields = z.object({
  driving_license_number: nullableText,
  insurance_policy_number: nullableText,
  insurance_expiry_date: nullableText,
  notes_instructions: nullableText,
})
const analytics = z.object({
  total_scans: z.number().int(),
  recent_scans: z.array(
    z.object({
      scanned_at: z.iso.datetime(),
      replaced_id: nullableText.openapi({
        description: 'the id on the tag that was scanned, if the code had another one by then',
      }),
    }),
  ),
  lost_periods: z
    .array(
      z.object({
        since: z.iso.datetime(),
        until: z.iso.datetime().nullable(),
        total_scans: z.int(),
      }),
    )
    .openapi({ description: 'when the code was lost, newest first; until is null while it is' }),
})

const pin = z
  .string(refusing('invalid.pin'))
  .trim()
  .transform(asciiDigits)
  .superRefine(follows(pinProblem))
  .openapi({ pattern: '^\\d{4,6}$' })

export const getScan = publicCall('getScan', 'View a code as a finder', {
  get: '/{qr_id}',
  200: answer('What a finder may see; counted as a scan', publicScan),
})
export const getPopup = publicCall(
  'getScanPopup',
  'Get what finders see before the contact details',
  { get: '/{qr_id}/popup', 200: answer('What finders see before the contact page', popup) },
)
export const unlock = publicCall('unlockScan', 'Unlock the private details with the PIN', {
  post: '/{qr_id}/unlock',
  body: jsonBody(z.object({ pin }), { pin: '4711' }),
  200: answer('The private details', privateFields),
})
export const getAnalytics = ownerCall('getScanAnalytics', 'Count the scans of a code', {
  get: '/{qr_id}/analytics',
  query: z.object({ limit: pageFields.limit.openapi({ default: RECENT_SCANS }) }),
  200: answer("The code's scans", analytics),
  problems: [409],
})
