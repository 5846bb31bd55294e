/** A JSON Schema, as far as the description uses it. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  maxLength?: number
  format?: string
  description?: string
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

/** What stands in examples, by the name of a field. */
const SAMPLES: Record<string, unknown> = {
  action: 'approve',
  city_area: 'Pune',
  code: 'DIWALI',
  contact: 'asha@example.in',
  contact_phone: '98765 43210',
  content: 'We are closed on Sunday.',
  email: 'asha@example.in',
  expires_at: '2030-12-31T18:29:00.000Z',
  expiry_date: '2030-12-31T18:29:00.000Z',
  max_uses: 100,
  name: 'Asha Patil',
  notes: 'Paid today',
  otp: '123456',
  owner_name: 'Asha Patil',
  password: 'correct horse',
  payment_method: 'UPI',
  payment_reference: '432198765012',
  pin: '4711',
  promo_code: 'DIWALI',
  qr_id: '7K3MQ9WD4XTP',
  quantity: 10,
  recipient: 'ravi@example.in',
  title: 'Closed on Sunday',
  vehicle_registration: 'MH12QX4827',
}

/** What a call's example has besides, or instead. */
const OF_CALLS: Record<string, Record<string, unknown>> = {
  'POST /api/qr/child-register': { contact_type: 'email' },
  'POST /api/admin/promo-codes': { subscription_plan: 'premium', usage_limit: 100 },
  'POST /api/admin/upgrade-requests/{id}/reject': { action: 'reject' },
}

export function payloadOf(call: string, schema: Schema): object {
  return { ...(sampleOf(schema) as object), ...OF_CALLS[call] }
}

/** A payload of so few fields is shown whole. */
const FEW_FIELDS = 6
/** Of one with more, what is required, or so many that show how the others are sent. */
const SHOWN_FIELDS = 3
/** A form's, not a program's. */
const LEFT_OUT = 'confirm_password'

/** A value that could be sent. */
function sampleOf(schema: Schema, name = ''): unknown {
  const { properties, required = [], allOf } = schema
  if (allOf) return Object.assign({}, ...allOf.map((part) => sampleOf(part)))
  if (properties) {
    const names = Object.keys(properties).filter((each) => each !== LEFT_OUT)
    const some = required.length > 0 ? required : names.slice(0, SHOWN_FIELDS)
    const shown = names.length <= FEW_FIELDS ? names : some
    return Object.fromEntries(shown.map((each) => [each, sampleOf(properties[each] ?? {}, each)]))
  }
  if (schema.items) return [sampleOf(schema.items)]
  return schema.const ?? SAMPLES[name] ?? schema.enum?.[0] ?? schema.default ?? plainSample(schema)
}

function plainSample({ type, minimum }: Schema): unknown {
  const types = [type].flat()
  if (types.includes('boolean')) return true
  return types.includes('integer') || types.includes('number') ? (minimum ?? 1) : '…'
}
