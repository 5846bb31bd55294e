import { beforeEach, describe, expect, test } from 'vitest'
import type { ShareRole } from '#domain/people/roles.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertShare } from '#tests/support/people.ts'

type Someone = Awaited<ReturnType<TestApp['signUp']>>

let app: TestApp
let owner: Someone
let person: Someone
let code: { id: string; qr_id: string }

beforeEach(async () => {
  app = await openTestApp()
  owner = await app.signUp({ name: 'Meera Joshi' })
  person = await app.signUp()
  code = await insertCode(app.db, owner.id, { owner_name: 'Meera Joshi' })
})

function share(role: ShareRole, scope: object = {}) {
  return insertShare(app.db, { owner_id: owner.id, person_id: person.id }, { role, ...scope })
}

async function read(path: string, { cookie }: Someone = person) {
  const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: cookie }
  const answer = await app.ask('GET', path, { headers })
  return { status: answer.status, text: await answer.text() }
}

const LIST = '/dashboard?tab=my-qrs'
/** The texts by which a card offers each act. */
const ACTS = {
  download: '>PNG<',
  print: 'Print label',
  docs: '>Docs<',
  edit: '>Edit<',
  lost: 'Mark as lost',
  replace: 'Replace',
  switch: 'Deactivate',
  transfer: '>Transfer',
  delete: 'btn-red',
}

describe('the card of a shared code', () => {
  test.each([
    ['viewer', []],
    ['member', ['download', 'lost']],
    ['manager', ['download', 'print', 'docs', 'edit', 'lost', 'replace', 'switch']],
  ] as const)('offers a %s only %j', async (role, offered) => {
    await app.db.updateTable('accounts').set({ subscription_plan: 'premium' }).execute()
    await share(role)
    const { text } = await read(LIST)
    expect(text).toContain('Meera&#x27;s</bdi>')
    const shown = Object.entries(ACTS).flatMap(([act, word]) => (text.includes(word) ? [act] : []))
    expect(shown).toEqual(offered)
    expect(text).not.toContain('Only you see it')
  })

  test('has the plan of its owner', async () => {
    await share('manager')
    expect((await read(LIST)).text).not.toContain('Premium')
    const premium = { subscription_plan: 'premium' as const }
    await app.db.updateTable('accounts').set(premium).where('id', '=', owner.id).execute()
    expect((await read(LIST)).text).toContain('Mark as lost')
  })
})

describe('a dialog or file that a role lacks', () => {
  const PATHS = (id: string) => ({
    edit: `${LIST}&edit=${id}`,
    replace: `${LIST}&replace=${id}`,
    lost: `${LIST}&lost=${id}`,
    labels: `${LIST}&labels=${id}`,
    print: `/api/qr/labels.pdf?ids=${id}`,
    zip: `/api/qr/codes.zip?ids=${id}`,
    image: `/dashboard/qr/${id}/image?format=png&size=5`,
    delete: `${LIST}&delete=${id}`,
    transfer: `${LIST}&transfer=${id}`,
    activation: `${LIST}&activation=${id}`,
    made: `/dashboard/qr/${id}/made`,
  })

  test.each([
    ['viewer', []],
    ['member', ['lost', 'zip', 'image']],
    ['manager', ['edit', 'replace', 'lost', 'labels', 'print', 'zip', 'image', 'made']],
  ] as const)('answers a %s with 403, but for %j', async (role, allowed) => {
    await share(role)
    const open: string[] = []
    for (const [name, path] of Object.entries(PATHS(code.qr_id))) {
      const { status } = await read(path)
      if (status === 200) open.push(name)
      else expect([name, status]).toEqual([name, 403])
    }
    expect(open).toEqual(allowed)
  })

  test('answers with 404 for a code that is not shared', async () => {
    const { qr_id } = await insertCode(app.db, owner.id)
    await share('manager', { code_id: code.id })
    for (const [name, path] of Object.entries(PATHS(qr_id))) {
      expect([name, (await read(path)).status]).toEqual([name, 404])
    }
  })

  test('leaves the codes of all out on which the role cannot print', async () => {
    await insertCode(app.db, person.id)
    await share('viewer')
    const { text } = await read(`${LIST}&labels=1`)
    expect(text).toContain('1 QR code')
  })
})

