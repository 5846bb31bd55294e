import { z } from '@hono/zod-openapi'
import type { TypedFactor } from '#db/accounts/second-factors.ts'
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
} from '#db/passkeys/ceremonies.ts'
import { passkeyNameProblem } from '#domain/accounts/passkey.ts'
import { cleanOtp, OTP_LENGTH, stripOtp } from '#domain/accounts/registration.ts'
import { factorProblem, type TypedCodes } from '#domain/accounts/second-factor.ts'
import { DomainError } from '#domain/error.ts'
import { LENGTHS } from '#domain/text.ts'
import {
  anyText,
  flag,
  follows,
  mustBe,
  payload,
  requires,
  secret,
  text,
  tooLong,
} from '#routes/_http/schema.ts'

const LONGEST = 8000
const encoded = (name: string) => anyText(name).max(LONGEST, tooLong(name))

const answered = {
  id: encoded('id'),
  rawId: encoded('rawId'),
  type: z.literal('public-key', mustBe('type', 'public-key')),
  authenticatorAttachment: encoded('authenticatorAttachment').nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
}

const created = {
  ...answered,
  response: z.object(
    {
      clientDataJSON: encoded('clientDataJSON'),
      attestationObject: encoded('attestationObject'),
      authenticatorData: encoded('authenticatorData').nullish(),
      transports: z.array(z.string().max(20)).max(10).nullish(),
      publicKeyAlgorithm: z.number().nullish(),
      publicKey: encoded('publicKey').nullish(),
    },
    'response must be an object',
  ),
}

/** A browser's answer by an existing passkey: the JSON of @simplewebauthn. */
export const passkeyAnswer = payload({
  ...answered,
  response: z.object(
    {
      clientDataJSON: encoded('clientDataJSON'),
      authenticatorData: encoded('authenticatorData'),
      signature: encoded('signature'),
      userHandle: encoded('userHandle').nullish(),
    },
    'response must be an object',
  ),
}).transform((answer) => answer as AuthenticationResponseJSON)

const name = { name: text('name', LENGTHS.name) }
const named = follows(({ name }: { name: string | null }) => passkeyNameProblem(name))

/** A browser's answer with a new passkey, and the name of the passkey. */
export const newPasskey = requires(payload({ ...name, ...created }), { name: 1 })
  .superRefine(named)
  .transform(({ name, ...answer }) => ({
    name: name as string,
    answer: answer as RegistrationResponseJSON,
  }))

export const passkeyName = requires(payload(name), { name: 1 })
  .superRefine(named)
  .transform(({ name }) => ({ name: name as string }))

/** Parses the answer in the field of a form, for the schema of the call. Throws invalid. */
export function readAnswer(field: string | undefined): unknown {
  if (!field) return undefined
  try {
    return JSON.parse(field)
  } catch {
    throw new DomainError('invalid.passkey')
  }
}

/** The proofs of a second factor, in place of a password. */
export const shownFactor = {
  code: text('code', 20).openapi({ description: 'of the authenticator app, in place of it' }),
  passkey: passkeyAnswer.optional().openapi({ description: 'its answer, in place of it' }),
}

/** The proofs of a confirmation. */
export const shownForm = z.object({ password: secret('password'), ...shownFactor })

/** A one-time code. */
export const otp = text('otp')
  .transform((typed) => typed && cleanOtp(typed))
  .openapi({ description: 'six digits; spaces and dashes do not count' })

const code = text('code', 20).transform((typed) => stripOtp(typed ?? ''))

/** A code of an authenticator app. */
export const factorCode = requires(payload({ code }), {
  code: OTP_LENGTH,
}).superRefine(follows(({ code }) => factorProblem({ code })))

/** The second step of a sign-in: a code of the app or a recovery code. */
export const secondFactor = requires(
  payload({
    ticket: text('ticket'),
    code: text('code', 20),
    recovery_code: text('recovery_code', 40).openapi({ description: 'in place of code' }),
    trust: flag('trust').optional().openapi({ description: 'skip the code here for 30 days' }),
  }),
  { ticket: 1 },
)
  .superRefine(follows(factorProblem))
  .transform(({ ticket, code, recovery_code, trust = false }) => ({
    ticket: ticket ?? '',
    typed: toTypedFactor({ code, recovery_code }),
    trust,
  }))

/** A code of the app, unless a recovery code was typed. */
function toTypedFactor({ code, recovery_code }: TypedCodes): TypedFactor {
  return recovery_code ? { recoveryCode: recovery_code } : { code: stripOtp(code ?? '') }
}
