import { describe, expect, test } from 'vitest'
import { matchesSearch } from '#db/codes/qr-search.ts'
import { NO_QR_FIELDS } from '#domain/codes/qr.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { UNCLAIMED } from '#tests/support/families.ts'

type Listed = Record<string, unknown> & { qr_id: string; owner_name: string | null }

async function list(app: TestApp, as: { bearerToken: string }, query = '') {
  const answer = await app.ask('GET', `/api/qr/my-qrs${query}`, { as })
  expect(answer.status).toBe(200)
  const codes = (await answer.json()) as Listed[]
  return {
    codes,
    names: codes.map(({ owner_name }) => owner_name),
    total: answer.headers.get('X-Total-Count'),
  }
}

const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 9, 0, second)).toISOString()

describe('GET /api/qr/my-qrs', () => {
  test('is an empty array without codes', async () => {
    const app = await openTestApp()
    const { codes, total } = await list(app, await app.signUp())
    expect([codes, total]).toEqual([[], '0'])
  })

  test('is streamed: an answer that is not read uses no memory', async () => {
    const app = await openTestApp()
    const owner = await app.signUp()
    for (let i = 0; i < 250; i++) await insertCode(app.db, owner.id)
    const answer = await app.ask('GET', '/api/qr/my-qrs', { as: owner, isStream: true })
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    const pieces = [(await reader.read()).value ?? new Uint8Array()]
    await app.db.deleteFrom('qr_codes').execute()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value)
    }
    expect(answer.headers.get('X-Total-Count')).toBe('250')
    expect(JSON.parse(Buffer.concat(pieces).toString())).toHaveLength(100)
  })

  test('leaves the thread to others between the pictures, however many lists are sent at once', async () => {
    const app = await openTestApp()
    const owner = await app.signUp()
    for (let i = 0; i < 30; i++) await insertCode(app.db, owner.id)
    const ask = () => app.ask('GET', '/api/qr/my-qrs', { as: owner, isStream: true })
    const answers = await Promise.all(Array.from({ length: 10 }, ask))
    let made = 0
    let most = 0
    const count = () => {
      most = Math.max(most, made)
      made = 0
      watching = setImmediate(count)
    }
    let watching = setImmediate(count)
    const read = async ({ body }: Response) => {
      const pieces = (body as ReadableStream<Uint8Array>).values()
      // It was made before there was an answer.
      await pieces.next()
      for await (const piece of pieces) made += piece.length > 1 ? 1 : 0
    }
    await Promise.all(answers.map(read))
    clearImmediate(watching)
    expect(Math.max(most, made)).toBeLessThan(4)
  })

  test('holds every field of a code, its owner, its counts, and nothing else', async () => {
    const app = await openTestApp()
    const owner = await app.signUp()
    const code = await insertCode(app.db, owner.id, { pin_hash: 'hash of a PIN' })
    const { codes } = await list(app, owner)
    expect(codes).toEqual([
      {
        id: code.id,
        qr_id: code.qr_id,
        qr_type: 'normal',
        owner_id: owner.id,
        access: 'owner',
        ...NO_QR_FIELDS,
        owner_name: 'Ramesh Kulkarni',
        contact_phone: '+919876543210',
        contact_mode: 'public',
        thing: 'keys',
        show_vehicle: true,
        show_city: true,
        lost: null,
        has_pin: true,
        is_active: true,
        is_claimed: true,
        is_child_registered: false,
        is_claimed_away: false,
        claim_undo_until: null,
        child_name: null,
        needs_activation: false,
        replaces: [],
        scan_count: 0,
        document_count: 0,
        qr_image: expect.stringMatching(/^iVBORw0KGgo[\w+/]+=*$/),
        created_at: code.created_at,
        updated_at: code.updated_at,
      },
    ])
  })

  test('shows a child user the code that it registered, and its parent that code too', async () => {
    const app = await openTestApp()
    const parent = await app.signUp()
    const child = await app.signUp({ parent_id: parent.id })
    const own = { qr_type: 'child', child_account_id: child.id, owner_name: 'Isha' } as const
    await insertCode(app.db, parent.id, { created_at: at(1) })
    await insertCode(app.db, parent.id, { ...own, is_child_registered: 1, created_at: at(2) })
    expect((await list(app, child)).names).toEqual(['Isha'])
    expect((await list(app, parent)).names).toEqual(['Isha', 'Ramesh Kulkarni'])
  })

  test('shows the buyer of a code what is theirs now, and its issuer nothing of it', async () => {
    const app = await openTestApp()
    const [issuer, buyer] = [await app.signUp(), await app.signUp()]
    await insertCode(app.db, buyer.id, { created_by: issuer.id })
    expect((await list(app, buyer)).codes).toHaveLength(1)
    expect((await list(app, issuer)).codes).toEqual([])
  })

  test('shows the issuer of a code held by a claimer only what its scan page shows', async () => {
    const app = await openTestApp()
    const issuer = await app.signUp()
    await insertCode(app.db, issuer.id, {
      ...HELD,
      claim_email: 'private@example.in',
      email: 'shown@example.in',
      driving_license_number: 'DL-SECRET',
      insurance_policy_number: 'POLICY-SECRET',
      insurance_expiry_date: '2027-01-01',
      next_service_due: '2027-02-02',
      notes_instructions: 'NOTES-SECRET',
    })
    const { codes } = await list(app, issuer)
    expect(codes[0]).toMatchObject({
      is_claimed: true,
      is_claimed_away: true,
      claim_undo_until: '2026-11-26T10:00:00.000Z',
      owner_name: 'Ramesh Kulkarni',
      email: 'shown@example.in',
    })
    const text = JSON.stringify(codes)
    for (const hidden of ['private@', 'SECRET', '2027-']) expect(text).not.toContain(hidden)
    for (const guess of ['DL-S', 'policy-secret', 'NOTES', 'private@']) {
      expect((await list(app, issuer, `?search=${guess}`)).codes).toEqual([])
    }
  })

  test('counts the scans of a code, and the documents that the account may open', async () => {
    const app = await openTestApp()
    const parent = await app.signUp()
    const child = await app.signUp({ parent_id: parent.id })
    const code = await insertCode(app.db, parent.id, {
      qr_type: 'child',
      child_account_id: child.id,
    })
    const other = await insertCode(app.db, parent.id)
    for (const qr_id of [code.qr_id, code.qr_id, code.qr_id, other.qr_id]) {
      await app.deps.scanPath.record({ qr_id, device: 'phone', referrer: 'direct' })
    }
    await insertDocument(app, { qr_id: code.qr_id, account_id: child.id, is_public: 0 })
    await insertDocument(app, { qr_id: code.qr_id, account_id: child.id, is_public: 1 })
    await insertDocument(app, { qr_id: code.qr_id, account_id: parent.id, is_public: 0 })
    const counts = async (as: { bearerToken: string }) =>
      (await list(app, as)).codes.find(({ qr_id }) => qr_id === code.qr_id)
    expect(await counts(parent)).toMatchObject({ scan_count: 3, document_count: 2 })
    expect(await counts(child)).toMatchObject({ scan_count: 3, document_count: 2 })
    expect((await list(app, parent)).codes).toContainEqual(
      expect.objectContaining({ qr_id: other.qr_id, scan_count: 1, document_count: 0 }),
    )
  })
})

