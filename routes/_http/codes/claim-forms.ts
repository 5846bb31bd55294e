import { z } from '@hono/zod-openapi'
import { PASSWORD_MIN } from '#domain/accounts/registration.ts'
import { CLAIM_FIELDS, claimProblem, cleanClaim } from '#domain/codes/claim.ts'
import {
  CHILD_DETAILS,
  CONTACT_TYPES,
  childRegistrationProblem,
  cleanChildDetails,
} from '#domain/families/child-registration.ts'
import { LENGTHS } from '#domain/text.ts'
import { confirm_password, contactForm, newPassword } from '#routes/_http/accounts/forms.ts'
import { typedFields, visibilityFields } from '#routes/_http/codes/fields.ts'
import { choice, flag, follows, notAnObject, requires, text } from '#routes/_http/schema.ts'

const qr_id = text('qr_id').transform((typed) => typed ?? '')

export const claimForm = requires(
  z.object(
    {
      qr_id,
      activation_code: text('activation_code').openapi({
        description: 'where the code needs one; in any letter case and spacing',
      }),
      ...pick(CLAIM_FIELDS),
      ...visibilityFields,
    },
    notAnObject,
  ),
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

const contact_type = choice(CONTACT_TYPES, 'contact_type must be mobile or email').transform(
  (type) => type ?? 'mobile',
)

export const childForm = requires(
  z.object(
    {
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
      ...visibilityFields,
    },
    notAnObject,
  ),
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

export const forgotForm = requires(z.object({ qr_id }, notAnObject), { qr_id: 1 }).and(contactForm)

function pick<N extends keyof typeof typedFields>(names: readonly N[]) {
  const entries = names.map((name) => [name, typedFields[name]])
  return Object.fromEntries(entries) as Pick<typeof typedFields, N>
}
