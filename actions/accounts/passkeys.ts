import { aboutFactor, newRecoveryCodes } from '#actions/accounts/second-factors.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { getAccount } from '#db/accounts/accounts.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import type { Use } from '#db/accounts/sessions.ts'
import { findBrandForChild } from '#db/brands/resolve-brand.ts'
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
} from '#db/passkeys/ceremonies.ts'
import {
  creationOptions,
  isOwnChallenge,
  makeChallenge,
  type Purpose,
  type RelyingParty,
  readNewPasskey,
  readPasskeyAnswer,
  requestOptions,
} from '#db/passkeys/ceremonies.ts'
import {
  addPasskey,
  findPasskey,
  type ListedPasskey,
  listStoredPasskeys,
  removePasskey,
  type TakenAnswer,
  takePasskey,
} from '#db/passkeys/passkeys.ts'
import type { Account } from '#db/schema.ts'
import { randomBits } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { signInContact } from '#domain/accounts/contact.ts'
import { passkeyNotFound, wrongPasskey } from '#domain/accounts/passkey.ts'
import { PRODUCT } from '#domain/brands/brand.ts'
import type { Device } from '#mail/account-notices.ts'

function relyingPartyOf({ config }: ActionDeps): RelyingParty {
  const { hostname, origin } = new URL(config.publicUrl)
  return { rpId: hostname, origin }
}

function challengeFor({ secretKey, clock }: ActionDeps, purpose: Purpose, accountId = ''): string {
  const random = Buffer.from(randomBits(128)).toString('base64url')
  return makeChallenge(secretKey, { purpose, accountId }, random, clock())
}

function ownChallengeCheck({ secretKey, clock }: ActionDeps, purpose: Purpose, accountId = '') {
  return (challenge: string) =>
    isOwnChallenge(secretKey, { purpose, accountId }, challenge, clock())
}

/**
 * Returns the options for a new passkey of the account. They contain the name of the account's brand, because
 * the browser stores the passkey under it.
 */
export async function newPasskeyOptions(deps: ActionDeps, account: Account) {
  const { id, name } = account
  const known = await listStoredPasskeys(deps.db, id)
  const brand = await findBrandForChild(deps.db, account, deps.clock())
  const site = brand?.name ?? PRODUCT
  const wanted = { site, known, account: { id, name, label: signInContact(account) } }
  return creationOptions(relyingPartyOf(deps), wanted, challengeFor(deps, 'add', id))
}

type Made = { name: string; answer: RegistrationResponseJSON; from: Device }

/**
 * Adds the passkey of a browser's response. Returns the recovery codes, which no later call returns, if it is
 * the account's first factor. Throws unauthenticated for an invalid response, and conflict.
 */
export async function registerPasskey(
  deps: ActionDeps,
  caller: Caller,
  { name, answer, from }: Made,
): Promise<ListedPasskey & { recovery_codes: string[] }> {
  const { db, secretKey, clock } = deps
  const isOurs = ownChallengeCheck(deps, 'add', caller.accountId)
  const { challenge, ...passkey } = await readNewPasskey(relyingPartyOf(deps), answer, isOurs)
  const recoveryCodes = newRecoveryCodes()
  const made = { passkey, challenge, name, recoveryCodes }
  const notify = aboutFactor(deps, 'passkey-on', from)
  const added = await addPasskey(db, secretKey, caller, made, clock(), notify)
  return { ...added.passkey, recovery_codes: added.isFirst ? recoveryCodes : [] }
}

/** Returns the options for a sign-in with any passkey of this site. */
export function signInOptions(deps: ActionDeps) {
  return requestOptions(relyingPartyOf(deps), challengeFor(deps, 'sign-in'))
}

/** Returns the options for a confirmation by a passkey of the account. Throws not_found for an account without one. */
export async function confirmationOptions(deps: ActionDeps, accountId: string) {
  const known = await listStoredPasskeys(deps.db, accountId)
  if (known.length === 0) throw passkeyNotFound()
  return requestOptions(relyingPartyOf(deps), challengeFor(deps, 'confirm', accountId), known)
}

/**
 * Returns the account of a passkey's response, and a function that consumes the response in the transaction that
 * signs in. Throws unauthenticated.
 */
export async function signInByPasskey(
  deps: ActionDeps,
  answer: AuthenticationResponseJSON,
): Promise<{ account: Account; use: Use }> {
  const { accountId, taken } = await readAnswer(deps, answer, 'sign-in')
  const use: Use = (trx) => takePasskey(trx, taken, deps.clock())
  return { account: await getAccount(deps.db, accountId), use }
}

/** Checks that a signed-in account answered with a passkey of its own. Throws unauthenticated. */
export async function requirePasskey(
  deps: ActionDeps,
  accountId: string,
  answer: AuthenticationResponseJSON,
): Promise<void> {
  const { taken } = await readAnswer(deps, answer, 'confirm', accountId)
  await inTransaction(deps.db, (trx) => takePasskey(trx, taken, deps.clock()))
}

/** Returns the account of a response and the values that `takePasskey` accepts once. Throws unauthenticated. */
async function readAnswer(
  deps: ActionDeps,
  answer: AuthenticationResponseJSON,
  purpose: Purpose,
  accountId = '',
): Promise<{ accountId: string; taken: TakenAnswer }> {
  const passkey = await findPasskey(deps.db, answer.id)
  const { userHandle } = answer.response
  const named = userHandle ? Buffer.from(userHandle, 'base64url').toString('utf8') : undefined
  const holders = [accountId || passkey?.account_id, named ?? passkey?.account_id]
  if (!passkey || holders.some((id) => id !== passkey.account_id)) throw wrongPasskey()
  const isOurs = ownChallengeCheck(deps, purpose, accountId)
  const read = await readPasskeyAnswer(relyingPartyOf(deps), answer, passkey, isOurs)
  return {
    accountId: passkey.account_id,
    taken: { ...read, credentialId: passkey.credential_id },
  }
}

export function deletePasskey(
  deps: ActionDeps,
  caller: Caller,
  id: string,
  from: Device,
): Promise<void> {
  return removePasskey(deps.db, caller, id, aboutFactor(deps, 'passkey-off', from))
}
