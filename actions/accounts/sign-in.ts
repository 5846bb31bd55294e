import { aboutNewDevice } from '#actions/accounts/security-alerts.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { findAccountByContact } from '#db/accounts/accounts.ts'
import { assertMaySignIn, findAccountByLostEmail } from '#db/accounts/address-proof.ts'
import { findWays } from '#db/accounts/factor-state.ts'
import type { NewSession, Session, Use } from '#db/accounts/sessions.ts'
import { openTicket } from '#db/accounts/sign-in-tickets.ts'
import { isTrustedDevice } from '#db/accounts/trusted-devices.ts'
import {
  endConsecutiveGuesses,
  type Guesser,
  removeGuess,
  type TakenGuess,
  takeGuess,
  toGuessSource,
} from '#db/accounts/wrong-guesses.ts'
import type { Account, GuessKind } from '#db/schema.ts'
import { verifyPassword } from '#db/secrets.ts'
import { contactText, normalizeEmail, parseContact } from '#domain/accounts/contact.ts'
import type { GuessWait } from '#domain/accounts/guesses.ts'
import type { FactorWay } from '#domain/accounts/second-factor.ts'
import { tooMany } from '#domain/rate-counters.ts'
import type { Device } from '#mail/account-notices.ts'

/** Returns the typed contact in normal form, and its account, if any. */
export async function findLogin(
  { db }: ActionDeps,
  typed: string,
): Promise<{ contact: string; account: Account | undefined }> {
  const parsed = parseContact(typed)
  const account = await findAccountByContact(db, parsed)
  // One form for all spellings of a number, so that guesses are counted together.
  const contact = account?.mobile && parsed?.kind === 'mobile' ? account.mobile : undefined
  return { contact: contact ?? (parsed ? contactText(parsed) : normalizeEmail(typed)), account }
}

/** `next` is the wait before the next try, if there is one. */
type PasswordTry = { account: Account } | { account: undefined; next: GuessWait | undefined }

/** `queueKeys` are the keys of the queue for hashing. */
export type TypedPassword = { password: string; guesser: Guesser; queueKeys: string[] }

/** Checks a password. Counts it as a wrong guess before, and takes a right one back. Throws too_many. */
export async function tryPassword(
  deps: ActionDeps,
  account: Account | undefined,
  { password, guesser, queueKeys }: TypedPassword,
): Promise<PasswordTry> {
  let guess: TakenGuess | undefined
  const hash = account?.password_hash ?? null
  const matches = await verifyPassword(hash, password, queueKeys, async (verify) => {
    guess = await countGuess(deps, guesser, 'password')
    const isRight = await verify()
    // Removed before the next turn begins: otherwise many right passwords at once would count as wrong ones.
    if (isRight && guess) await removeGuess(deps.db, guess.n)
    return isRight
  })
  return account && matches ? { account } : { account: undefined, next: guess?.next }
}

/**
 * Returns the login id of the account that lost the address `contact` to its owner, if the password is right: the
 * user of that account may still type the address. The caller has counted the guess. The
 * work is the same for every contact: otherwise its time would show which addresses were lost.
 */
export async function findLostLogin(
  { db }: ActionDeps,
  contact: string,
  { password, queueKeys }: Omit<TypedPassword, 'guesser'>,
): Promise<string | undefined> {
  const account = await findAccountByLostEmail(db, contact)
  const loginId = account?.login_id
  const hash = loginId ? account.password_hash : null
  const isRight = await verifyPassword(hash, password, queueKeys)
  return isRight ? (loginId ?? undefined) : undefined
}

/** Counts a guess before `check`, and takes it back when `check` resolves. Throws too_many, and the errors of `check`. */
export async function checkGuess<T>(
  deps: ActionDeps,
  guesser: Guesser,
  kind: GuessKind,
  check: () => Promise<T>,
): Promise<T> {
  const guess = await countGuess(deps, guesser, kind)
  const right = await check()
  if (guess) await removeGuess(deps.db, guess.n)
  return right
}

async function countGuess(
  { config, db, secretKey, clock }: ActionDeps,
  guesser: Guesser,
  kind: GuessKind,
) {
  if (!config.rateLimits) return undefined
  const guess = await takeGuess(db, toGuessSource(secretKey, guesser, kind), clock())
  if ('wait' in guess) throw tooMany(guess.wait.retryAfter)
  return guess
}

/** Ends the run of consecutive wrong guesses, after all checks. Throws forbidden for an account that may not sign in. */
export async function admitAccount(
  { db, secretKey }: ActionDeps,
  account: Account,
  guesser: Guesser,
): Promise<void> {
  await endConsecutiveGuesses(db, secretKey, guesser)
  await assertMaySignIn(db, account)
}

/** A sign-in that waits for its second factor: its ticket and the accepted factors. */
export type HalfSignedIn = { ticket: string; ways: FactorWay[] }

/**
 * Returns a ticket for the second step after the right password or one-time code, if the account has a second
 * factor and the device is not trusted. Throws forbidden for an account that may not sign in.
 */
export async function askSecondFactor(
  { db, clock }: ActionDeps,
  account: Account,
  deviceId: string | undefined,
): Promise<HalfSignedIn | undefined> {
  const ways = await findWays(db, account.id)
  if (ways.length === 0) return undefined
  await assertMaySignIn(db, account)
  const now = clock()
  if (deviceId && (await isTrustedDevice(db, account.id, deviceId, now))) return undefined
  return { ticket: await openTicket(db, account.id, now), ways }
}

/** The browser or program of a sign-in. */
type SignInPlace = {
  /** the browser's earlier session */
  earlier: Session | undefined
  from: Device
  /** whether the account has signed in there before */
  isKnown: boolean
  /** identifies a program that keeps no cookie; undefined for a browser */
  programHash: string | undefined
  /** uses up the credential of the sign-in */
  use: Use | undefined
}

/**
 * Starts a session for an admitted account, and ends the browser's earlier one. Alerts the account of a new
 * device, and of each program once.
 */
export async function startSession(
  deps: ActionDeps,
  account: Account,
  { earlier, from, isKnown, programHash, use }: SignInPlace,
): Promise<NewSession> {
  const { sessions } = deps
  const notify = isKnown ? undefined : aboutNewDevice(deps, from)
  const session = await sessions.start(account, { use, notify, programHash, ...from })
  if (earlier) await sessions.end(earlier.id)
  return session
}
