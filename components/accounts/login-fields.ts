import { type About, type PlacedProblem, placeBy } from '#components/codes/place-problem.ts'

type Field = 'email' | 'contact' | 'name' | 'confirm_password' | 'otp' | 'password'

const ABOUT: About<Field> = [
  [/^An account with/, 'email'],
  [/email or mobile number|^contact /, 'contact'],
  [/email address|^email /, 'email'],
  [/name/i, 'name'],
  [/^Passwords do not match/, 'confirm_password'],
  [/OTP/, 'otp'],
  [/password/i, 'password'],
]

/** Puts a refusal beside its field, if the form has it. */
export function placeProblem(problem: string | undefined, fields: Field[]): PlacedProblem<Field> {
  return placeBy(ABOUT, problem, (field) => fields.includes(field))
}
