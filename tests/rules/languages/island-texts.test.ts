import { expect, test } from 'vitest'
import { LOGIN_REFUSALS } from '#components/accounts/login-form.tsx'
import {
  contactProblem,
  loginProblem,
  PASSWORD_REFUSALS,
  passwordProblem,
  registrationProblem,
  sendOtpProblem,
} from '#domain/accounts/registration.ts'
import { factorProblem } from '#domain/accounts/second-factor.ts'
import { CLAIM_FIELDS, HOLDER_REFUSALS } from '#domain/codes/claim.ts'
import { QR_FIELDS, QR_REFUSALS, type QrField, qrFieldProblem } from '#domain/codes/qr.ts'
import {
  CHILD_REFUSALS,
  childRegistrationProblem,
  cleanChildDetails,
} from '#domain/families/child-registration.ts'
import {
  DOCUMENT_FILES,
  FILE_REFUSALS,
  fileProblem,
  IMAGE_FILES,
} from '#domain/papers/file-kind.ts'
import { codeOf, type Refusal, type RefusalCode } from '#locales/refusal.ts'

const TYPED = ['', 'short', 'x'.repeat(3000)]

const ofFields = (names: readonly QrField[]) =>
  names.flatMap((name) => TYPED.map((typed) => qrFieldProblem(name, typed)))

const ofPasswords = TYPED.map((password) => passwordProblem({ password })).concat(
  passwordProblem({ password: 'secret', confirmPassword: 'other' }),
)

const ofLogin = TYPED.flatMap((text) => [
  contactProblem(text),
  factorProblem({ code: text }),
  loginProblem({ contact: 'asha', password: text }),
  registrationProblem({ name: text, password: 'secret', otp: text }),
  sendOtpProblem(text),
])

const ofChildren = TYPED.flatMap((text) => {
  const form = { name: 'Asha', contactType: 'mobile', contact: '98765 43210' } as const
  const details = cleanChildDetails({ emergency_contact_phone: text, public_message: text })
  const password = 'secret'
  return [
    childRegistrationProblem({ ...form, name: text, password, details }),
    childRegistrationProblem({ ...form, contact: text, password, details }),
    childRegistrationProblem({ ...form, contactType: 'email', contact: text, password, details }),
    childRegistrationProblem({ ...form, password: text, details }),
    childRegistrationProblem({ ...form, password, confirmPassword: text, details }),
    childRegistrationProblem({ ...form, password, details }),
  ]
})

const ofFiles = [DOCUMENT_FILES, IMAGE_FILES].flatMap((rule) =>
  ['a.png', 'a.txt'].map((name) => fileProblem({ name, type: '', size: 1e9 }, rule)),
)

test.each<[string, readonly RefusalCode[], (Refusal | undefined)[]]>([
  ['claim', HOLDER_REFUSALS, ofFields(CLAIM_FIELDS)],
  ['owner', QR_REFUSALS, ofFields(Object.keys(QR_FIELDS) as QrField[])],
  ['reset', PASSWORD_REFUSALS, ofPasswords],
  ['login', LOGIN_REFUSALS, [...ofLogin, ...ofPasswords]],
  ['child', CHILD_REFUSALS, [...ofChildren, 'invalid.age_missing']],
  ['upload', FILE_REFUSALS, [...ofFiles, 'invalid.no_file']],
])(
  'the form of %s has a text for each refusal of its rules, and no others',
  (_, codes, refusals) => {
    const found = refusals.flatMap((refusal) => (refusal ? [codeOf(refusal)] : []))
    expect([...new Set(found)].sort()).toEqual([...codes].sort())
  },
)
