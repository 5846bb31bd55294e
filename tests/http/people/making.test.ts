import { describe, expect, test } from 'vitest'
import { sendSlowly } from '#tests/support/callers.ts'
import { COMPANY, openHousehold, type Person } from '#tests/support/household.ts'

const DETAILS = { owner_name: 'Asha Patil', contact_phone: '98765 43210' }
const ABLE = {
  manager: 201,
  member: 403,
  viewer: 403,
  ofCompany: 201,
  ofCode: 403,
  stranger: 404,
  child: 404,
}

function tableOf(rows: string[]): FormData {
  const form = new FormData()
  const lines = ['owner_name,contact_phone,vehicle_registration,company_fleet_name', ...rows]
  form.set('file', new File([lines.join('\n')], 'fleet.csv', { type: 'text/csv' }))
  return form
}
const row = (plate: string, company = '') => `Asha,9876543210,${plate},${company}`

async function openMaking() {
  const app = await openHousehold()
  const { db, owner, people, ask } = app
  const count = async (ownerId: string) => {
    const rows = db.selectFrom('qr_codes').selectAll().where('owner_id', '=', ownerId)
    return (await rows.execute()).length
  }
  const importFor = async (who: Person, rows: string[], rest = '') => {
    const path = `/api/qr/import?owner_id=${owner.id}${rest}`
    const answer = await ask('POST', path, { as: people[who], body: tableOf(rows) })
    return { status: answer.status, body: await answer.json() }
  }
  return { ...app, count, importFor }
}

describe('codes for an owner', () => {
  test.each([
    ['create', DETAILS],
    ['bulk-create', { quantity: 2 }],
    ['child-create', { quantity: 1 }],
  ])('are made by %s by managers of all codes or of a company', async (path, fields) => {
    const { db, statuses, owner, count } = await openMaking()
    await db.updateTable('accounts').set({ child_qr_quota: 9 }).where('id', '=', owner.id).execute()
    const before = await count(owner.id)
    const made = path === 'bulk-create' ? 4 : 2
    expect(await statuses('POST', `/api/qr/${path}`, { ...fields, owner_id: owner.id })).toEqual(
      ABLE,
    )
    expect(await count(owner.id)).toBe(before + made)
    const rows = await db.selectFrom('qr_codes').selectAll().execute()
    expect(
      rows.every(({ created_by, owner_id }) => [created_by, owner_id].includes(owner.id)),
    ).toBe(true)
    const ofCompany = rows.filter(({ company_fleet_name: name }) => name === COMPANY)
    expect(ofCompany).toHaveLength(1 + made / 2)
  })

  test('are the manager’s to see, and noted', async () => {
    const { call, owner, people, helps } = await openMaking()
    const { body } = await call('manager', 'POST', '/api/qr/create', {
      ...DETAILS,
      owner_id: owner.id,
    })
    expect(body).toMatchObject({ access: 'manager', owner_id: owner.id })
    expect(await helps()).toEqual([
      { action: 'qr.created', actor_id: people.manager.id, subject_id: body.id },
    ])
    const mine = await call('manager', 'POST', '/api/qr/create', {
      ...DETAILS,
      owner_id: people.manager.id,
    })
    expect(mine.body).toMatchObject({ access: 'owner', owner_id: people.manager.id })
  })

  test('count against the owner’s plan, not the manager’s', async () => {
    const { db, call, owner, people, count } = await openMaking()
    await db.updateTable('accounts').set({ qr_limit: 3 }).where('id', '=', owner.id).execute()
    const make = () => call('manager', 'POST', '/api/qr/create', { ...DETAILS, owner_id: owner.id })
    const before = await count(owner.id)
    expect(before).toBe(3)
    expect((await make()).status).toBe(201)
    expect((await make()).status).toBe(402)
    expect(await count(people.manager.id)).toBe(0)
  })

  test('get activation codes from their owner alone', async () => {
    const { call, owner } = await openMaking()
    const order = { quantity: 1, activation: true, owner_id: owner.id }
    expect((await call('manager', 'POST', '/api/qr/bulk-create', order)).status).toBe(403)
    expect((await call('owner', 'POST', '/api/qr/bulk-create', order)).status).toBe(201)
  })

  test('of a person of one company are made in it and stay there', async () => {
    const { call, owner, van, statuses } = await openMaking()
    const made = await call('ofCompany', 'POST', '/api/qr/create', {
      ...DETAILS,
      company_fleet_name: 'Another',
      owner_id: owner.id,
    })
    expect(made.body.company_fleet_name).toBe(COMPANY)
    const path = `/api/qr/${van.qr_id}`
    const leave = { company_fleet_name: 'Another' }
    expect((await call('ofCompany', 'PUT', path, leave)).status).toBe(403)
    expect((await call('ofCompany', 'PUT', path, { company_fleet_name: COMPANY })).status).toBe(200)
    const act = { ids: [van.qr_id], action: 'set_company_fleet_name', value: 'Another' }
    expect(await statuses('POST', '/api/qr/bulk', act)).toEqual({
      manager: 200,
      member: 403,
      viewer: 403,
      ofCompany: 404,
      ofCode: 404,
      stranger: 404,
      child: 404,
    })
    expect((await call('ofCompany', 'PUT', path, { city_area: 'Pune' })).status).toBe(404)
  })

  test('of a company cannot be moved out of it by many at once', async () => {
    const { call, van, helps } = await openMaking()
    const act = { ids: [van.qr_id], action: 'set_company_fleet_name', value: 'Another' }
    expect((await call('ofCompany', 'POST', '/api/qr/bulk', act)).status).toBe(403)
    const off = { ids: [van.qr_id], action: 'deactivate' }
    expect((await call('ofCompany', 'POST', '/api/qr/bulk', off)).status).toBe(200)
    const gone = { ids: [van.qr_id], action: 'delete', value: 1 }
    expect((await call('manager', 'POST', '/api/qr/bulk', gone)).status).toBe(403)
    expect((await helps()).map(({ action }) => action)).toEqual(['qr.bulk.deactivate'])
  })
})

