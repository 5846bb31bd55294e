import { z } from '@hono/zod-openapi'
import { cleanQrFields, QR_COLUMNS, type QrColumn, qrFieldProblem } from '#domain/codes/qr.ts'
import { CONTACT_MODES, THINGS } from '#domain/codes/visibility.ts'
import { ACCESSES } from '#domain/people/roles.ts'
import type { Refusal } from '#locales/refusal.ts'
import { choiceFields } from '#routes/_http/codes/choice-fields.ts'
import { FIELD_NAMES, lost, typedFields } from '#routes/_http/codes/forms.ts'
import { anyText, flag, follows, payload } from '#routes/_http/schema.ts'
import { ownerId } from '#routes/api/_owner-id.ts'

const nullable = z.string().nullable()
const ownFields = Object.fromEntries(QR_COLUMNS.map((name) => [name, nullable])) as Record<
  QrColumn,
  typeof nullable
>

/** A code as its owner sees it. */
export const qrCode = z
  .object({
    id: z.string(),
    qr_id: z.string(),
    qr_type: z.enum(['normal', 'child']),
    owner_id: z.string(),
    access: z.enum(ACCESSES).openapi({ description: 'how you have the code' }),
    ...ownFields,
    contact_mode: z.enum(CONTACT_MODES),
    thing: z.enum(THINGS),
    show_vehicle: z.boolean(),
    show_city: z.boolean(),
    lost: lost.nullable(),
    has_pin: z.boolean(),
    is_active: z.boolean(),
    is_claimed: z.boolean(),
    is_child_registered: z.boolean(),
    is_claimed_away: z.boolean().openapi({
      description: 'claimed by somebody without an account: you cannot change it',
    }),
    claim_undo_until: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'until when you may undo that claim' }),
    child_name: nullable.openapi({ description: 'the child user who registered the code' }),
    needs_activation: z.boolean().openapi({
      description: 'unclaimed, and claimed only with its activation code',
    }),
    replaces: z
      .array(z.string())
      .openapi({ description: 'the ids that it had before, newest first' }),
    scan_count: z.int(),
    document_count: z.int(),
    qr_image: z.string().openapi({ description: 'a PNG in base64' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('QrCode')

export const batch = z.object({ created_count: z.int(), qr_codes: z.array(qrCode) })

export const activationCode = z.string().openapi({ description: 'told here alone' })

export const activatedBatch = batch.extend({
  qr_codes: z.array(qrCode.extend({ activation_code: activationCode.optional() })),
})

/** Only the fields that were sent are changed and checked. */
export const qrChange = payload({
  ...typedFields,
  ...choiceFields,
  is_active: flag('is_active').optional(),
  updated_at: anyText('updated_at').optional().openapi({
    format: 'date-time',
    maxLength: 30,
    description: 'the value last seen: the change is refused if it differs',
  }),
})
  .transform(({ is_active, updated_at, ...sent }) => ({
    fields: cleanQrFields(sent),
    is_active,
    updated_at,
  }))
  .superRefine(follows(({ fields }) => sentFieldsProblem(fields)))

function sentFieldsProblem(fields: ReturnType<typeof cleanQrFields>): Refusal | undefined {
  const sent = FIELD_NAMES.filter((name) => fields[name] !== undefined)
  return sent.map((name) => qrFieldProblem(name, fields[name])).find((problem) => problem)
}

export const quantity = payload({
  owner_id: ownerId,
  quantity: z
    .unknown()
    .optional()
    .openapi({ type: 'integer', minimum: 1, maximum: 50, default: 10 }),
})

export const bulkOrder = quantity.extend({
  activation: flag('activation').nullish().openapi({
    description: 'gives each code an activation code, without which nobody claims it',
  }),
})
