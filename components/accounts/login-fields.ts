import { type About, type PlacedProblem, placeBy } from '#components/forms/place-problem.ts'

export type LoginField =
  | 'email'
  | 'contact'
  | 'name'
  | 'confirm_password'
  | 'otp'
  | 'password'
  | 'code'

const ABOUT: About<LoginField> = [
  [/^An account with/, 'email'],
  [/email or mobile number|^contact /, 'contact'],
  [/email address|^email /, 'email'],
  [/name/i, 'name'],
  [/^Passwords do not match/, 'confirm_password'],
  [/^That code|6-digit code/, 'code'],
  [/OTP/, 'otp'],
  [/password/i, 'password'],
]

/** Puts a refusal beside its field, if the form has it. */
export function placeProblem(
  problem: string | undefined,
  fields: LoginField[],
  say?: (problem: string) => string,
): PlacedProblem<LoginField> {
  return placeBy(ABOUT, problem, { isInForm: (field) => fields.includes(field), say })
}
