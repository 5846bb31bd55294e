import { z } from '@hono/zod-openapi'
import { QR_FIELDS, type QrField } from '#domain/codes/qr.ts'

export const FIELD_NAMES = Object.keys(QR_FIELDS) as QrField[]

/** The fields of a code as payloads name them. */
export const typedFields = Object.fromEntries(
  FIELD_NAMES.map((name) => [name, typedField(name)]),
) as Record<QrField, ReturnType<typeof typedField>>

/** Its rules are the domain's, which words them for the form as well. */
function typedField(name: QrField) {
  const { label, max } = QR_FIELDS[name]
  return z
    .string({ error: `${label} must be text` })
    .nullish()
    .openapi({ description: label, maxLength: max })
}
