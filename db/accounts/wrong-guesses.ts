import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { GuessKind } from '#db/schema.ts'
import { keyedHash, type SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { type EarlierGuesses, type GuessWait, guessWait } from '#domain/accounts/guesses.ts'
import { DAY } from '#domain/rate-limits.ts'
import { SKEW_SECONDS } from '#domain/time.ts'

/** Only this many rows are kept, so that invented contacts cannot fill the disk. */
const REMEMBERED = 100_000
/** Half of a SHA-256 is enough to distinguish contacts and networks. */
const HASH_LENGTH = 32

/**
 * The network or device that guesses, and the contacts of the account: the typed one, then the other one.
 */
export type Guesser = {
  contacts: string[]
  network: string
  /** the browser, if the account signed in with it before */
  device: { id: string; accountId: string } | undefined
}

/** A guesser as hashes: the table contains no contact, network or device. */
export type GuessSource = {
  contact: string
  contacts: string[]
  source: string
  kind: GuessKind
  isKnownDevice: boolean
}

/**
 * `n` identifies the guess, to remove it when it was right. `next` is the wait after a wrong one.
 */
export type TakenGuess = { n: number; next: GuessWait | undefined }

export function toGuessSource(key: SecretKey, guesser: Guesser, kind: GuessKind): GuessSource {
  const { contacts, network, device } = guesser
  const [typed = ''] = contacts
  return {
    contact: hashContact(key, typed),
    contacts: contacts.map((contact) => hashContact(key, contact)),
    source: device ? hashDevice(key, device.id) : hashNetwork(key, network, typed),
    kind,
    isKnownDevice: device !== undefined,
  }
}

/**
 * Counts a guess as wrong before it is checked, so that concurrent guesses are all counted.
 * Guesses at contacts without an account are counted in the same way.
 */
export async function takeGuess(
  db: Db,
  from: GuessSource,
  now: Date,
): Promise<TakenGuess | { wait: GuessWait }> {
  return inTransaction(db, async (trx) => {
    const wait = await findGuessWait(trx, from, now)
    if (wait) return { wait }
    const n = await addGuess(trx, from, now)
    return { n, next: await findGuessWait(trx, from, now) }
  })
}

/**
 * Returns how long the next guess must wait. Guesses with a time in the future, from a wrong clock,
 * are ignored. Guesses a few seconds ahead count as made now: they began later but were stored first.
 */
export async function findGuessWait(
  db: DbOrTrx,
  from: GuessSource,
  now: Date,
): Promise<GuessWait | undefined> {
  const row = await db
    .selectFrom('wrong_guesses')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.max<string | null>('guessed_at').as('lastAt'),
    ])
    .where('source_hash', '=', from.source)
    .where('kind', '=', from.kind)
    .where('in_row', '=', 1)
    .where('guessed_at', '<=', toInstant(secondsAfter(now, SKEW_SECONDS)))
    .executeTakeFirstOrThrow()
  const timeOf = (at: string) => Math.min(Date.parse(at), now.getTime())
  const toTime = ({ guessed_at }: { guessed_at: string }) => timeOf(guessed_at)
  const ofDay = from.isKnownDevice ? [] : await findGuessesOfDay(db, from, now)
  const earlier: EarlierGuesses = {
    inRow: { count: row.count, lastAt: row.lastAt ? timeOf(row.lastAt) : 0 },
    fromNetwork: ofDay.filter(({ source_hash }) => source_hash === from.source).map(toTime),
    fromAnywhere: ofDay.map(toTime),
  }
  return guessWait(earlier, now.getTime())
}

async function findGuessesOfDay(db: DbOrTrx, { contacts }: GuessSource, now: Date) {
  return db
    .selectFrom('wrong_guesses')
    .select(['source_hash', 'guessed_at'])
    .where('contact_hash', 'in', contacts)
    .where('guessed_at', '>', toInstant(secondsAfter(now, -DAY)))
    .where('guessed_at', '<=', toInstant(secondsAfter(now, SKEW_SECONDS)))
    .where('is_known_device', '=', 0)
    .execute()
}

/** Counts a wrong guess. Returns its number. */
export async function addGuess(trx: DbOrTrx, from: GuessSource, now: Date): Promise<number> {
  const { n } = await trx
    .insertInto('wrong_guesses')
    .values({
      contact_hash: from.contact,
      source_hash: from.source,
      kind: from.kind,
      is_known_device: toFlag(from.isKnownDevice),
      in_row: 1,
      guessed_at: toInstant(now),
    })
    .returning('n')
    .executeTakeFirstOrThrow()
  await trx
    .deleteFrom('wrong_guesses')
    .where('n', '<=', n - REMEMBERED)
    .execute()
  return n
}

/** Removes a guess that was right; `n` is its number. */
export async function removeGuess(db: Db, n: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx.deleteFrom('wrong_guesses').where('n', '=', n).execute()
  })
}

/**
 * Ends the run of consecutive wrong guesses from this network or device after a sign-in. The runs of
 * others continue, and the guesses still count for the day.
 */
export async function endConsecutiveGuesses(
  db: Db,
  key: SecretKey,
  { contacts, network, device }: Guesser,
): Promise<void> {
  const sources = contacts.map((contact) => hashNetwork(key, network, contact))
  if (device) sources.push(hashDevice(key, device.id))
  // Most sign-ins follow no wrong guess, and need not wait for a write transaction.
  const guess = await db
    .selectFrom('wrong_guesses')
    .select('n')
    .where('source_hash', 'in', sources)
    .where('in_row', '=', 1)
    .limit(1)
    .executeTakeFirst()
  if (!guess) return
  await inTransaction(db, async (trx) => {
    await trx
      .updateTable('wrong_guesses')
      .set({ in_row: 0 })
      .where('source_hash', 'in', sources)
      .where('in_row', '=', 1)
      .execute()
  })
}

/** Deletes the guesses at a password that was replaced. */
export async function forgetGuesses(db: DbOrTrx, key: SecretKey, accountId: string): Promise<void> {
  const { email, mobile, login_id } = await db
    .selectFrom('accounts')
    .select(['email', 'mobile', 'login_id'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const hashes = [email, mobile, login_id].flatMap((contact) =>
    contact ? [hashContact(key, contact)] : [],
  )
  await db.deleteFrom('wrong_guesses').where('contact_hash', 'in', hashes).execute()
}

function hashContact(key: SecretKey, contact: string): string {
  return keyedHash(key, 'guess', 'contact', contact).slice(0, HASH_LENGTH)
}

/** Includes the contact, so that the rows do not show which contacts one network guessed at. */
function hashNetwork(key: SecretKey, network: string, contact: string): string {
  return keyedHash(key, 'guess', 'network', network, contact).slice(0, HASH_LENGTH)
}

function hashDevice(key: SecretKey, device: string): string {
  return keyedHash(key, 'guess', 'device', device).slice(0, HASH_LENGTH)
}
