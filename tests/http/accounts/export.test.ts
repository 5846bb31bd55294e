import { describe, expect, test } from 'vitest'
import { keepExporting, makeExports, removeOldExports } from '#actions/accounts/exports.ts'
import { getAccount } from '#db/accounts/accounts.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import { differencesOf } from '#db/engine.ts'
import { claimExport, hasExportWork } from '#db/exports/exports.ts'
import { KINDS } from '#db/tables/registry.ts'
import { NOW, openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { EVERY_ROW } from '#tests/support/every-row.ts'
import { countEach, RACERS } from '#tests/support/races.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { fileForm, PDF, picture } from '#tests/support/uploads.ts'
import { readZip } from '#tests/support/zip.ts'

type Exported = { id: string; status: string; progress: number; download_url: string | null }

async function openExports() {
  const app = await openTestApp()
  const { deps } = app
  const owner = await app.signUp({ subscription_plan: 'premium' })
  const begin = async (as = owner) => app.ask('POST', '/api/account/export', { as })
  const look = async (id: string, as = owner): Promise<Exported> =>
    (await app.ask('GET', `/api/account/export/${id}`, { as })).json()
  const download = (id: string, as = owner) =>
    app.ask('GET', `/api/account/export/${id}/file`, { as, isStream: true })
  async function exported(as = owner) {
    const { id } = await (await begin(as)).json()
    await makeExports(deps)
    return id as string
  }
  async function contents(id: string, as = owner) {
    const zip = Buffer.from(await (await download(id, as)).arrayBuffer())
    const files = readZip(zip)
    const json = (name: string) => JSON.parse(String(files.get(`${name}.json`)))
    return { files, json }
  }
  const onShelf = () => deps.files.beside('exports').list()
  return { ...app, owner, begin, look, download, exported, contents, onShelf }
}

test('an export has a README, JSON of each kind, and documents and pictures as files', async () => {
  const app = await openExports()
  const { qr_id } = await insertCode(app.db, app.owner.id)
  const document = fileForm(PDF, { document_type: 'puc' })
  await app.ask('POST', `/api/documents/upload/${qr_id}`, { as: app.owner, body: document })
  const image = fileForm(await picture())
  await app.ask('POST', '/api/popup-images/upload', { as: app.owner, body: image })
  const id = await app.exported()
  const url = `http://localhost:3000/api/account/export/${id}/file`
  expect(await app.look(id)).toEqual({ id, status: 'done', progress: 100, download_url: url })
  const { files, json } = await app.contents(id)
  expect([...files.keys()].filter((name) => name.endsWith('.json')).sort()).toEqual(
    KINDS.map(({ file }) => `${file}.json`).sort(),
  )
  expect(String(files.get('README.txt'))).toContain('What is kept of your account')
  const { email, name } = app.owner
  expect(json('profile')).toMatchObject([{ id: app.owner.id, email, name }])
  expect(json('codes')).toMatchObject([{ qr_id }])
  const [stored] = json('documents')
  expect(stored).not.toHaveProperty('stored_name')
  expect(files.get(stored.file)).toEqual(PDF)
  const [shown] = json('popup-images')
  expect(files.get(shown.file)?.length).toBe(shown.file_size)
})

test('an export names files as every system can unpack them', async () => {
  const app = await openExports()
  const { qr_id } = await insertCode(app.db, app.owner.id)
  const named: Record<string, string> = {}
  for (const name of ['RC 12:30 <a|b?*>.pdf', `${'\u{1f697}'.repeat(116)}.pdf`, 'x.pdf::$DATA']) {
    const body = fileForm(PDF, { document_type: 'insurance' }, name)
    await app.ask('POST', `/api/documents/upload/${qr_id}`, { as: app.owner, body })
  }
  const { files, json } = await app.contents(await app.exported())
  for (const { file, file_name } of json('documents')) {
    expect(files.get(file)).toEqual(PDF)
    expect(Buffer.byteLength(file)).toBeLessThan(255)
    named[file_name] = file.replace(/^documents\/\d+-/, '')
  }
  expect(named).toEqual({
    'RC 12:30 <a|b?*>.pdf': 'RC 12_30 _a_b___.pdf',
    [`${'\u{1f697}'.repeat(116)}.pdf`]: `${'\u{1f697}'.repeat(56)}.pdf`,
    'x.pdf::$DATA.pdf': 'x.pdf__$DATA.pdf',
  })
})

test('every kind is read, and no secret is in it', async () => {
  const app = await openTestApp()
  await differencesOf(app.db).load(EVERY_ROW)
  const as = await app.deps.sessions.start(await getAccount(app.db, 'a1'))
  await app.db.updateTable('reset_questions').set({ account_id: 'a2' }).execute()
  await app.db.updateTable('qr_codes').set({ claimed_at: null }).execute()
  await app.db.updateTable('conversations').set({ is_deleted: 0 }).execute()
  await app.db.deleteFrom('exports').execute()
  await app.db.deleteFrom('account_deletions').execute()
  const { id } = await (await app.ask('POST', '/api/account/export', { as })).json()
  await makeExports(app.deps)
  const answer = await app.ask('GET', `/api/account/export/${id}/file`, { as, isStream: true })
  const files = readZip(Buffer.from(await answer.arrayBuffer()))
  const empty = [...files].filter(([, content]) => String(content) === '[]\n').map(([name]) => name)
  // These belong to a child, to a code that a claimer holds, and to a permission that has ended.
  expect(empty.sort()).toEqual([
    'codes-held-by-claimers.json',
    'documents.json',
    'guardian.json',
    'password-resets.json',
    'permissions.json',
  ])
  files.delete('README.txt')
  const all = [...files.values()].map(String).join('\n')
  for (const secret of ['hash', '"rc"', '"td"', '"wb"', '"trh"', '"tk"', 'token', 'secret"']) {
    expect(all).not.toContain(secret)
  }
})

describe('data that others gave', () => {
  test('is in it as far as the owner sees it', async () => {
    const app = await openExports()
    const { qr_id } = await insertCode(app.db, app.owner.id)
    const about = { account_id: app.owner.id, qr_id }
    const shown = { reply_to: 'shown@example.in', show_contact: 1 } as const
    await insertConversation(app.db, about, shown)
    await insertConversation(app.db, about, { reply_to: 'hidden@example.in' })
    await insertConversation(app.db, about, { ...shown, is_deleted: 1 })
    const { files, json } = await app.contents(await app.exported())
    expect(
      json('conversations')
        .map(({ contact }: { contact: string }) => contact)
        .sort(),
    ).toEqual([null, 'shown@example.in'].sort())
    expect([...files.values()].map(String).join()).not.toContain('hidden@example.in')
  })

  test('has no id that a code got after somebody else had it', async () => {
    const { db, deps, owner, signUp, contents, exported } = await openExports()
    const { qr_id } = await insertCode(db, owner.id)
    await insertConversation(db, { account_id: owner.id, qr_id }, {})
    const account_id = owner.id
    const times = { created_at: NOW, asked_at: null, verified_at: NOW }
    const domain = { account_id, domain: 'keys.example.in', token: 't', ...times }
    await db.insertInto('brand_domains').values(domain).execute()
    await db.insertInto('domain_prints').values({ account_id, qr_id }).execute()
    const other = await signUp()
    await db.updateTable('qr_codes').set({ owner_id: other.id }).execute()
    const { qr_id: newId } = await replaceQrCode(db, other, qr_id, deps.clock())
    const { files, json } = await contents(await exported())
    expect(json('conversations')).toMatchObject([{ qr_id }])
    expect([...files.values()].map(String).join()).not.toContain(newId)
  })

  test('is not in it where a claimer holds the code', async () => {
    const app = await openExports()
    const held = { claimed_at: app.deps.clock().toISOString(), owner_name: 'Claimer' }
    const { qr_id } = await insertCode(app.db, app.owner.id, held)
    await app.deps.scanPath.record({ qr_id, device: 'phone', referrer: 'direct' })
    const { files, json } = await app.contents(await app.exported())
    expect(json('codes')).toEqual([])
    expect(json('codes-held-by-claimers')).toMatchObject([{ qr_id }])
    const all = [...files.values()].map(String).join()
    expect(all).not.toContain('Claimer')
    expect(all).not.toContain('"scans":1')
  })
})

describe('an export', () => {
  test('can be downloaded for 24 hours, and then its file goes', async () => {
    const app = await openExports()
    const id = await app.exported()
    app.advance(24 * 3600 - 1)
    expect((await app.download(id)).status).toBe(200)
    app.advance(1)
    const again = { as: await app.deps.sessions.start(app.owner) }
    expect((await app.ask('GET', `/api/account/export/${id}`, again)).status).toBe(404)
    await makeExports(app.deps)
    expect(await app.onShelf()).toEqual([])
  })

  test('is one at a time, however many ask, and a new one replaces it', async () => {
    const app = await openExports()
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => (await (await app.begin()).json()).id as string),
    )
    await makeExports(app.deps)
    expect(await app.onShelf()).toHaveLength(1)
    expect(Object.keys(countEach(ids)).length).toBeLessThanOrEqual(RACERS)
    expect((await app.begin()).status).toBe(429)
  })

  test('that a server left in its middle is made anew by another one', async () => {
    const app = await openExports()
    const { id } = await (await app.begin()).json()
    const first = makeExports(app.deps)
    await first
    await app.db
      .updateTable('exports')
      .set({ status: 'running', done_at: null, claimed_until: app.deps.clock().toISOString() })
      .execute()
    expect(await claimExport(app.db, app.deps.clock())).toMatchObject({ id })
    await makeExports(app.deps)
    expect(await app.look(id)).toMatchObject({ status: 'running' })
    app.advance(31)
    await makeExports(app.deps)
    expect(await app.look(id)).toMatchObject({ status: 'done' })
  })

  test('that a server left while its clock was ahead does not wait for that time', async () => {
    const app = await openExports()
    const { id } = await (await app.begin()).json()
    app.advance(86_400)
    expect(await claimExport(app.db, app.deps.clock())).toMatchObject({ id })
    app.advance(-86_400)
    expect(await hasExportWork(app.db, app.deps.clock())).toBe(true)
    await makeExports(app.deps)
    expect(await app.look(id)).toMatchObject({ status: 'done' })
  })

  test('of a file that is gone names it', async () => {
    const app = await openExports()
    const { qr_id } = await insertCode(app.db, app.owner.id)
    const body = fileForm(PDF, { document_type: 'puc' })
    await app.ask('POST', `/api/documents/upload/${qr_id}`, { as: app.owner, body })
    const names = await app.db.selectFrom('documents').select('stored_name').execute()
    await app.deps.files.remove(names.map(({ stored_name }) => stored_name))
    const { json } = await app.contents(await app.exported())
    expect(json('missing')).toEqual([json('documents')[0].file])
  })

  test('whose own file is gone says so, and offers a new one', async () => {
    const app = await openExports()
    const id = await app.exported()
    await app.deps.files.beside('exports').remove(`${id}.zip`)
    expect(await app.look(id)).toMatchObject({ status: 'failed', download_url: null })
    const headers = { Cookie: app.owner.cookie }
    const html = await (await app.ask('GET', '/settings/data', { headers })).text()
    expect(html).toContain('The file of your export is no longer there.')
    expect(html).toContain('Make a new export')
    expect(html).not.toContain('/file"')
  })

  test('ends with its account, and leaves no file', async () => {
    const app = await openExports()
    await app.begin()
    await app.db.deleteFrom('sessions').execute()
    await app.db.deleteFrom('exports').execute()
    await makeExports(app.deps)
    expect(await app.onShelf()).toEqual([])
  })

  test('waits for the next start when the server stops', async () => {
    const app = await openExports()
    const { id } = await (await app.begin()).json()
    const stopping = new AbortController()
    const newTemporary = () => {
      stopping.abort()
      return app.deps.files.newTemporary()
    }
    const files = { ...app.deps.files, newTemporary }
    await makeExports({ ...app.deps, files }, stopping.signal)
    expect(await app.look(id)).toMatchObject({ status: 'running' })
    await makeExports(app.deps)
    expect(await app.look(id)).toMatchObject({ status: 'done' })
  })

  test('is begun at once where exports are made, and not after the stop', async () => {
    const app = await openExports()
    let begun = 0
    const stop = keepExporting(app.deps, async () => void begun++)
    await app.begin()
    // The look at the start may find it too.
    await expect.poll(() => begun).toBeGreaterThan(0)
    await stop()
    begun = 0
    await app.db.deleteFrom('exports').execute()
    app.advance(3600)
    await app.begin()
    await stop()
    expect(begun).toBe(0)
  })
})

