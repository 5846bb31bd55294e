import { asSecurityAlert } from '#actions/accounts/security-alerts.ts'
import { checkGuess } from '#actions/accounts/sign-in.ts'
import { alertOrigin, byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { newAppSecret } from '#db/accounts/authenticator-app.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import {
  beginApp,
  confirmApp,
  findBegunApp,
  removeApp,
  renewRecoveryCodes,
  type TypedFactor,
  useAppCode,
} from '#db/accounts/second-factors.ts'
import { passTicket } from '#db/accounts/sign-in-tickets.ts'
import { trustDevice } from '#db/accounts/trusted-devices.ts'
import type { Guesser } from '#db/accounts/wrong-guesses.ts'
import { findBrandForChild } from '#db/brands/resolve-brand.ts'
import type { Account } from '#db/schema.ts'
import { randomBits } from '#db/secrets.ts'
import { signInContact } from '#domain/accounts/contact.ts'
import {
  deadTicket,
  RECOVERY_CODES,
  recoveryCode,
  wrongCode,
} from '#domain/accounts/second-factor.ts'
import { PRODUCT } from '#domain/brands/brand.ts'
import { type Device, type FactorChange, factorMail } from '#mail/account-notices.ts'

/** Returns the names of the account and of the service in an authenticator app. */
async function nameInApp({ db, config, clock }: ActionDeps, account: Account) {
  const brand = await findBrandForChild(db, account, clock())
  const issuer = `${brand?.name ?? PRODUCT} (${new URL(config.publicUrl).host})`
  return { label: signInContact(account), issuer }
}

/** Begins the set-up of an authenticator app. Returns its secret, and the `otpauth:` URL that adds the secret to the app. */
export async function beginAuthenticator(
  deps: ActionDeps,
  account: Account,
  caller: Caller,
): Promise<{ secret: string; url: string }> {
  const { label, issuer } = await nameInApp(deps, account)
  const begun = await newAppSecret(label, issuer)
  await beginApp(deps.db, deps.secretKey, caller, begun.secret, deps.clock())
  return begun
}

/** Finds the set-up that waits for its first code. Returns its secret and URL, as `beginAuthenticator`. */
export async function findBegunAuthenticator(deps: ActionDeps, account: Account) {
  const app = { id: account.id, ...(await nameInApp(deps, account)) }
  return findBegunApp(deps.db, deps.secretKey, app, deps.clock())
}

type Confirmed = { code: string; guesser: Guesser; from: Device }

/** Turns the app on by its first code. Only this answer contains the recovery codes. Throws too_many, and the errors of `confirmApp`. */
export async function confirmAuthenticator(
  deps: ActionDeps,
  caller: Caller,
  { code, guesser, from }: Confirmed,
): Promise<string[]> {
  const { db, secretKey, clock } = deps
  const recoveryCodes = newRecoveryCodes()
  const notify = aboutFactor(deps, 'app-on', from)
  await checkGuess(deps, guesser, 'code', () =>
    confirmApp(db, secretKey, caller, { code, recoveryCodes }, clock(), notify),
  )
  return recoveryCodes
}

/** Removes the authenticator app of the caller's account. Throws not_found. */
export function removeAuthenticator(deps: ActionDeps, caller: Caller, from: Device): Promise<void> {
  return removeApp(deps.db, caller, aboutFactor(deps, 'app-off', from))
}

/** Replaces the recovery codes. Only this answer contains them. Throws not_found without a second factor. */
export async function makeRecoveryCodes(
  deps: ActionDeps,
  caller: Caller,
  from: Device,
): Promise<string[]> {
  const recoveryCodes = newRecoveryCodes()
  const notify = aboutFactor(deps, 'recovery-codes', from)
  await renewRecoveryCodes(deps.db, deps.secretKey, caller, recoveryCodes, deps.clock(), notify)
  return recoveryCodes
}

/** Returns different random recovery codes for an account. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(recoveryCode(randomBits(64)))
  return [...codes]
}

/** Returns the last step of a verb: it alerts an account of a change to its second factors. */
export function aboutFactor(deps: ActionDeps, change: FactorChange, from: Device) {
  return byAlert(deps, ({ accountId }: { accountId: string }) => {
    const letter = factorMail({ ...alertOrigin(deps), change, now: deps.clock(), ...from })
    return { accountId, ...asSecurityAlert(deps, letter) }
  })
}

/** Trusts the caller's device: its next sign-ins need no second factor. Throws unauthenticated. */
export function trustOwnDevice(
  deps: ActionDeps,
  caller: Caller,
  deviceId: string,
  from: Device,
): Promise<void> {
  const notify = aboutFactor(deps, 'device-trusted', from)
  return trustDevice(deps.db, caller, deviceId, deps.clock(), notify)
}

/** Checks the app's code of a signed-in account, and uses it up. Throws unauthenticated and too_many. */
export function requireFactor(
  deps: ActionDeps,
  accountId: string,
  { code, guesser }: { code: string; guesser: Guesser },
): Promise<void> {
  const { db, secretKey, clock } = deps
  return checkGuess(deps, guesser, 'code', () =>
    useAppCode(db, secretKey, accountId, code, clock()),
  )
}

type SecondStep = { typed: TypedFactor; guesser: Guesser; from: Device }

/** Returns the account of a ticket after checking its second factor. Throws unauthenticated and too_many. */
export function signInByFactor(
  deps: ActionDeps,
  ticket: string,
  { typed, guesser, from }: SecondStep,
): Promise<Account> {
  const { db, secretKey, clock } = deps
  const taken = { typed, notify: aboutFactor(deps, 'recovery-code-used', from) }
  return checkGuess(deps, guesser, 'code', async () => {
    const passed = await passTicket(db, secretKey, ticket, taken, clock())
    if (passed === 'dead') throw deadTicket()
    if (passed === 'wrong') throw wrongCode()
    return passed
  })
}
