import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watchHealth } from '#actions/operations/health.ts'
import { VERSION } from '#config.ts'
import { hashContent } from '#storage/backup/archive.ts'
import { fileSource } from '#storage/backup/archive-place.ts'
import { backupsFolder } from '#storage/backup/place.ts'
import { readBackup } from '#storage/backup/read.ts'
import { writeRecord } from '#storage/backup/record.ts'
import { WITH_MAIL } from '#tests/support/accounts.ts'
import { openAdmin } from '#tests/support/admin.ts'
import { PASSWORD } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { isOnPostgres } from '#tests/support/postgres.ts'

const TAB = '?tab=system'

async function openSystem(options: Parameters<typeof openAdmin>[0] = {}) {
  const app = await openAdmin(options)
  const facts = async () =>
    Object.fromEntries(
      [...(await app.open(TAB)).html.matchAll(/<dt>([^<]+)<\/dt><dd>([^<]*)/g)].map((found) =>
        found.slice(1),
      ),
    )
  const press = (tool: string) => app.submit(`/system/${tool}`)
  const acts = async () => {
    const rows = await app.db.selectFrom('audit_events').select(['actor', 'action']).execute()
    return rows.map(({ actor, action }) => `${actor}: ${action}`)
  }
  return { ...app, facts, press, acts }
}

test('a page that could not be shown again after a change says so in its own words', async () => {
  const { open } = await openAdmin()
  for (const tab of ['overview', 'users', 'qr-codes', 'analytics', 'system']) {
    const { html } = await open(`?tab=${tab}`)
    expect(html).toContain('data-failure="Failed to load admin dashboard data"')
  }
})

test('the cards say how database and API do', async () => {
  const { facts, open, advance, deps, ask, db } = await openSystem()
  advance(3 * 3600 + 5 * 60)
  const { html } = await open(TAB)
  for (const word of ['Healthy', 'Operational', 'Demo Mode']) expect(html).toContain(word)
  expect(await facts()).toMatchObject({
    Size: expect.stringMatching(/^(\d+ KB|[\d.]+ MB)$/),
    // PostgreSQL's is that of the whole server.
    ...(!isOnPostgres() && {
      'Write-ahead log': expect.stringMatching(/^(\d+ KB|[\d.]+ MB)$/),
    }),
    'Last check': '20 Nov 2026, 3:30 pm',
    'Last backup': 'None',
    Version: VERSION,
    'Up for': '3 h 5 min',
    Since: '20 Nov 2026, 3:30 pm',
    'Errors since then': '0',
    'Rate limits': 'On',
    'Mail server': 'None',
    'One-time codes': 'Shown on the page',
    'Mails waiting': '0',
  })
  await db.schema.alterTable('scan_quarters').renameTo('gone').execute()
  expect((await ask('GET', `/admin?tab=overview`)).status).toBe(303)
  expect((await open('')).status).toBe(500)
  expect(deps.health.countFailures()).toBe(1)
  expect((await open('?tab=nothing')).status).toBe(500)
  expect(await facts()).toMatchObject({ 'Errors since then': '2' })
})

test('a check is run at once, and damage is reported', async () => {
  const { facts, press, advance, open, deps, acts } = await openSystem()
  advance(24 * 3600)
  expect((await press('check')).to).toBe('/admin?tab=system&done=checked')
  expect(await facts()).toMatchObject({ 'Last check': '21 Nov 2026, 3:30 pm' })
  expect((await open(`${TAB}&done=checked`)).html).toContain('The database was checked')
  expect(await acts()).toEqual(['Nandini Rao: database.checked'])
  advance(3600)
  await press('check')
  expect(await facts()).toMatchObject({ 'Last check': '21 Nov 2026, 4:30 pm' })
  deps.health.lastCheck = () => ({ at: new Date(), damage: 'row 7 missing from index' })
  const { html } = await open(TAB)
  expect(html).toContain('Damaged')
  expect(html).toContain('row 7 missing from index')
})

test('a test mail goes to the own address, and a mail server that refuses is quoted', async () => {
  const { press, mails, root, deps, open, acts } = await openSystem(WITH_MAIL)
  const { html } = await open(TAB)
  expect(html).toContain(`Send a test mail to ${root.email}`)
  expect(html).toContain('127.0.0.1:25')
  expect((await press('test-mail')).to).toBe('/admin?tab=system&done=test-mail')
  expect(mails).toMatchObject([{ to: root.email, subject: 'Test mail from DriveQR' }])
  expect(await acts()).toEqual(['Nandini Rao: mail.tested'])
  deps.mailer.send = () => Promise.reject(new Error('535 Authentication failed'))
  const refused = await press('test-mail')
  expect(refused.status).toBe(503)
  expect(refused.html).toContain('The test mail could not be sent: 535 Authentication failed')
})

test('a test mail goes to a verified address alone', async () => {
  const { press, mails, db } = await openSystem({ env: { SMTP_URL: 'smtp://127.0.0.1:25' } })
  await db.updateTable('accounts').set({ email_verified_at: null }).execute()
  const refused = await press('test-mail')
  expect(refused.status).toBe(503)
  expect(refused.html).toContain('Your email address is not verified')
  expect(mails).toEqual([])
})

