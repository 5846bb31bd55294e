import { describe, expect, test } from 'vitest'
import { updateQrCode } from '#db/codes/qr-changes.ts'
import { findOwnQrCode, listOwnQrCodes } from '#db/codes/qr-codes.ts'
import { listDocuments } from '#db/papers/documents.ts'
import { listHeldShares } from '#db/people/held-shares.ts'
import { RIGHTS, SHARE_ROLES, type ShareRole } from '#domain/people/roles.ts'
import { accessTo, MOST_PEOPLE } from '#domain/people/share.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertPaper } from '#tests/support/papers.ts'
import { insertShare } from '#tests/support/people.ts'

const NOW = new Date('2026-11-29T10:00:00.000Z')
const PRIVATE = {
  driving_license_number: 'MH1220150012345',
  insurance_policy_number: 'P-1',
  notes_instructions: 'Spare key under the seat',
}

/** An owner with three codes, of which `van` is of a company, and a person. */
async function openPeople() {
  const app = await openTestApp()
  const { db } = app
  const owner = await app.signUp()
  const person = await app.signUp()
  const stranger = await app.signUp()
  const car = await insertCode(db, owner.id, PRIVATE)
  const van = await insertCode(db, owner.id, { company_fleet_name: 'Sai Motors' })
  const bike = await insertCode(db, owner.id)
  await insertCode(db, stranger.id, { company_fleet_name: 'Sai Motors' })
  const viewer = async () => ({
    id: person.id,
    parent_id: null,
    shares: await listHeldShares(db, person.id, NOW),
  })
  const seen = async () => {
    const { qr_codes } = await listOwnQrCodes(db, await viewer())
    return new Set(qr_codes.map(({ qr_id }) => qr_id))
  }
  const between = { owner_id: owner.id, person_id: person.id }
  return { ...app, owner, person, stranger, car, van, bike, between, viewer, seen }
}

describe('the codes that a share shows', () => {
  test('are all of its owner, those of one company, or one, and nobody else’s', async () => {
    const { db, car, van, bike, between, seen } = await openPeople()
    expect(await seen()).toEqual(new Set())
    const { id } = await insertShare(db, between)
    const become = (scope: object) =>
      db.updateTable('shares').set(scope).where('id', '=', id).execute()
    expect(await seen()).toEqual(new Set([car.qr_id, van.qr_id, bike.qr_id]))
    await become({ company_fleet_name: 'Sai Motors' })
    expect(await seen()).toEqual(new Set([van.qr_id]))
    await become({ company_fleet_name: null, code_id: bike.id })
    expect(await seen()).toEqual(new Set([bike.qr_id]))
    await db.updateTable('qr_codes').set({ qr_id: 'ZZZZ2222' }).where('id', '=', bike.id).execute()
    expect(await seen()).toEqual(new Set(['ZZZZ2222']))
  })

  test('leave out those of a blocked owner', async () => {
    const { db, owner, between, seen } = await openPeople()
    await insertShare(db, between)
    const block = (is_active: 0 | 1) =>
      db.updateTable('accounts').set({ is_active }).where('id', '=', owner.id).execute()
    await block(0)
    expect(await seen()).toEqual(new Set())
    await block(1)
    expect((await seen()).size).toBe(3)
  })

  test('leave out the newest above the limit of the owner’s plan, until it rises', async () => {
    const { db, owner, stranger, between, seen } = await openPeople()
    await insertShare(
      db,
      { owner_id: owner.id, person_id: stranger.id },
      { created_at: '2026-11-19T10:00:00.000Z' },
    )
    await insertShare(db, between)
    expect(MOST_PEOPLE.free).toBe(1)
    expect((await seen()).size).toBe(0)
    const premium = { subscription_plan: 'premium' as const }
    await db.updateTable('accounts').set(premium).where('id', '=', owner.id).execute()
    expect((await seen()).size).toBe(3)
  })
})

describe('a role', () => {
  test.each(SHARE_ROLES)(
    '%s sees private fields and papers only as one who edits them',
    async (role) => {
      const { db, owner, car, between, viewer } = await openPeople()
      await insertShare(db, between, { role })
      const paper = { qr_id: car.qr_id, account_id: owner.id }
      await insertPaper(db, paper, { is_public: 0 })
      const { id: open } = await insertPaper(db, paper, { is_public: 1 })
      const mayEdit = (RIGHTS.edit as readonly string[]).includes(role)
      expect(mayEdit).toBe(role === 'manager')
      const code = await findOwnQrCode(db, await viewer(), car.qr_id)
      expect(code?.access).toBe(role)
      for (const [name, value] of Object.entries(PRIVATE)) {
        expect([name, code?.[name as keyof typeof PRIVATE]]).toEqual([name, mayEdit ? value : null])
      }
      const papers = await listDocuments(db, await viewer(), car.qr_id)
      expect(papers.length).toBe(mayEdit ? 2 : 1)
      expect(papers.some(({ id }) => id === open)).toBe(true)
      expect(code?.document_count).toBe(papers.length)
    },
  )

  test('changes what a verb of its next call may do, and its end lets nothing happen', async () => {
    const { db, deps, car, between, viewer } = await openPeople()
    const { id } = await insertShare(db, between)
    const as = { secretKey: deps.secretKey, now: NOW }
    const rename = (who: Awaited<ReturnType<typeof viewer>>) =>
      updateQrCode(db, who, car.qr_id, { fields: { owner_name: 'Meera' } }, as)
    const manager = await viewer()
    expect((await rename(manager)).owner_name).toBe('Meera')
    const role: ShareRole = 'viewer'
    await db.updateTable('shares').set({ role }).where('id', '=', id).execute()
    await expect(rename(manager)).rejects.toMatchObject({ kind: 'not_found' })
    await expect(rename(await viewer())).rejects.toMatchObject({ code: 'forbidden.role' })
    await db.deleteFrom('shares').where('id', '=', id).execute()
    await expect(rename(manager)).rejects.toMatchObject({ kind: 'not_found' })
    await expect(rename(await viewer())).rejects.toMatchObject({ kind: 'not_found' })
  })

  test('is that of the share, never of a stranger or the owner’s', () => {
    const ids = { id: 'c', owner_id: 'o', child_account_id: 'k' }
    const code = { ...ids, company_fleet_name: 'Sai', claimed_at: null }
    const share = {
      id: 's',
      owner_id: 'o',
      owner_name: 'O',
      role: 'member' as const,
      plan: 'free' as const,
      address: undefined,
    }
    const all = { ...share, company_fleet_name: null, code_id: null }
    expect(accessTo({ id: 'o', shares: [all] }, code)).toBe('owner')
    expect(accessTo({ id: 'k' }, code)).toBe('child')
    expect(accessTo({ id: 'p' }, code)).toBeUndefined()
    expect(accessTo({ id: 'p', shares: [all] }, code)).toBe('member')
    expect(accessTo({ id: 'p', shares: [{ ...all, owner_id: 'x' }] }, code)).toBeUndefined()
    expect(accessTo({ id: 'p', shares: [{ ...all, code_id: 'd' }] }, code)).toBeUndefined()
    expect(
      accessTo({ id: 'p', shares: [{ ...all, company_fleet_name: 'Other' }] }, code),
    ).toBeUndefined()
    const ofCompany = { id: 'p', shares: [{ ...all, company_fleet_name: 'Sai' }] }
    expect(accessTo(ofCompany, code)).toBe('member')
    expect(accessTo(ofCompany, { ...code, claimed_at: '2026-11-20T10:00:00.000Z' })).toBeUndefined()
  })
})
