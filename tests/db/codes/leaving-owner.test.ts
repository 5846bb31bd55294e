import { expect, test } from 'vitest'
import { makingOf } from '#actions/codes/making.ts'
import { claimQrCode, takeClaim } from '#db/codes/claims.ts'
import { updateQrCode } from '#db/codes/qr-changes.ts'
import {
  createChildCodes,
  createQrCode,
  createUnclaimedCodes,
  printCodes,
} from '#db/codes/qr-creation.ts'
import { beginDeletion } from '#db/deletions/deletions.ts'
import { importQrCodes } from '#db/fleets/imports.ts'
import { hashToken } from '#db/secrets.ts'
import { BEING_DELETED } from '#domain/accounts/deletion.ts'
import { cleanClaim } from '#domain/codes/claim.ts'
import { openTestApp } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { UNCLAIMED } from '#tests/support/families.ts'
import { race } from '#tests/support/races.ts'

const EMAIL = 'asha@example.in'
const FIELDS = { owner_name: 'Asha Patil', contact_phone: '9876543210' }
const TABLE = { problems: [], rows: [{ row: 2, cells: {}, problems: [], fields: FIELDS }] }
const TOKEN = 't'.repeat(43)

/** Opens an owner whose codes change beside the deletion of its account. */
async function openOwner() {
  const app = await openTestApp()
  const { db, deps } = app
  const owner = await app.signUp({ email: EMAIL, subscription_plan: 'enterprise' })
  const issuer = await app.signUp({ subscription_plan: 'enterprise' })
  const making = { secretKey: deps.secretKey, ...makingOf(deps) }
  const told = async () => {}
  const off = await insertCode(db, owner.id, { is_active: 0 })
  const unclaimed = await insertCode(db, issuer.id, UNCLAIMED)
  await insertCode(db, issuer.id, { ...HELD, take_token_hash: hashToken(TOKEN) })
  const claimer = {
    claim: cleanClaim(FIELDS),
    activationCode: null,
    networks: [],
    accountId: owner.id,
    lang: 'en',
  } as const
  const acts: Record<string, () => Promise<unknown>> = {
    'makes one': () => createQrCode(db, owner.id, FIELDS, making),
    'makes unclaimed ones': () => createUnclaimedCodes(db, owner.id, 2, making),
    'makes child codes': () => createChildCodes(db, owner.id, 2, making),
    'has some printed': () =>
      printCodes(db, { ownerId: owner.id, qrType: 'normal', count: 2 }, making).next(),
    'imports some': () => importQrCodes(db, owner.id, TABLE, 'error', making),
    'claims one': () => claimQrCode(db, unclaimed.qr_id, claimer, { ...making, notice: '1' }, told),
    'takes one that it claimed': () => takeClaim(db, TOKEN, owner.id, making.now),
    'switches one on': () =>
      updateQrCode(db, owner, off.qr_id, { fields: {}, is_active: true }, making),
  }
  const remove = async () => {
    const asked = { typed: EMAIL, tokenHash: 'h' }
    return beginDeletion(db, await newCaller(app, owner.id), asked, making.now, told)
  }
  const codesThatAreOn = () =>
    db
      .selectFrom('qr_codes')
      .select('qr_id')
      .where('owner_id', '=', owner.id)
      .where('is_active', '=', 1)
      .execute()
  return { acts, remove, codesThatAreOn }
}

test('an account that is being deleted gets no active code, by no act that was under way', async () => {
  const { acts, remove, codesThatAreOn } = await openOwner()
  await remove()
  for (const [name, act] of Object.entries(acts)) {
    const words =
      name === 'switches one on'
        ? 'The account of whoever uses this QR code is being deleted'
        : BEING_DELETED
    await expect(act(), name).rejects.toMatchObject({ kind: 'conflict', message: words })
  }
  expect(await codesThatAreOn()).toEqual([])
})

test('an account that is deleted among all that gets it codes has none that is on', async () => {
  const { acts, remove, codesThatAreOn } = await openOwner()
  const all = Object.values(acts)
  await race(async (n) => (n === 9 ? remove() : all[n % all.length]?.()))
  expect(await codesThatAreOn()).toEqual([])
})
