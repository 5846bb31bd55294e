import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const CALL = '/api/admin/qr-codes/export/csv'

async function openExport() {
  const app = await openTestApp()
  const admin = await app.signUp({ name: 'Meera Nair', role: 'admin' })
  const asha = await app.signUp({ email: 'asha@example.in' })
  const fetchCsv = async () => app.ask('GET', CALL, { as: admin })
  const read = async () => {
    const text = await (await fetchCsv()).text()
    return parse(text, { bom: true, columns: true, record_delimiter: '\r\n' }) as Record<
      string,
      string
    >[]
  }
  return { ...app, admin, asha, fetchCsv, read }
}

describe('the export of all codes', () => {
  test('is for admins and super admins alone', async () => {
    const { ask, signUp } = await openTestApp()
    expect((await ask('GET', CALL)).status).toBe(401)
    for (const role of ['client', 'premium', 'moderator'] as const) {
      const answer = await ask('GET', CALL, { as: await signUp({ role }) })
      expect([answer.status, await answer.json()]).toEqual([
        403,
        { detail: 'Admin access required' },
      ])
    }
    const answer = await ask('GET', CALL, { as: await signUp({ role: 'super_admin' }) })
    expect(answer.status).toBe(200)
  })

  test('is a file with a name, in UTF-8 with its mark, with headings also when there is no code', async () => {
    const { fetchCsv, advance } = await openExport()
    advance(5)
    const answer = await fetchCsv()
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    // The time on the clocks of India.
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="qr_codes_export_20261120_153005.csv"',
    )
    expect(answer.headers.get('x-total-count')).toBe('0')
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const text = new TextDecoder().decode(bytes)
    expect(text).toMatch(/^qr_id,qr_type,owner_name,contact_phone,[a-z_,]+\r\n$/)
  })

  test('contains the public fields and the owner of every code, and nothing private', async () => {
    const { read, fetchCsv, asha, db } = await openExport()
    const { qr_id } = await insertCode(db, asha.id, {
      owner_name: 'सीमा "Sim" शर्मा, Pune',
      public_message: 'Please call.\r\nThank you!',
      vehicle_registration: 'MH12QX4827',
      driving_license_number: 'MH1420110062821',
      insurance_policy_number: 'POL-77',
      notes_instructions: 'under the seat',
      is_active: 0,
    })
    expect(await read()).toEqual([
      {
        qr_id,
        qr_type: 'normal',
        owner_name: 'सीमा "Sim" शर्मा, Pune',
        contact_phone: "'+919876543210",
        email: '',
        city_area: '',
        emergency_contact_name: '',
        emergency_contact_phone: '',
        blood_group: '',
        vehicle_registration: 'MH12QX4827',
        vehicle_make_model: '',
        company_fleet_name: '',
        public_message: 'Please call.\r\nThank you!',
        contact_mode: 'public',
        thing: 'keys',
        show_vehicle: 'true',
        show_city: 'true',
        lost_since: '',
        is_active: 'false',
        is_claimed: 'true',
        is_child_registered: 'false',
        account_name: 'Asha Patil',
        account_email: 'asha@example.in',
        account_mobile: '',
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    ])
    const text = await (await fetchCsv()).text()
    for (const secret of ['MH1420110062821', 'POL-77', 'under the seat']) {
      expect(text).not.toContain(secret)
    }
  })

  test('contains no formulas from user input', async () => {
    const { read, asha, db } = await openExport()
    const typed = ['=HYPERLINK("x")', '+1', '-1', '@SUM(1)', '\tcmd', '\rcmd']
    for (const owner_name of typed) await insertCode(db, asha.id, { owner_name })
    const names = (await read()).map(({ owner_name }) => owner_name)
    expect(names.toSorted()).toEqual(typed.map((name) => `'${name}`).toSorted())
  })

  test('has each of 1,200 codes of one moment once', async () => {
    const { read, asha, db } = await openExport()
    const code = await insertCode(db, asha.id)
    for (let n = 0; n < 1199; n += 109) {
      const rows = Array.from({ length: 109 }, (_, k) => {
        return { ...code, id: `copy${n + k}`, qr_id: `COPY${n + k}` }
      })
      await db.insertInto('qr_codes').values(rows).execute()
    }
    const ids = (await read()).map(({ qr_id }) => qr_id)
    expect(ids).toHaveLength(1200)
    expect(new Set(ids).size).toBe(1200)
  })

  test('is recorded with the account and the number of codes', async () => {
    const { fetchCsv, asha, db, admin } = await openExport()
    await insertCode(db, asha.id)
    await (await fetchCsv()).text()
    const events = await db.selectFrom('audit_events').selectAll().execute()
    expect(events).toMatchObject([
      { action: 'qr.exported', actor_id: admin.id, actor: 'Meera Nair', after: '{"count":1}' },
    ])
  })

  test('ends when the client stops reading, and releases the database', async () => {
    const { fetchCsv, read } = await openExport()
    const reader = (await fetchCsv()).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(await read()).toEqual([])
  })
})
