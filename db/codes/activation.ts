import { randomBytes } from 'node:crypto'
import { toFlag } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { laterThan } from '#db/codes/qr-changes.ts'
import { getOwnRow } from '#db/codes/qr-codes.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { countTry, type SecretTry, type Trying } from '#db/codes/wrong-tries.ts'
import { keyedHash, type SecretKey, sameHash } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import {
  type Activated,
  makeActivationCode,
  parseActivationCode,
} from '#domain/codes/activation.ts'
import { DomainError } from '#domain/error.ts'

/** Without the key 30 bits could be guessed in seconds. Equal activation codes have different hashes. */
function hashOf(key: SecretKey, codeId: string, activationCode: string): string {
  return keyedHash(key, 'activation', codeId, activationCode)
}

/** Gives new codes an activation code each, in this order, which only this answer contains. */
export async function addActivationCodes(
  trx: Trx,
  codeIds: string[],
  key: SecretKey,
): Promise<string[]> {
  const made = codeIds.map((code_id) => ({ code_id, code: makeActivationCode(randomBytes) }))
  const rows = made.map(({ code_id, code }) => {
    return { code_id, code_hash: hashOf(key, code_id, code) }
  })
  await trx.insertInto('activation_codes').values(rows).execute()
  return made.map(({ code }) => code)
}

/**
 * Gives an unclaimed code a new activation code, which ends an earlier one and its lock. Throws
 * not_found, forbidden, and conflict for a claimed or a child code.
 */
export async function renewActivationCode(
  db: Db,
  issuer: Viewer,
  qrId: string,
  making: Renewing,
): Promise<Activated> {
  return inTransaction(db, (trx) => renewActivation(trx, issuer, qrId, making))
}

type Renewing = { secretKey: SecretKey; now: Date }

/** Renews an activation code, as a step of a transaction. */
export async function renewActivation(
  trx: Trx,
  issuer: Viewer,
  qrId: string,
  { secretKey, now }: Renewing,
): Promise<Activated> {
  const code = await getOwnRow(trx, issuer, qrId, 'own')
  // The code's own row too, so that a claim at the same time comes before this or after it.
  const { numUpdatedRows } = await trx
    .updateTable('qr_codes')
    .set({ updated_at: laterThan(code.updated_at, now) })
    .where('id', '=', code.id)
    .where('qr_type', '=', 'normal')
    .where('is_claimed', '=', toFlag(false))
    .executeTakeFirst()
  if (!numUpdatedRows) throw new DomainError('conflict.activation_claimed')
  await trx.deleteFrom('activation_codes').where('code_id', '=', code.id).execute()
  const [activation_code] = await addActivationCodes(trx, [code.id], secretKey)
  return { qr_id: qrId, activation_code: activation_code as string }
}

/** Returns whether claiming a code takes an activation code. */
export async function needsActivation(db: DbOrTrx, qrId: string): Promise<boolean> {
  const row = await db
    .selectFrom('activation_codes')
    .innerJoin('qr_codes', 'qr_codes.id', 'activation_codes.code_id')
    .select('code_id')
    .where('qr_codes.qr_id', '=', qrId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Checks one try of a code's activation code, in the transaction of a claim; right for a code that needs none.
 * Throws invalid when there is nothing to try. The caller commits a wrong one, because it counts (`countTry`).
 */
export async function tryActivationCode(
  trx: Trx,
  codeId: string,
  typed: string | null,
  trying: Trying,
): Promise<SecretTry> {
  const row = await trx
    .selectFrom('activation_codes')
    .selectAll()
    .where('code_id', '=', codeId)
    .executeTakeFirst()
  if (!row) return { outcome: 'right' }
  if (!typed) throw new DomainError('invalid.activation_missing')
  const read = parseActivationCode(typed)
  // An impossible code is no guess.
  if (!read) return { outcome: 'wrong' }
  const { code_hash: hash } = row
  const isRight = sameHash(hash, hashOf(trying.secretKey, codeId, read))
  return countTry(trx, { code_id: codeId, kind: 'activation', hash }, isRight, trying)
}

/**
 * Throws conflict unless all of these are activation codes of the issuer's unclaimed codes now: a
 * code that was shown once is printed unchanged, or not at all.
 */
export async function assertActivationCodes(
  db: DbOrTrx,
  issuer: Pick<Viewer, 'id'>,
  shown: Activated[],
  key: SecretKey,
): Promise<void> {
  const ids = shown.map(({ qr_id }) => qr_id)
  const rows = await db
    .selectFrom('activation_codes')
    .innerJoin('qr_codes', 'qr_codes.id', 'activation_codes.code_id')
    .select(['qr_id', 'code_id', 'code_hash'])
    .where('qr_id', 'in', ids)
    .where('owner_id', '=', issuer.id)
    .where('is_claimed', '=', toFlag(false))
    .execute()
  const byId = new Map(rows.map((row) => [row.qr_id, row]))
  const areValid = shown.every(({ qr_id, activation_code }) => {
    const row = byId.get(qr_id)
    return row && sameHash(row.code_hash, hashOf(key, row.code_id, activation_code))
  })
  if (!areValid) throw new DomainError('conflict.activation_outdated')
}
