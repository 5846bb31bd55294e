import { z } from '@hono/zod-openapi'
import {
  cleanQrFields,
  QR_FIELDS,
  type QrField,
  qrFieldProblem,
  qrFieldsProblem,
} from '#domain/codes/qr.ts'
import { flag, follows, requires, text } from '#routes/_http/schema.ts'

const nullable = z.string().nullable()

/** A code as its owner sees it. */
export const qrCode = z
  .object({
    id: z.string(),
    qr_id: z.string(),
    qr_type: z.enum(['normal', 'child']),
    owner_id: z.string(),
    owner_name: nullable,
    contact_phone: nullable,
    email: nullable,
    city_area: nullable,
    emergency_contact_name: nullable,
    emergency_contact_phone: nullable,
    blood_group: nullable,
    vehicle_registration: nullable,
    vehicle_make_model: nullable,
    driving_license_number: nullable,
    insurance_policy_number: nullable,
    insurance_expiry_date: nullable,
    next_service_due: nullable,
    company_fleet_name: nullable,
    notes_instructions: nullable,
    public_message: nullable,
    has_pin: z.boolean(),
    is_active: z.boolean(),
    is_claimed: z.boolean(),
    is_child_registered: z.boolean(),
    is_claimed_away: z.boolean().openapi({
      description: 'claimed by somebody who has no account yet: not yours to change',
    }),
    claim_undo_until: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'until when you may undo that claim' }),
    child_name: nullable.openapi({ description: 'the child user who registered the code' }),
    scan_count: z.int(),
    document_count: z.int(),
    qr_image: z.string().openapi({ description: 'a PNG in base64' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .openapi('QrCode')

export const batch = z.object({ created_count: z.int(), qr_codes: z.array(qrCode) })

export const params = z.object({ qr_id: z.string() })

/** What more there is to say of some: the first two may not be taken back. */
const FORMS: Partial<Record<QrField, object>> = {
  owner_name: { type: 'string', minLength: 1 },
  contact_phone: { type: 'string', minLength: 1 },
  email: { format: 'email' },
  insurance_expiry_date: { format: 'date' },
  next_service_due: { format: 'date' },
  optional_pin: { pattern: '^\\d{4,6}$' },
}

const names = Object.keys(QR_FIELDS) as QrField[]
export const typedFields = Object.fromEntries(
  names.map((name) => [name, typedField(name)]),
) as Record<QrField, ReturnType<typeof typedField>>

/** Its rules are the domain's, which words them for the form as well. */
function typedField(name: QrField) {
  const { label, max } = QR_FIELDS[name]
  return z
    .string({ error: `${label} must be text` })
    .nullish()
    .openapi({ description: label, maxLength: max, ...FORMS[name] })
}

export const notAnObject = { error: 'The request must be a JSON object' }

export const newQrCode = requires(z.object(typedFields, notAnObject), {
  owner_name: 1,
  contact_phone: 1,
})
  .transform(cleanQrFields)
  .superRefine(follows(qrFieldsProblem))

/** Only what is sent is changed, so only what is sent is looked at. */
export const qrChange = z
  .object(
    {
      ...typedFields,
      is_active: flag('is_active').optional(),
      updated_at: z.string({ error: 'updated_at must be text' }).optional().openapi({
        format: 'date-time',
        maxLength: 30,
        description: 'the value last seen: the change is refused if it is another',
      }),
    },
    notAnObject,
  )
  .transform(({ is_active, updated_at, ...sent }) => ({
    fields: cleanQrFields(sent),
    is_active,
    updated_at,
  }))
  .superRefine(follows(({ fields }) => sentFieldsProblem(fields)))

function sentFieldsProblem(fields: ReturnType<typeof cleanQrFields>): string | undefined {
  const sent = names.filter((name) => fields[name] !== undefined)
  return sent.map((name) => qrFieldProblem(name, fields[name])).find((problem) => problem)
}

export const quantity = z.object(
  {
    quantity: z
      .unknown()
      .optional()
      .openapi({ type: 'integer', minimum: 1, maximum: 50, default: 10 }),
  },
  notAnObject,
)

const PAGE_SIZE = 20
const LONGEST_PAGE = 100
const LAST_PAGE = 1_000_000

/** Which part of a list somebody asks for. */
export const pageFields = {
  page: wholeNumber('page', LAST_PAGE),
  limit: wholeNumber('limit', LONGEST_PAGE),
  search: text('search').openapi({ type: 'string' }),
}

/** Without page and limit the answer holds everything. */
export function toPage<T extends { page?: number | undefined; limit?: number | undefined }>({
  page,
  limit,
  ...rest
}: T) {
  if (page === undefined && limit === undefined) return rest
  const size = limit ?? PAGE_SIZE
  return { ...rest, limit: size, offset: ((page ?? 1) - 1) * size }
}

export const pageQuery = z.object(pageFields).transform(toPage)

function wholeNumber(name: string, most: number) {
  const error = `${name} must be a whole number from 1 on`
  return z
    .string({ error })
    .regex(/^(?:[1-9]\d*)?$/, error)
    .transform((digits) => (digits ? Math.min(Number(digits), most) : undefined))
    .optional()
    .openapi({ type: 'integer', minimum: 1, maximum: most })
}