test('the page begins one, shows how far it is, and offers it', async () => {
  const app = await openExports()
  const headers = { Cookie: app.owner.cookie, 'Sec-Fetch-Site': 'same-origin' }
  const page = async () => (await app.ask('GET', '/settings/data', { headers })).text()
  expect(await page()).toContain('Make an export')
  const begun = await app.ask('POST', '/settings/data/export', { headers })
  expect(begun.headers.get('Location')).toBe('/settings/data?done=export-begun&at=export')
  expect(await page()).toMatch(/Your export is being made|Download/)
  await makeExports(app.deps)
  const html = await page()
  expect(html).toContain('Download')
  expect(html).toContain('400 days, then totals')
  const [, path = ''] = /href="(\/api\/account\/export\/[^"]+)"/.exec(html) ?? []
  expect((await app.ask('GET', path, { headers, isStream: true })).status).toBe(200)
})

test('one that is made while old ones are removed keeps its file', async () => {
  const app = await openExports()
  const { deps } = app
  let made = ''
  const beside = (folder: string) => {
    const shelf = deps.files.beside(folder)
    const list = async () => {
      made ||= await app.exported()
      return shelf.list()
    }
    return { ...shelf, list }
  }
  await removeOldExports({ ...deps, files: { ...deps.files, beside } })
  expect((await app.download(made)).status).toBe(200)
})