describe('the list of own and shared codes', () => {
  const ids = async (query: string) => {
    const answer = await app.ask('GET', `/api/qr/my-qrs${query}`, { as: person })
    const codes = (await answer.json()) as { qr_id: string; access: string }[]
    return codes.map(({ qr_id, access }) => `${access} ${qr_id}`)
  }

  test('is switched to either, and refuses another word', async () => {
    const own = await insertCode(app.db, person.id, { created_at: '2026-11-02T09:00:00.000Z' })
    await share('member')
    const [mine, theirs] = [`owner ${own.qr_id}`, `member ${code.qr_id}`]
    for (const sort of ['', '&sort=title', '&sort=scans', '&sort=due']) {
      const listed = await ids(`?page=1${sort}`)
      expect(new Set(listed)).toEqual(new Set([mine, theirs]))
      expect(await ids(`?page=1&shared=mine${sort}`)).toEqual([mine])
      expect(await ids(`?shared=shared${sort}`)).toEqual([theirs])
    }
    expect(await ids('')).toEqual([mine, theirs])
    const wrong = await app.ask('GET', '/api/qr/my-qrs?shared=all', { as: person })
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({ detail: 'shared must be mine or shared' })
  })

  test('has the switch only where something is shared', async () => {
    await insertCode(app.db, person.id)
    const has = async () => (await read(LIST)).text.includes('aria-label="Whose"')
    expect(await has()).toBe(false)
    await share('viewer')
    expect(await has()).toBe(true)
    const { text } = await read(`${LIST}&shared=mine`)
    expect(text).not.toContain(code.qr_id)
    expect(text).toContain('shared=shared')
  })

  test('says so where nothing is shared now, and offers a first code of one’s own', async () => {
    await share('member', { company_fleet_name: 'Sai Motors' })
    expect((await read(`${LIST}&shared=shared`)).text).toContain('Nothing is shared')
    expect((await read(`${LIST}&shared=mine`)).text).toContain('No QR Codes Yet')
  })

  test('counts own codes alone against the plan', async () => {
    await share('manager')
    const { text } = await read(LIST)
    expect(text.replace(/<[^>]*>/g, '')).toContain('0 of 1 QR codes')
    expect(text).toContain('Create QR Code')
  })

  test('says what is due above all codes, and above no part of them', async () => {
    await insertCode(app.db, owner.id, { next_service_due: '2026-12-01' })
    await share('manager')
    expect((await read(LIST)).text).toContain('Service due')
    expect((await read(`${LIST}&shared=mine`)).text).not.toContain('Service due')
  })

  test('lists the companies of others with their codes alone', async () => {
    await insertCode(app.db, owner.id, { company_fleet_name: 'Sai Motors' })
    await share('viewer')
    expect((await read(LIST)).text).toContain('Sai Motors')
    expect((await read(`${LIST}&shared=mine`)).text).not.toContain('Sai Motors')
  })

  test('offers another fleet for codes that are not bound to a company', async () => {
    for (const n of [1, 2])
      await insertCode(app.db, owner.id, { owner_name: `${n}`, company_fleet_name: 'Sai Motors' })
    await share('manager', { company_fleet_name: 'Sai Motors' })
    const offersFleet = async (query = '') =>
      (await read(`${LIST}&select=1${query}`)).text.includes('Set fleet')
    expect([await offersFleet(), await offersFleet('&q=1&shared=shared')]).toEqual([false, false])
    await insertCode(app.db, person.id)
    expect(await offersFleet()).toBe(true)
  })

  test('shows one who only looks no files, and no selection', async () => {
    await insertCode(app.db, owner.id)
    await share('viewer')
    const { text } = await read(LIST)
    for (const word of ['Print labels', 'Download ZIP', '>Select<'])
      expect(text).not.toContain(word)
  })
})
