import { z } from '@hono/zod-openapi'
import { PASSWORD_MIN } from '#domain/accounts/registration.ts'
import { CLAIM_FIELDS, claimProblem, cleanClaim } from '#domain/codes/claim.ts'
import { LOST_LENGTHS } from '#domain/codes/lost.ts'
import { cleanQrFields, QR_FIELDS, type QrField, qrFieldsProblem } from '#domain/codes/qr.ts'
import {
  CHILD_DETAILS,
  CONTACT_TYPES,
  childRegistrationProblem,
  cleanChildDetails,
} from '#domain/families/child-registration.ts'
import { LENGTHS } from '#domain/text.ts'
import { confirm_password, contactForm, newPassword } from '#routes/_http/accounts/forms.ts'
import { choiceFields } from '#routes/_http/codes/choice-fields.ts'
import { anyText, choice, flag, follows, payload, requires, text } from '#routes/_http/schema.ts'

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

/** A code with its owner's details. */
export const newQrCode = requires(payload({ ...typedFields, ...choiceFields }), {
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
  return anyText(label)
    .nullish()
    .openapi({ description: label, maxLength: max, ...FORMS[name] })
}

/** Both texts are left out when a code is found again. */
export const lostForm = payload({
  lost: flag('lost'),
  note: text('note', LOST_LENGTHS.note),
  reward: text('reward', LOST_LENGTHS.reward),
})

const qr_id = text('qr_id').transform((typed) => typed ?? '')

export const claimForm = requires(
  payload({
    qr_id,
    activation_code: text('activation_code').openapi({
      description: 'where the code needs one; in any letter case and spacing',
    }),
    ...pick(CLAIM_FIELDS),
    ...choiceFields,
  }),
  {
    qr_id: 1,
    owner_name: 1,
    contact_phone: 1,
  },
)
  .transform(({ qr_id, activation_code, ...sent }) => ({
    qr_id,
    activationCode: activation_code,
    claim: cleanClaim(sent),
  }))
  .superRefine(follows(({ claim }) => claimProblem(claim)))

const contact_type = choice(CONTACT_TYPES, 'contact_type').transform((type) => type ?? 'mobile')

export const childForm = requires(
  payload({
    qr_id,
    name: text('name', LENGTHS.name),
    contact: text('contact'),
    contact_type,
    password: newPassword,
    confirm_password,
    adult: flag('adult')
      .optional()
      .openapi({ description: 'false: the owner of the code confirms as guardian first' }),
    ...pick(CHILD_DETAILS),
    ...choiceFields,
  }),
  { qr_id: 1, name: 1, contact: 1, password: PASSWORD_MIN },
)
  .transform(
    ({ qr_id, name, contact, contact_type, password, confirm_password, adult, ...sent }) => ({
      qr_id,
      name: name ?? '',
      contact: contact ?? '',
      contactType: contact_type,
      password,
      confirmPassword: confirm_password,
      adult,
      details: cleanChildDetails(sent),
    }),
  )
  .superRefine(follows(childRegistrationProblem))

export const forgotForm = requires(payload({ qr_id }), { qr_id: 1 }).and(contactForm)

function pick<N extends keyof typeof typedFields>(names: readonly N[]) {
  const entries = names.map((name) => [name, typedFields[name]])
  return Object.fromEntries(entries) as Pick<typeof typedFields, N>
}
