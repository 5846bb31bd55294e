import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { setAccount } from '#tests/support/rows.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { openTransfers } from '#tests/support/transfers.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

type Texts = (string | RegExp)[]
type Row = { what: string; answers: string[] }

/** Each row of the documented table, and the texts that show it, on any page or call. */
const SHOWN: Record<string, Texts> = {
  'number plate, make and model': [/MH ?12 ?QX ?4827/, 'Maruti Suzuki Swift VXi'],
  'company, insurance and service dates': ['Kulkarni Tours', '2027-03-04', '2027-05-06'],
  "first name of the old owner's account": ['Rameshwar'],
  "old owner's name, number, e-mail and city on the code, emergency contact and blood group": [
    'Omkar Joshi',
    /98[ ]?111[ ]?11111|9811111111/,
    'omkar@example.in',
    'Nagpur',
    'Sunita Joshi',
    /9822222222|98222 22222/,
    /"blood_group":"AB-"|selected="">AB-/,
  ],
  'licence, policy number and notes': ['MH1220110012345', 'P-4711', 'Spare key at the shop'],
  'documents that are handed over': ['handed-over.pdf'],
  'all other documents of the code': ['locked.pdf'],
  'how often the code was scanned': [/"scan_count":3\b|3 scans|<b>3<\/b> scans/],
  'when it was scanned, was lost and was opened by authorities': [
    /2026-11-03T03|\b3 Nov 2026/,
    /2026-11-05T03|\b5 Nov 2026/,
    /2026-11-07T03|\b7 Nov 2026/,
  ],
  'conversations of before': ['They lie at the counter'],
  'what the new owner puts on the code': ['Holder Pillai', 'Dadar West', '98190 00482'],
  'scans and conversations afterwards': ['I stand beside it', /"scanned_at":"2026-11-20/],
}

function readRows(): Row[] {
  const [, after = ''] = readFileSync('docs/authorisation/calls.md', 'utf8').split(
    '| what | recipient, before | new owner, after | old owner, after |\n|---|---|---|---|\n',
  )
  const [table = ''] = after.split('\n\n')
  return table.split('\n').map((line) => {
    const [what = '', ...answers] = line.replace(/^\| | \|$/g, '').split(' | ')
    return { what, answers }
  })
}

async function openBothSides() {
  const app = await openTransfers({
    env: { RATE_LIMITS: 'off' },
    code: {
      owner_name: 'Omkar Joshi',
      contact_phone: '+919811111111',
      email: 'omkar@example.in',
      city_area: 'Nagpur',
      emergency_contact_name: 'Sunita Joshi',
      emergency_contact_phone: '+919822222222',
      blood_group: 'AB-',
      driving_license_number: 'MH1220110012345',
      insurance_policy_number: 'P-4711',
      insurance_expiry_date: '2027-03-04',
      next_service_due: '2027-05-06',
      company_fleet_name: 'Kulkarni Tours',
      notes_instructions: 'Spare key at the shop',
    },
  })
  const { db, owner, buyer, qr_id, ask, page } = app
  await setAccount(db, owner.id, { name: 'Rameshwar Kulkarni' })
  const premium = { subscription_plan: 'premium', qr_limit: 50 } as const
  await db.updateTable('accounts').set(premium).where('id', '=', buyer.id).execute()
  for (const name of ['handed-over.pdf', 'locked.pdf']) {
    const body = fileForm(PDF, { document_type: 'puc' }, name)
    await ask('POST', `/api/documents/upload/${qr_id}`, { as: owner, body })
  }
  await db
    .updateTable('documents')
    .set({ is_locked: 1 })
    .where('file_name', '=', 'locked.pdf')
    .execute()
  const scan = { qr_id, device: 'phone', referrer: 'direct' } as const
  await db
    .insertInto('scans')
    .values([1, 2, 3].map((n) => ({ ...scan, n, scanned_at: '2026-11-03T03:10:00.000Z' })))
    .execute()
  await db
    .insertInto('owner_scans')
    .values({ owner_id: owner.id, quarter: '2026-11-03T03:00', scans: 3 })
    .execute()
  await db
    .insertInto('lost_periods')
    .values({ qr_id, since: '2026-11-05T03:10:00.000Z', until: '2026-11-05T04:10:00.000Z' })
    .execute()
  const looked = { document_id: null, document_type: null, document_side: null }
  await db
    .insertInto('document_views')
    .values({ id: 'v', qr_id, ...looked, viewed_at: '2026-11-07T03:10:00.000Z' })
    .execute()
  const messages = [{ text: 'They lie at the counter' }]
  await insertConversation(db, { account_id: owner.id, qr_id }, { messages })

  /** All that an account is shown by its pages and calls, but for its own name and address in their frame. */
  async function allShownTo(as: typeof owner, token?: string): Promise<string> {
    const calls = [
      '/api/qr/my-qrs',
      '/api/conversations',
      `/api/documents/${qr_id}`,
      `/api/gallery/${qr_id}`,
      `/api/scan/${qr_id}/analytics`,
      '/api/client/password-reset-requests',
      '/api/auth/me',
    ]
    const pages = [
      '/dashboard',
      `/dashboard?edit=${qr_id}`,
      `/dashboard?show=${qr_id}`,
      '/dashboard?tab=messages',
      '/dashboard?tab=documents',
      '/dashboard?tab=gallery',
      '/dashboard?tab=analytics',
      '/dashboard?tab=password-requests',
      '/settings',
    ]
    const texts: string[] = []
    for (const path of token ? [`/api/transfers/${token}`, ...calls] : calls) {
      texts.push(await (await ask('GET', path, { as })).text())
    }
    for (const path of token ? [`/transfer/${token}`, ...pages] : pages) {
      texts.push(await (await page(path, as.cookie)).text())
    }
    return texts.join('\n').replaceAll(/"(?:qr_image|image)":"[^"]*"|data:image[^"]*/g, '')
  }
  return { ...app, allShownTo }
}

