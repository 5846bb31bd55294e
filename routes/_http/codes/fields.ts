import { z } from '@hono/zod-openapi'
import { cleanQrFields, QR_FIELDS, type QrField, qrFieldsProblem } from '#domain/codes/qr.ts'
import { CONTACT_MODES, NOT_A_CONTACT_MODE } from '#domain/codes/visibility.ts'
import { flag, follows, notAnObject, requires } from '#routes/_http/schema.ts'

export const FIELD_NAMES = Object.keys(QR_FIELDS) as QrField[]

/** Further constraints. The first two fields cannot be cleared. */
const FORMS: Partial<Record<QrField, object>> = {
  owner_name: { type: 'string', minLength: 1 },
  contact_phone: { type: 'string', minLength: 1 },
  email: { format: 'email' },
  insurance_expiry_date: { format: 'date' },
  next_service_due: { format: 'date' },
  optional_pin: { pattern: '^\\d{4,6}$' },
}

/** The schemas of a code's fields, by name. */
export const typedFields = Object.fromEntries(
  FIELD_NAMES.map((name) => [name, typedField(name)]),
) as Record<QrField, ReturnType<typeof typedField>>

/** The schemas of what the owner of a code decides about its page. */
export const visibilityFields = {
  contact_mode: z.enum(CONTACT_MODES, { error: NOT_A_CONTACT_MODE }).optional().openapi({
    description: 'relay: finders write first, and phone and email stay hidden',
  }),
  show_vehicle: flag('show_vehicle').optional(),
  show_city: flag('show_city').optional(),
}

/** A code with its owner's details. */
export const newQrCode = requires(z.object({ ...typedFields, ...visibilityFields }, notAnObject), {
  owner_name: 1,
  contact_phone: 1,
})
  .transform(cleanQrFields)
  .superRefine(follows(qrFieldsProblem))

/** While a code is lost. */
export const lost = z.object({
  since: z.iso.datetime(),
  note: z.string().nullable(),
  reward: z.string().nullable(),
})

/** Only the type is checked here. The rules and their messages are in `domain`. */
function typedField(name: QrField) {
  const { label, max } = QR_FIELDS[name]
  return z
    .string({ error: `${label} must be text` })
    .nullish()
    .openapi({ description: label, maxLength: max, ...FORMS[name] })
}
