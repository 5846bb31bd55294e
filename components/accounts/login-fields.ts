import {
  type About,
  type PlacedProblem,
  type Problem,
  placeBy,
} from '#components/forms/place-problem.ts'

export type LoginField =
  | 'email'
  | 'contact'
  | 'name'
  | 'confirm_password'
  | 'otp'
  | 'password'
  | 'code'

const ABOUT: About<LoginField> = {
  'conflict.email_taken': 'email',
  'invalid.admin_password': 'password',
  'invalid.common_password': 'password',
  'invalid.contact_missing': 'contact',
  'invalid.email': 'email',
  'invalid.factor_code': 'code',
  'invalid.name_missing': 'name',
  'invalid.otp': 'otp',
  'invalid.otp_digits': 'otp',
  'invalid.password_long': 'password',
  'invalid.password_missing': 'password',
  'invalid.password_short': 'password',
  'invalid.passwords_differ': 'confirm_password',
  'invalid.your_email_missing': 'email',
  'invalid.your_password_missing': 'password',
  'too_many.otp': 'otp',
  'unauthenticated.password': 'password',
  'unauthenticated.second_factor': 'code',
  'unauthenticated.wrong_pair': 'password',
  // These are named by the schemas.
  contact: 'contact',
  email: 'email',
  name: 'name',
  Name: 'name',
  password: 'password',
}

/** Puts a refusal beside its field, if the form has it. */
export function placeProblem(
  problem: Problem | undefined,
  fields: LoginField[],
): PlacedProblem<LoginField> {
  return placeBy(ABOUT, problem, (field) => fields.includes(field))
}