describe('my codes that are lost, and those with the most scans', () => {
  async function openScanned() {
    const app = await openTestApp()
    const owner = await app.signUp({ subscription_plan: 'enterprise' })
    const insert = async (owner_name: string, scans: number, fields: object = {}) => {
      const code = await insertCode(app.db, owner.id, { owner_name, ...fields })
      for (let n = 0; n < scans; n++) {
        await app.deps.scanPath.record({ qr_id: code.qr_id, device: 'phone', referrer: 'direct' })
      }
    }
    await insert('Few', 1, { created_at: at(1) })
    await insert('Moved', 1, { earlier_scans: 3, created_at: at(2) })
    await insert('Most', 5, { lost_since: at(9), created_at: at(3) })
    await insert('Held', 7, { ...HELD, created_at: at(4) })
    await insert('None', 0, { lost_since: at(9), created_at: at(5) })
    await insertCode(app.db, (await app.signUp()).id, { lost_since: at(9) })
    return { app, owner }
  }

  test('are found by the call, and a claimer’s scans order nothing for the issuer', async () => {
    const { app, owner } = await openScanned()
    const byScans = ['Most', 'Moved', 'Few', 'None', 'Held']
    expect((await list(app, owner, '?sort=scans')).names).toEqual(byScans)
    const second = await list(app, owner, '?sort=scans&page=2&limit=2')
    expect(second).toMatchObject({ names: ['Few', 'None'], total: '5' })
    const lost = await list(app, owner, '?filter=lost')
    expect(lost).toMatchObject({ names: ['None', 'Most'], total: '2' })
    expect((await list(app, owner, '?filter=lost&sort=scans&search=o')).names).toEqual([
      'Most',
      'None',
    ])
    const refused = await app.ask('GET', '/api/qr/my-qrs?filter=stolen', { as: owner })
    expect(await refused.json()).toEqual({ detail: 'filter must be due or lost' })
  })

  test('are in the order of their titles on request, those without one last', async () => {
    const app = await openTestApp()
    const owner = await app.signUp({ subscription_plan: 'enterprise' })
    const insert = (owner_name: string, fields: object = {}) =>
      insertCode(app.db, owner.id, { owner_name, ...fields })
    await insertCode(app.db, owner.id, UNCLAIMED)
    await insert('By name')
    await insert('By model', { vehicle_make_model: 'bajaj Pulsar', vehicle_registration: 'XX1' })
    await insert('By plate', { vehicle_registration: 'AP12AB1234' })
    await insert('Older twin', {
      vehicle_make_model: 'Bajaj Pulsar',
      created_at: '2026-01-01T00:00:00.000Z',
    })
    const hidden = { ...HELD, show_vehicle: 0, vehicle_make_model: 'Aston Martin' }
    await insert('Claimed away', hidden)
    const names = ['By plate', 'By model', 'Older twin', 'By name', 'Claimed away', null]
    expect((await list(app, owner, '?sort=title')).names).toEqual(names)
    const second = await list(app, owner, '?sort=title&page=2&limit=2')
    expect(second).toMatchObject({ names: ['Older twin', 'By name'], total: '6' })
  })

  test('are each in the list once, however many there are', async () => {
    const { app, owner } = await openScanned()
    for (let n = 0; n < 130; n++) await insertCode(app.db, owner.id, { earlier_scans: n % 7 })
    const { codes } = await list(app, owner, '?sort=scans')
    expect(new Set(codes.map(({ qr_id }) => qr_id)).size).toBe(135)
    const scans = codes.map(({ scan_count }) => Number(scan_count))
    expect(scans).toEqual(scans.toSorted((a, b) => b - a))
  })

  test('are a choice of the page, with their number, which its address keeps', async () => {
    const { app, owner } = await openScanned()
    const headers = { cookie: owner.cookie }
    const html = async (query: string) =>
      (await app.ask('GET', `/dashboard?tab=my-qrs&${query}`, { headers })).text()
    const namesIn = (page: string) =>
      [...page.matchAll(/<h2 id="qr-\w+"[^>]*><bdi[^>]*>([^<]+)/g)].map(([, name]) => name)
    const lost = await html('filter=lost&sort=scans')
    expect(namesIn(lost)).toEqual(['Most', 'None'])
    const counts = ['>All (5)<', '>Due soon (0)<', 'value="lost" selected="">Lost (2)<']
    for (const count of counts) expect(lost).toContain(count)
    expect(lost).toContain('value="scans" selected="">Most scans<')
    expect(lost).toMatch(/href="[^"]*filter=lost&amp;sort=scans[^"]*layout=list/)
    expect(await html('filter=due')).toContain('>Lost (2)<')
    await app.db.updateTable('qr_codes').set({ lost_since: null }).execute()
    expect(await html('filter=lost')).toContain('Nothing is lost')
  })
})

let documents = 0
async function insertDocument(
  { db }: TestApp,
  document: { qr_id: string; account_id: string; is_public: 0 | 1 },
): Promise<void> {
  const id = `document-${++documents}`
  const file = { file_name: 'a.pdf', stored_name: id, thumbnail_name: null, file_size: 1 }
  const kind = { document_type: 'puc', document_side: null, content_type: 'application/pdf' }
  await db
    .insertInto('documents')
    .values({ id, ...document, ...file, ...kind, uploaded_at: at(0) })
    .execute()
}

describe('pages of my codes', () => {
  async function openWithTwentyFive() {
    const app = await openTestApp()
    const owner = await app.signUp({ subscription_plan: 'premium' })
    for (let n = 1; n <= 25; n++) {
      await insertCode(app.db, owner.id, { owner_name: `Key ${n}`, created_at: at(n) })
    }
    return { app, owner }
  }

  test('come newest first, with the total beside them', async () => {
    const { app, owner } = await openWithTwentyFive()
    const whole = await list(app, owner)
    expect([whole.names.length, whole.names[0], whole.total]).toEqual([25, 'Key 25', '25'])
    const first = await list(app, owner, '?page=1&limit=10')
    const last = await list(app, owner, '?page=3&limit=10')
    expect([first.names.length, first.names[0], first.total]).toEqual([10, 'Key 25', '25'])
    expect(last.names).toEqual(['Key 5', 'Key 4', 'Key 3', 'Key 2', 'Key 1'])
    expect(await list(app, owner, '?page=4&limit=10')).toMatchObject({ codes: [], total: '25' })
  })

  test('hold 20 codes by default, and never more than 100', async () => {
    const { app, owner } = await openWithTwentyFive()
    expect((await list(app, owner, '?page=1')).names).toHaveLength(20)
    expect((await list(app, owner, '?page=&limit=3')).names).toHaveLength(3)
    for (let n = 26; n <= 105; n++) await insertCode(app.db, owner.id)
    expect((await list(app, owner, '?limit=100')).names).toHaveLength(100)
    expect((await list(app, owner, '?page=1000000')).names).toEqual([])
  })

  test('keep codes of one moment apart: no code twice, none left out', async () => {
    const app = await openTestApp()
    const owner = await app.signUp()
    for (let n = 0; n < 9; n++) await insertCode(app.db, owner.id)
    const pages = [1, 2, 3].map((page) => list(app, owner, `?page=${page}&limit=3`))
    const seen = (await Promise.all(pages)).flatMap(({ codes }) => codes.map((code) => code.qr_id))
    expect(new Set(seen).size).toBe(9)
  })

  test.each([
    'page=0',
    'page=-1',
    'page=1.5',
    'page=one',
    'limit=0',
    'limit=101',
    'limit=1000',
    `page=${'9'.repeat(300)}`,
    'limit=10;drop',
    'page=1&page=2',
  ])('refuse ?%s', async (query) => {
    const { ask, signUp } = await openTestApp()
    const answer = await ask('GET', `/api/qr/my-qrs?${query}`, { as: await signUp() })
    const name = query.split('=')[0]
    const detail = `${name} must be a whole number from 1 to ${name === 'page' ? 1_000_000 : 100}`
    expect([answer.status, await answer.json()]).toEqual([400, { detail }])
  })
})

describe('searching my codes', () => {
  async function openWithThree() {
    const app = await openTestApp()
    const owner = await app.signUp()
    await insertCode(app.db, owner.id, {
      qr_id: '000000000011',
      created_at: at(3),
      owner_name: 'Émile Zola',
      contact_phone: '98765 43210',
      email: 'emile@example.in',
      city_area: 'Kothrud, Pune',
      emergency_contact_name: 'Nandini',
      emergency_contact_phone: '+91 (20) 1234-5678',
      blood_group: 'AB-',
      vehicle_registration: 'MH12QX4827',
      vehicle_make_model: 'Tata Nexon',
      driving_license_number: 'MH-1420110012345',
      insurance_policy_number: 'POL/77/A',
      company_fleet_name: 'Blue Cabs',
      notes_instructions: 'Ring twice',
      public_message: 'Chai for the finder',
    })
    for (const [n, owner_name] of ['a_b \\ c', '100% mine'].entries()) {
      const others = { qr_id: 'Z'.repeat(11 + n), contact_phone: '+919000000000' }
      await insertCode(app.db, owner.id, { ...others, owner_name, created_at: at(n) })
    }
    const search = async (text: string) => {
      const { names, total } = await list(app, owner, `?search=${encodeURIComponent(text)}`)
      expect(total).toBe(String(names.length))
      return names
    }
    return search
  }

  test('finds a text in every field that is shown, in any letter case', async () => {
    const search = await openWithThree()
    const texts =
      'zola|ÉMILE|émile|EMILE@EXAMPLE|kothrud|nandini|ab-|nexon|1420110|pol/77|blue cabs|RING TWICE|chai'
    for (const text of texts.split('|')) {
      expect([text, await search(text)]).toEqual([text, ['Émile Zola']])
    }
    expect(await search('nowhere')).toEqual([])
  })

  test('finds ids, plates and phone numbers however they are spaced', async () => {
    const search = await openWithThree()
    const ids = ['000000000011', '0000-0000-0011', 'oooo-oooo-ooil', '0000 0011']
    const plates = ['mh 12 qx 4827', 'MH12-QX']
    const numbers = ['9876543210', '+91 98765 43210', '098765-43210', '2012345678', '+91 20 1234']
    for (const text of [...ids, ...plates, ...numbers]) {
      expect([text, await search(text)]).toEqual([text, ['Émile Zola']])
    }
  })

  test('searches for %, _ and \\ as plain characters', async () => {
    const search = await openWithThree()
    expect(await search('%')).toEqual(['100% mine'])
    expect(await search('_')).toEqual(['a_b \\ c'])
    expect(await search('\\')).toEqual(['a_b \\ c'])
    expect(await search('-')).toEqual(['Émile Zola'])
    expect(await search("' or 1=1 --")).toEqual([])
  })

  test('finds a text that begins with a repetition as any other', async () => {
    const app = await openTestApp()
    const owner = await app.signUp()
    const fields = { owner_name: 'ïïsa', notes_instructions: 'Ask MAMATA_%, 2200' }
    await insertCode(app.db, owner.id, { ...fields, vehicle_registration: 'AABB112233' })
    await insertCode(app.db, owner.id, { owner_name: 'Mama Tara', notes_instructions: '220' })
    for (const text of ['mamata', 'MamaTa_%', '2200', 'aa bb-11', '1122 33', 'ïï', 'ÏÏSA']) {
      expect([text, (await list(app, owner, `?search=${encodeURIComponent(text)}`)).names]).toEqual(
        [text, ['ïïsa']],
      )
    }
    expect((await list(app, owner, '?search=mamata%20')).names).toEqual(['ïïsa'])
    expect((await list(app, owner, '?search=mamamata')).names).toEqual([])
  })

  test('compares no text that begins with a repetition at every place of a long one', async () => {
    const { db } = await openTestApp()
    const queryFor = (text: string) =>
      db
        .selectFrom('qr_codes')
        .select('id')
        .where((eb) => matchesSearch(eb, { id: 'someone', parent_id: null }, text))
        .compile().sql
    expect(queryFor('lb')).toMatch(/like/)
    for (const text of ['llb', 'LlB', 'ababc', `${'l'.repeat(199)}b`]) {
      expect([text, queryFor(text)]).toEqual([text, expect.not.stringMatching(/like/)])
    }
  })

  test('counts and pages what it found', async () => {
    const app = await openTestApp()
    const owner = await app.signUp()
    for (let n = 1; n <= 7; n++) {
      const owner_name = n % 2 ? `Bike ${n}` : `Car ${n}`
      await insertCode(app.db, owner.id, { owner_name, created_at: at(n) })
    }
    const second = await list(app, owner, '?search=bike&page=2&limit=3')
    expect([second.names, second.total]).toEqual([['Bike 1'], '4'])
  })

  test('ignores a search for nothing, and refuses one that is too long', async () => {
    const { ask, signUp, db } = await openTestApp()
    const owner = await signUp()
    await insertCode(db, owner.id)
    const blank = await ask('GET', '/api/qr/my-qrs?search=%20%20', { as: owner })
    expect(await blank.json()).toHaveLength(1)
    const long = await ask('GET', `/api/qr/my-qrs?search=${'x'.repeat(201)}`, { as: owner })
    const detail = 'search must be at most 200 characters'
    expect([long.status, await long.json()]).toEqual([400, { detail }])
  })
})
