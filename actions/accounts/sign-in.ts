import { aboutNewDevice } from '#actions/accounts/security-alerts.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { findAccountByContact } from '#db/accounts/accounts.ts'
import { assertMaySignIn, findLoser } from '#db/accounts/address-proof.ts'
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

/** `next` is the wait after a wrong password. */
type PasswordTry = { account: Account } | { account: undefined; next: GuessWait | undefined }

export type Typed = { password: string; guesser: Guesser; turn: string[] }

/** Checks a password. It is counted as a wrong guess before it is checked. Throws too_many. */
export async function tryPassword(
  deps: ActionDeps,
  account: Account | undefined,
  { password, guesser, turn }: Typed,
): Promise<PasswordTry> {
  let guess: TakenGuess | undefined
  const hash = account?.password_hash ?? null
  const matches = await verifyPassword(hash, password, turn, async (verify) => {
    guess = await countGuess(deps, guesser, 'password')
    const isRight = await verify()
    // In the same turn: of right ones at once no more stand among the wrong ones than have theirs.
    if (isRight && guess) await removeGuess(deps.db, guess.n)
    return isRight
  })
  return account && matches ? { account } : { account: undefined, next: guess?.next }
}

/**
 * Returns the login id of the account that lost an address, for its password: its holder would type that address on
 * a new device. The guess was counted before.
 */
export async function findLostLogin(
  { db }: ActionDeps,
  contact: string,
  { password, turn }: Omit<Typed, 'guesser'>,
): Promise<string | undefined> {
  const loser = await findLoser(db, contact)
  if (!loser?.login_id) return undefined
  return (await verifyPassword(loser.password_hash, password, turn)) ? loser.login_id : undefined
}

/** Counts a guess before it is checked, and no more when it was right. Throws too_many. */
export async function takeRightGuess<T>(
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

/** Resets the row of wrong guesses after all checks. Throws forbidden for an account that may not sign in. */
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

/** Whence an account is signed in to. */
type Place = {
  /** the browser's earlier session */
  earlier: Session | undefined
  from: Device
  /** whether the account was signed in to there before */
  isKnown: boolean
  /** of a new device that is a program's */
  programHash: string | undefined
  /** consumed by the sign-in */
  use: Use | undefined
}

/**
 * Opens a new session for an admitted account; the browser's earlier one ends. It is alerted of a new
 * device, and of a program once.
 */
export async function startSession(
  deps: ActionDeps,
  account: Account,
  { earlier, from, isKnown, programHash, use }: Place,
): Promise<NewSession> {
  const { sessions } = deps
  const notify = isKnown ? undefined : aboutNewDevice(deps, from)
  const session = await sessions.start(account, { use, notify, programHash, ...from })
  if (earlier) await sessions.end(earlier.id)
  return session
}
