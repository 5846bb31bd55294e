import { z } from '@hono/zod-openapi'
import { pinProblem } from '#domain/qr.ts'
import { PUBLIC_SCAN_FIELDS, type PublicScanFields } from '#domain/scan.ts'
import { follows } from '#routes/_schema.ts'

const nullableText = z.string().nullable()
const publicFields = Object.fromEntries(
  PUBLIC_SCAN_FIELDS.map((name) => [name, nullableText]),
) as Record<keyof PublicScanFields, typeof nullableText>

const qrInfo = z.object({
  qr_type: z.string(),
  is_claimed: z.boolean(),
  is_child_registered: z.boolean(),
})
export const publicScan = qrInfo.extend({
  qr_id: z.string(),
  is_active: z.boolean(),
  has_pin: z.boolean(),
  ...publicFields,
})
export const popup = z.object({
  qr_info: qrInfo,
  popup_images: z.array(z.object({ id: z.string(), url: z.string() })),
  admin_messages: z.array(z.object({ id: z.string(), title: z.string(), content: z.string() })),
})
export const privateFields = z.object({
  driving_license_number: nullableText,
  insurance_policy_number: nullableText,
  insurance_expiry_date: nullableText,
  notes_instructions: nullableText,
})
export const analytics = z.object({
  total_scans: z.number().int(),
  recent_scans: z.array(z.object({ scanned_at: z.string() })),
})

const limitRule = 'Limit must be between 1 and 100'
export const limit = z.coerce.number(limitRule).int(limitRule).min(1, limitRule).max(100, limitRule)
const pinRule = 'PIN must be 4 to 6 digits'
export const pin = z.string(pinRule).trim().superRefine(follows(pinProblem))
