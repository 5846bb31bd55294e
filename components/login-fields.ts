type Field = 'email' | 'contact' | 'name' | 'confirm_password' | 'otp' | 'password'

/** Which field a sentence of the rules or of the server is about; the first that fits. */
const ABOUT: [RegExp, Field][] = [
  [/^An account with/, 'email'],
  [/email or mobile number|^contact /, 'contact'],
  [/email address|^email /, 'email'],
  [/name/i, 'name'],
  [/^Passwords do not match/, 'confirm_password'],
  [/OTP/, 'otp'],
  [/password/i, 'password'],
]

export type PlacedProblem = { at: Partial<Record<Field, string>>; elsewhere?: string }

/** Puts a refusal beside its field, if the form has it. */
export function placeProblem(problem: string | undefined, fields: Field[]): PlacedProblem {
  if (!problem) return { at: {} }
  const field = ABOUT.find(([pattern]) => pattern.test(problem))?.[1]
  return field && fields.includes(field)
    ? { at: { [field]: problem } }
    : { at: {}, elsewhere: problem }
}