test('without a mail server there is no test mail, and the password of one is never shown', async () => {
  const { press, open } = await openSystem()
  expect((await open(TAB)).html).not.toContain('test-mail')
  expect((await press('test-mail')).html).toContain('Email is not configured')
  const other = await openSystem({ env: { SMTP_URL: 'smtp://root:hush@mail.example.in:587' } })
  const { html } = await other.open(TAB)
  expect(html).toContain('mail.example.in:587')
  expect(html).not.toContain('hush')
})

test('the log of this process comes as a file, without the people in it', async () => {
  const { press, ask, root } = await openSystem()
  await ask('POST', '/api/auth/login', { json: { contact: root.email, password: 'wrong' } })
  const { headers, html } = await press('logs')
  expect(headers.get('Content-Disposition')).toBe('attachment; filename="driveqr-log.ndjson"')
  const lines = html
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toContainEqual(
    expect.objectContaining({ method: 'POST', route: '/api/auth/login', status: 401 }),
  )
  expect(html).not.toContain(root.email)
})

test('a cleared cache is filled again by the next finder', async () => {
  const { press, ask, db, root, acts } = await openSystem()
  const { qr_id } = await insertCode(db, root.id)
  const scan = async () => (await ask('GET', `/scan/${qr_id}`)).text()
  const before = await scan()
  expect((await press('clear-cache')).to).toBe('/admin?tab=system&done=cache-cleared')
  expect(await scan()).toBe(before)
  expect(await acts()).toEqual(['Nandini Rao: cache.cleared'])
})

test('a backup is made, read back, noted, kept and downloaded', async () => {
  const { browse, dataDir, acts, ask, root } = await openSystem()
  const answer = await ask('POST', '/admin/system/backup', {
    headers: { Cookie: root.cookie, 'Sec-Fetch-Site': 'same-origin' },
  })
  expect(answer.status).toBe(200)
  const name = 'driveqr-20261120T100000Z.tar'
  expect(answer.headers.get('Content-Disposition')).toBe(`attachment; filename="${name}"`)
  const sent = Buffer.from(await answer.arrayBuffer())
  const kept = join(dataDir, 'backups', name)
  expect(existsSync(kept)).toBe(true)
  const { manifest } = await readBackup(fileSource(kept), ({ content }) =>
    hashContent(content, () => {}),
  )
  expect(manifest).toMatchObject({ made_at: '2026-11-20T10:00:00.000Z' })
  expect(sent.subarray(0, 13).toString()).toBe('manifest.json')
  expect(await acts()).toEqual(['Nandini Rao: backup.made'])
  const again = await browse('POST', '/admin/system/backup')
  expect(again.status).toBe(503)
  expect(again.html).toContain('already exists')
})

test('a backup, which has everything in it, is asked for again after ten minutes, and comes with the answer', async () => {
  const { ask, root, acts, advance } = await openSystem()
  const headers = { Cookie: root.cookie, 'Sec-Fetch-Site': 'same-origin' }
  advance(601)
  const asked = await ask('POST', '/admin/system/backup', { headers })
  const html = await asked.text()
  expect([asked.status, await acts()]).toEqual([403, []])
  const [form = ''] = /<form[^>]*action="\/confirm"[^>]*>/.exec(html) ?? []
  expect(form).toContain('data-confirm')
  // No script could take a file.
  expect(form).not.toContain('data-enhance')
  const held = /name="held" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const body = new URLSearchParams({ held, password: PASSWORD })
  const answer = await ask('POST', '/confirm', { headers, body })
  expect(answer.headers.get('Content-Type')).toBe('application/x-tar')
  expect(
    Buffer.from(await answer.arrayBuffer())
      .subarray(0, 13)
      .toString(),
  ).toBe('manifest.json')
  expect(await acts()).toEqual(['Nandini Rao: backup.made'])
})

test('the last good backup is shown, and later failures', async () => {
  const { facts, dataDir } = await openSystem()
  const made_at = '2026-11-19T21:30:00.000Z'
  mkdirSync(backupsFolder(dataDir))
  writeRecord(dataDir, { good: { made_at, file: 'x.tar', bytes: 1 } })
  expect(await facts()).toMatchObject({ 'Last backup': '20 Nov 2026, 3:00 am' })
  writeRecord(dataDir, { failed: { at: '2026-11-20T09:00:00.000Z', reason: 'Too little room' } })
  expect(await facts()).toMatchObject({
    'Last backup': '20 Nov 2026, 3:00 am',
    'Backup failed': '20 Nov 2026, 2:30 pm: Too little room',
  })
})

test('requests during a check of the database share its result, and later ones ask again', async () => {
  const ends: ((damage: string | null) => void)[] = []
  const findDamage = () => new Promise<string | null>((end) => ends.push(end))
  const { checkDatabase } = watchHealth(() => new Date(0), findDamage, true)
  const both = [checkDatabase(), checkDatabase()]
  expect(ends).toHaveLength(1)
  ends[0]?.('page 3 is damaged')
  const found = { at: new Date(0), damage: 'page 3 is damaged' }
  expect(await Promise.all(both)).toEqual([found, found])
  const later = checkDatabase()
  ends[1]?.(null)
  expect(await later).toMatchObject({ damage: null })
})
