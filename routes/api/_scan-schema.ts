import { createRoute, z } from '@hono/zod-openapi'
import { pinProblem } from '#domain/codes/qr.ts'
import { PUBLIC_SCAN_FIELDS, type PublicScanFields } from '#domain/scans/scan.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { answer, follows, jsonBody, ownerSecurity, problems } from '#routes/_http/schema.ts'

const nullableText = z.string().nullable()
const publicFields = Object.fromEntries(
  PUBLIC_SCAN_FIELDS.map((name) => [name, nullableText]),
) as Record<keyof PublicScanFields, typeof nullableText>

const qrInfo = z.object({
  qr_type: z.string(),
  is_claimed: z.boolean(),
  is_child_registered: z.boolean(),
})
const publicScan = qrInfo.extend({
  qr_id: z.string(),
  is_active: z.boolean(),
  has_pin: z.boolean(),
  ...publicFields,
})
const popup = z.object({
  qr_info: qrInfo,
  popup_images: z.array(z.object({ id: z.string(), url: z.string() })),
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
  recent_scans: z.array(z.object({ scanned_at: z.string() })),
})

const limitRule = 'Limit must be between 1 and 100'
const limit = z.coerce.number(limitRule).int(limitRule).min(1, limitRule).max(100, limitRule)
const pinRule = 'PIN must be 4 to 6 digits'
const pin = z.string(pinRule).trim().superRefine(follows(pinProblem))
const params = z.object({ qr_id: z.string() })

export const getScan = createRoute({
  method: 'get',
  path: '/{qr_id}',
  request: { params },
  responses: {
    200: answer('What a finder may see; counted as a scan', publicScan),
    ...problems(404),
  },
})
export const getPopup = createRoute({
  method: 'get',
  path: '/{qr_id}/popup',
  request: { params },
  responses: { 200: answer('What stands before the contact page', popup), ...problems(404) },
})
export const unlock = createRoute({
  method: 'post',
  path: '/{qr_id}/unlock',
  request: { params, body: jsonBody(z.object({ pin })) },
  responses: {
    200: answer('What the PIN opens', privateFields),
    ...problems(400, 403, 404, 429),
  },
})
export const getAnalytics = createRoute({
  method: 'get',
  path: '/{qr_id}/analytics',
  security: ownerSecurity,
  middleware: [signedIn],
  request: { params, query: z.object({ limit: limit.default(3) }) },
  responses: { 200: answer("The code's scans", analytics), ...problems(400, 401, 403, 404, 409) },
})