describe('a table for an owner', () => {
  test('is imported by managers of all codes or of a company', async () => {
    const { importFor, owner, people, db, helps } = await openMaking()
    expect((await importFor('manager', [row('MH12AB1234', 'Another')])).status).toBe(201)
    expect((await importFor('ofCompany', [row('MH12AB1235', 'Another')])).status).toBe(201)
    expect((await importFor('ofCode', [row('MH12AB1236')])).status).toBe(403)
    expect((await importFor('viewer', [row('MH12AB1236')])).status).toBe(403)
    expect((await importFor('stranger', [row('MH12AB1236')])).status).toBe(404)
    const rows = await db
      .selectFrom('qr_codes')
      .selectAll()
      .where('vehicle_registration', 'is not', null)
      .where('owner_id', '=', owner.id)
      .orderBy('vehicle_registration')
      .execute()
    expect(
      rows.map(({ vehicle_registration, company_fleet_name }) => [
        vehicle_registration,
        company_fleet_name,
      ]),
    ).toEqual([
      ['MH12AB1234', 'Another'],
      ['MH12AB1235', COMPANY],
    ])
    expect(await helps()).toMatchObject([
      { action: 'qr.imported', actor_id: people.manager.id },
      { action: 'qr.imported', actor_id: people.ofCompany.id },
    ])
  })

  test('knows and changes no vehicle of another company', async () => {
    const { importFor, db, owner } = await openMaking()
    await importFor('manager', [row('MH12AB1234', 'Another')])
    const again = await importFor('ofCompany', [row('MH12AB1234')], '&on_duplicate=update')
    expect(again.body).toMatchObject({ created_count: 1, updated_count: 0 })
    const other = await db
      .selectFrom('qr_codes')
      .select('id')
      .where('owner_id', '=', owner.id)
      .where('company_fleet_name', '=', 'Another')
      .execute()
    expect(other).toHaveLength(1)
  })

  test.each(['', '&dry_run=1'])(
    '%s that arrives after the share has ended does nothing',
    async (rest) => {
      const app = await openMaking()
      const before = await app.count(app.owner.id)
      const path = `/api/qr/import?owner_id=${app.owner.id}${rest}`
      const sent = { path, as: app.people.manager, body: tableOf([row('MH12AB1234')]) }
      const answer = await sendSlowly(app, sent, () => app.leave('manager'))
      expect(answer.status).toBe(404)
      expect(await app.count(app.owner.id)).toBe(before)
    },
  )
})

describe('acts on a code of an owner', () => {
  test('are noted with the person', async () => {
    const { call, car, owner, people, helps } = await openMaking()
    const change = { contact_mode: 'relay' }
    expect((await call('manager', 'PUT', `/api/qr/${car.qr_id}`, change)).status).toBe(200)
    expect((await call('owner', 'PUT', `/api/qr/${car.qr_id}`, change)).status).toBe(200)
    const { body } = await call('manager', 'POST', `/api/qr/${car.qr_id}/replace`)
    expect(body.owner_id).toBe(owner.id)
    const lost = { lost: true }
    expect((await call('member', 'PUT', `/api/qr/${body.qr_id}/lost`, lost)).status).toBe(200)
    expect(await helps()).toEqual([
      { action: 'qr.changed', actor_id: people.manager.id, subject_id: car.id },
      { action: 'qr.replaced', actor_id: people.manager.id, subject_id: car.id },
      { action: 'qr.lost', actor_id: people.member.id, subject_id: car.id },
    ])
  })

  test('that need the right to print are the managers’, and pictures those who answer, too', async () => {
    const { statuses, car } = await openMaking()
    const seen = { stranger: 404, child: 404, ofCompany: 404, manager: 200, ofCode: 200 }
    const some = `ids=${car.qr_id}`
    expect(await statuses('GET', `/api/qr/labels.pdf?${some}`)).toEqual({
      ...seen,
      member: 403,
      viewer: 403,
    })
    expect(await statuses('GET', `/api/qr/codes.zip?${some}`)).toEqual({
      ...seen,
      member: 200,
      viewer: 403,
    })
  })
})