const rows = readRows()
const isIn = (shown: string) => (text: string | RegExp) =>
  typeof text === 'string' ? shown.includes(text) : text.test(shown)

test('every row of the table has something that shows it', () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(SHOWN))
})

test('the data that the next tests search for exists while the old owner has the code', async () => {
  const { allShownTo, owner } = await openBothSides()
  const shown = await allShownTo(owner)
  // A locked document stands in no list, and a later one is not there yet.
  const late = /all other documents|new owner puts|afterwards/
  for (const { what } of rows.filter((row) => !late.test(row.what))) {
    for (const text of SHOWN[what] ?? [])
      expect([what, text, isIn(shown)(text)]).toEqual([what, text, true])
  }
})

test('each side is shown what the table says, and no more', async () => {
  const { begin, accept, allShownTo, ask, db, owner, buyer, qr_id } = await openBothSides()
  const token = await begin({ include_documents: true })
  const before = await allShownTo(buyer, token)
  const fields = {
    owner_name: 'Holder Pillai',
    contact_phone: '98190 00482',
    city_area: 'Dadar West',
  }
  expect((await accept(token, buyer, fields)).status).toBe(200)
  const counted = await allShownTo(buyer)
  await ask('GET', `/scan/${qr_id}`)
  const messages = [{ text: 'I stand beside it' }]
  await insertConversation(db, { account_id: buyer.id, qr_id }, { messages })
  const sides = [before, counted + (await allShownTo(buyer)), await allShownTo(owner)]
  for (const { what, answers } of rows) {
    const given = sides.map((shown) => {
      const there = (SHOWN[what] ?? []).filter(isIn(shown)).length
      return there === 0 ? 'no' : there === SHOWN[what]?.length ? 'yes' : `${there} of it`
    })
    expect([what, ...given]).toEqual([what, ...answers])
  }
})
