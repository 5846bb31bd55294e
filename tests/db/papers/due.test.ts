import { describe, expect, test } from 'vitest'
import { listOwnQrCodes } from '#db/codes/qr-codes.ts'
import { listDue } from '#db/papers/due.ts'
import { openTestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { insertPaper } from '#tests/support/papers.ts'
import { plansOf } from '#tests/support/query-plans.ts'

const SOON = '2026-11-25'
const LATER = '2027-11-25'

async function openDue() {
  const app = await openTestApp()
  const owner = await app.signUp()
  const { db } = app
  const code = (fields: Parameters<typeof insertCode>[2] = {}, of = owner) =>
    insertCode(db, of.id, { vehicle_registration: 'MH12QX4827', ...fields })
  const paper = (qr_id: string, fields: Parameters<typeof insertPaper>[2] = {}, of = owner) =>
    insertPaper(db, { qr_id, account_id: of.id }, { expires_on: SOON, ...fields })
  const ends = async (as: Pick<typeof owner, 'id' | 'parent_id'> = owner, until = '2026-12-20') =>
    (await listDue(db, as, { until })).map(({ kind, document_type, ends_on }) =>
      [document_type ?? kind, ends_on].join(' '),
    )
  return { ...app, owner, code, paper, ends }
}

describe('of several dates for one thing', () => {
  test('the latest date counts, in whichever order the documents came', async () => {
    const { code, paper, ends } = await openDue()
    const { qr_id } = await code()
    await paper(qr_id)
    await paper(qr_id, { expires_on: '2026-11-30' })
    await paper(qr_id, { expires_on: '2026-01-30' })
    expect(await ends()).toEqual(['puc 2026-11-30'])
    await paper(qr_id, { expires_on: LATER })
    expect(await ends()).toEqual([])
  })

  test('the same day twice is one', async () => {
    const { code, paper, ends } = await openDue()
    const { qr_id } = await code()
    await paper(qr_id)
    await paper(qr_id)
    expect(await ends()).toEqual([`puc ${SOON}`])
  })

  test('an insurance document and the date on the code are one thing', async () => {
    const { db, code, paper, ends } = await openDue()
    const { qr_id } = await code({ insurance_expiry_date: SOON })
    expect(await ends()).toEqual([`insurance ${SOON}`])
    const { id } = await paper(qr_id, { document_type: 'insurance', expires_on: '2026-11-28' })
    expect(await ends()).toEqual(['insurance 2026-11-28'])
    const change = (expires_on: string | null) =>
      db.updateTable('documents').set({ expires_on }).where('id', '=', id).execute()
    await change('2026-11-01')
    expect(await ends()).toEqual([`insurance ${SOON}`])
    await change(SOON)
    expect(await ends()).toEqual([`insurance ${SOON}`])
    await change(LATER)
    expect(await ends()).toEqual([])
    await change(null)
    expect(await ends()).toEqual([`insurance ${SOON}`])
    await db.updateTable('qr_codes').set({ insurance_expiry_date: LATER }).execute()
    await change(SOON)
    expect(await ends()).toEqual([])
  })

  test('a document of another type or code, or without an end, changes nothing', async () => {
    const { code, paper, ends } = await openDue()
    const { qr_id } = await code()
    const other = await code()
    await paper(qr_id)
    await paper(qr_id, { document_type: 'road_tax', expires_on: LATER })
    await paper(qr_id, { expires_on: null })
    await paper(other.qr_id, { expires_on: LATER })
    expect(await ends()).toEqual([`puc ${SOON}`])
  })
})

describe('the list of dues', () => {
  test('has the nearest first, with expired papers and the next service', async () => {
    const { code, paper, ends } = await openDue()
    const { qr_id } = await code({ next_service_due: '2026-12-01' })
    await paper(qr_id)
    await paper(qr_id, { document_type: 'road_tax', expires_on: '2024-02-01' })
    expect(await ends()).toEqual(['road_tax 2024-02-01', `puc ${SOON}`, 'service 2026-12-01'])
  })

  test('is of the account alone', async () => {
    const { signUp, code, paper, ends } = await openDue()
    const { qr_id } = await code({ insurance_expiry_date: SOON, next_service_due: SOON })
    await paper(qr_id, { is_public: 1 })
    expect(await ends(await signUp())).toEqual([])
  })

  test('of a child code is for its owner and its child user, private documents for one', async () => {
    const { db, owner, signUp, code, paper, ends } = await openDue()
    const child = await signUp({ parent_id: owner.id })
    const { qr_id } = await code({
      qr_type: 'child',
      is_child_registered: 1,
      child_account_id: child.id,
      next_service_due: '2026-12-01',
    })
    const { id } = await paper(qr_id, {}, child)
    await paper(qr_id, { document_type: 'road_tax', is_public: 1 })
    const open = [`road_tax ${SOON}`, 'service 2026-12-01']
    expect(await ends(owner)).toEqual(open)
    expect((await ends(child)).toSorted()).toEqual([`puc ${SOON}`, ...open])
    await db.updateTable('documents').set({ is_public: 1 }).where('id', '=', id).execute()
    expect((await ends(owner)).toSorted()).toEqual([`puc ${SOON}`, ...open])
    // The child's private renewal is not the owner's.
    await paper(qr_id, { expires_on: LATER }, child)
    expect((await ends(owner)).toSorted()).toEqual([`puc ${SOON}`, ...open])
    expect((await ends(child)).toSorted()).toEqual(open)
  })

  test('of a code that a claimer holds without an account is nothing', async () => {
    const { code, paper, ends } = await openDue()
    const dates = { insurance_expiry_date: SOON, next_service_due: SOON }
    const { qr_id } = await code({ ...HELD, ...dates })
    await paper(qr_id)
    expect(await ends()).toEqual([])
  })

  test('goes on for a code that is switched off', async () => {
    const { code, paper, ends } = await openDue()
    const { qr_id } = await code({ is_active: 0 })
    await paper(qr_id)
    expect(await ends()).toEqual([`puc ${SOON}`])
  })
})

describe('the list of codes', () => {
  test('begins with the nearest end, and can contain dues alone', async () => {
    const { db, owner, code, paper } = await openDue()
    const newest = await code({ created_at: '2026-11-09T09:00:00.000Z' })
    const late = await code({ next_service_due: '2026-12-01' })
    const first = await code({ insurance_expiry_date: LATER })
    await paper(first.qr_id)
    await paper(newest.qr_id, { expires_on: LATER, document_type: 'road_tax' })
    const listed = async (wanted: Parameters<typeof listOwnQrCodes>[2]) => {
      const { qr_codes, total } = await listOwnQrCodes(db, owner, wanted)
      expect(total).toBe(qr_codes.length)
      return qr_codes.map(({ qr_id }) => qr_id)
    }
    const none = await code({ created_at: '2026-11-08T09:00:00.000Z' })
    expect(await listed({ sort: 'due' })).toEqual(
      [first, late, newest, none].map(({ qr_id }) => qr_id),
    )
    expect(await listed({ sort: 'due', dueUntil: '2026-12-20' })).toEqual(
      [first, late].map(({ qr_id }) => qr_id),
    )
    expect(await listed({ dueUntil: '2026-12-20', search: late.qr_id })).toEqual([late.qr_id])
  })
})

testOnSqlite('the strip finds its dates by indexes and reads no whole table', async () => {
  const { db, connection, owner } = await openDue()
  const plans = await plansOf(connection, () =>
    listDue(db, owner, { until: '2026-12-20', limit: 5 }),
  )
  const steps = plans.flat()
  expect(steps.filter((step) => /^SCAN (documents|qr_codes|later|code|owner)/.test(step))).toEqual(
    [],
  )
  for (const index of [
    'documents_by_account_end',
    'qr_codes_by_owner_insurance',
    'qr_codes_by_owner_service',
    'qr_codes_by_owner_child',
  ]) {
    expect(steps.join('\n')).toContain(index)
  }
})
