import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { findProgress } from '#db/fleets/import-steps.ts'
import { NOW, openCommandLine, temporaryFolder } from '#tests/cli/support.ts'
import { insertAddress } from '#tests/support/brands.ts'
import { insertCode } from '#tests/support/codes.ts'
import { findPrograms } from '#tests/support/programs.ts'

const env = { PUBLIC_URL: 'https://keys.example.in' }
const OWNER = ['--owner', 'asha@example.in']
const HEAD = 'vehicle_registration,owner_name,contact_phone\n'

function tableOf(count: number, from = 0): string {
  const rows = Array.from({ length: count }, (_, n) => {
    const i = from + n
    const letters = String.fromCharCode(65 + (Math.floor(i / 9_000) % 26))
    return `MH14A${letters}${1000 + (i % 9_000)},Driver ${i},9876543210\n`
  })
  return HEAD + rows.join('')
}

async function openWithAsha() {
  const commandLine = openCommandLine()
  const asha = await commandLine.addAccount()
  const folder = temporaryFolder()
  const file = join(folder, 'fleet.csv')
  const importTable = (table: string, ...args: string[]) => {
    writeFileSync(file, table)
    return commandLine.run(['qr', 'import', file, ...OWNER, ...args], { env })
  }
  const listCodes = () =>
    commandLine.withDatabase(({ db }) =>
      db.selectFrom('qr_codes').selectAll().orderBy('created_at').orderBy('id').execute(),
    )
  const insert = (fields: object) =>
    commandLine.withDatabase(({ db }) => insertCode(db, asha.id, fields))
  return { ...commandLine, asha, folder, file, importTable, listCodes, insert }
}

test('a table of any length becomes codes in its order, beyond the limit of the plan', {
  tags: 'slow',
}, async () => {
  const { importTable, listCodes, asha } = await openWithAsha()
  const { code, out, err } = await importTable(tableOf(1_203))
  expect({ code, out, err }).toEqual({ code: 0, out: '1,203 QR codes imported\n', err: '' })
  const codes = await listCodes()
  expect(codes.map(({ owner_name }) => owner_name)).toEqual(
    Array.from({ length: 1_203 }, (_, n) => `Driver ${n}`),
  )
  expect(codes[0]).toMatchObject({
    owner_id: asha.id,
    created_by: asha.id,
    is_claimed: 1,
    vehicle_registration: 'MH14AA1000',
    public_message: expect.stringContaining('Thank you'),
  })
})

test('codes of an account with an own address carry it, which notes them as printed', async () => {
  const { file, folder, run, addAccount, withDatabase } = await openWithAsha()
  const email = 'fleet@example.in'
  const { id } = await addAccount({ email, subscription_plan: 'enterprise' })
  await withDatabase(({ db }) => insertAddress(db, id, 'tags.example.in', NOW))
  writeFileSync(file, tableOf(2))
  const out = join(folder, 'codes')
  await run(['qr', 'import', file, '--owner', email, '--out', out], { env })
  const [, ...rows]: string[][] = parse(readFileSync(join(out, 'list.csv')), { bom: true })
  const urls = rows.map((row) => row.find((cell) => cell.startsWith('https:')) ?? '')
  const printed = await withDatabase(({ db }) =>
    db.selectFrom('domain_prints').selectAll().execute(),
  )
  expect(printed.map(({ qr_id }) => `https://tags.example.in/scan/${qr_id}`).toSorted()).toEqual(
    urls.toSorted(),
  )
  expect(urls).toHaveLength(2)
})

test('a terminal sees how far the import is', async () => {
  const { run, file } = await openWithAsha()
  writeFileSync(file, tableOf(60))
  const command = ['qr', 'import', file, ...OWNER]
  const { err } = await run(command, { env, isTerminal: true })
  expect(err).toMatch(/█+ 60 of 60, [\d,]+ a second\n$/)
})

test('codes that imported are found by the index of codes', async () => {
  const { importTable, withDatabase } = await openWithAsha()
  await importTable(tableOf(50))
  const { findByText } = await import('#db/text-search.ts')
  const found = await withDatabase(async ({ db }) => {
    const isFound = await findByText(db, 'qr_codes', 'MH14AA1049')
    const query = db.selectFrom('qr_codes').select('owner_name')
    return (isFound ? query.where(isFound) : query).execute()
  })
  expect(found).toEqual([{ owner_name: 'Driver 49' }])
})

test('a row that is wrong stops the import before anything is made', { tags: 'slow' }, async () => {
  const { importTable, listCodes, listAudit } = await openWithAsha()
  const { code, out, err } = await importTable(`${tableOf(900)}MH14ZZ1,,98765\n`)
  expect(code).toBe(1)
  expect(out).toBe(
    'Row 902, owner_name: Please enter the full name\n' +
      'Row 902, contact_phone: Please enter a valid mobile number\n',
  )
  expect(err).toBe('driveqr: 1 row cannot be imported. Nothing was imported.\n')
  expect(await listCodes()).toEqual([])
  expect(await listAudit()).toEqual([])
})

test('of many wrong cells the first fifty are listed, and no sign of theirs is an order to a terminal', async () => {
  const { importTable } = await openWithAsha()
  const rows = Array.from({ length: 60 }, () => ',9876543210,\n').join('')
  const { out } = await importTable(`owner_name,contact_phone,\u001b[2j\n${rows}`)
  const lines = out.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^Row 1, {2}\[2j: /)
  expect(lines.slice(1, 50)).toEqual(
    Array.from({ length: 49 }, (_, n) => `Row ${n + 2}, owner_name: Please enter the full name`),
  )
  expect(lines.slice(50)).toEqual(['… and 11 more'])
})

test('a dry run says what would happen and changes nothing', async () => {
  const { importTable, listCodes, insert, json, file } = await openWithAsha()
  await insert({ vehicle_registration: 'MH14AA1001' })
  const skipping = await importTable(tableOf(3), '--dry-run', '--on-duplicate', 'skip')
  expect(skipping).toEqual({
    code: 0,
    out: '2 QR codes would be imported, 1 skipped\n',
    err: '',
  })
  const asJson = ['qr', 'import', file, ...OWNER, '--dry-run', '--on-duplicate', 'update']
  expect(await json(asJson)).toEqual({
    rows: 3,
    valid: 3,
    created: 2,
    updated: 1,
    skipped: 0,
    errors: [],
  })
  expect((await importTable(tableOf(3), '--dry-run')).out).toBe(
    'Row 3, vehicle_registration: This vehicle already has a QR code\n',
  )
  expect(await listCodes()).toHaveLength(1)
})

test('vehicles that are there are skipped or updated, as one says', async () => {
  const { importTable, listCodes, insert } = await openWithAsha()
  await insert({ vehicle_registration: 'MH14AA1001', city_area: 'Pune' })
  expect((await importTable(tableOf(3))).code).toBe(1)
  expect(await listCodes()).toHaveLength(1)
  const skipped = await importTable(tableOf(3), '--on-duplicate', 'skip')
  expect(skipped.out).toBe('2 QR codes imported, 1 skipped\n')
  const updated = await importTable(tableOf(4), '--on-duplicate', 'update')
  expect(updated.out).toBe('1 QR code imported, 3 updated\n')
  const codes = await listCodes()
  expect(codes).toHaveLength(4)
  expect(codes.find(({ city_area }) => city_area === 'Pune')?.owner_name).toBe('Driver 1')
})

test('images and a list that says which code is of which vehicle go into a folder', async () => {
  const { importTable, listCodes, folder } = await openWithAsha()
  const out = join(folder, 'codes')
  const { code, out: said } = await importTable(tableOf(3), '--out', out)
  expect([code, said]).toEqual([0, `3 QR codes imported\nImages and list.csv in ${out}\n`])
  const codes = await listCodes()
  expect(readdirSync(out).toSorted()).toEqual(
    [...codes.map(({ qr_id }) => `${qr_id}.png`), 'list.csv'].toSorted(),
  )
  const [head = [], ...rows]: string[][] = parse(readFileSync(join(out, 'list.csv')), { bom: true })
  expect(head.slice(0, 2)).toEqual(['vehicle_registration', 'qr_id'])
  expect(rows.map(([plate, id]) => [plate, id])).toEqual(
    codes.map(({ vehicle_registration, qr_id }) => [vehicle_registration, qr_id]),
  )
  const again = await importTable(tableOf(3, 10), '--out', out)
  expect(again.err).toContain('list.csv already exists: name another folder')
  expect(await listCodes()).toHaveLength(3)
})

test('one audit event names the owner and the number of the new codes', async () => {
  const { importTable, listAudit, asha } = await openWithAsha()
  await importTable(tableOf(3))
  const [event, ...others] = await listAudit()
  expect(others).toEqual([])
  expect(event).toMatchObject({ action: 'qr.imported', actor: 'command line', subject_id: asha.id })
  expect(JSON.parse(event?.after ?? '')).toEqual({ count: 3, updated: 0, skipped: 0 })
})

test('the same table can be imported again once it is complete', async () => {
  const { importTable, listCodes } = await openWithAsha()
  const table = 'owner_name,contact_phone\nAnil,9876543210\n'
  expect((await importTable(table)).code).toBe(0)
  expect((await importTable(table)).code).toBe(0)
  const codes = await listCodes()
  expect(new Set(codes.map(({ created_at }) => created_at)).size).toBe(2)
})

test.each([
  [['/none/fleet.csv', ...OWNER], 1, 'There is no folder /none'],
  [['package.json', '--owner', 'nobody@example.in'], 1, 'No account has the address'],
  [['package.json', ...OWNER], 1, 'Row 2: a quote inside a cell must be written twice'],
  [
    ['package.json', ...OWNER, '--on-duplicate', 'ask'],
    2,
    'Allowed choices are error, skip, update',
  ],
  [['package.json'], 2, "required option '--owner <email>' not specified"],
])('%j is refused', async (args, code, reason) => {
  const { run } = await openWithAsha()
  const answer = await run(['qr', 'import', ...args])
  expect([answer.code, answer.err]).toEqual([code, expect.stringContaining(reason)])
})

describe('an import that is killed', () => {
  test('leaves whole rows, and the same command goes on from there: each row is there once', {
    tags: 'slow',
  }, async () => {
    const programs = await findPrograms()
    const { settings, file, importTable, listCodes, withDatabase, listAudit, asha } =
      await openWithAsha()
    const count = 6_000
    // Without registrations, by which rows would be known again.
    const table = `owner_name,contact_phone\n${Array.from({ length: count }, (_, n) => `Driver ${n},9876543210\n`).join('')}`
    writeFileSync(file, table)
    let made = 0
    await withDatabase(async ({ db }) => {
      const all = db.selectFrom('qr_codes').select(({ fn }) => fn.countAll<number>().as('n'))
      const counted = async () => (await all.executeTakeFirstOrThrow()).n
      for (let kills = 0; kills < 3; kills++) {
        const args = [programs.commandLine, 'qr', 'import', file, ...OWNER]
        const child = spawn(process.execPath, args, {
          env: { ...process.env, ...env, ...(await settings()), NODE_ENV: 'test' },
          stdio: 'ignore',
        })
        const ended = once(child, 'exit')
        while (child.exitCode === null && (await counted()) < made + 300) await sleep(5)
        child.kill('SIGKILL')
        await ended
        const now = await counted()
        expect(now).toBeGreaterThan(made)
        made = now
        const told = (await listAudit()).map(({ after }) => JSON.parse(after ?? '').count)
        expect(told.reduce((sum, count) => sum + count)).toBe(made)
      }
    })
    expect(made).toBeLessThan(count)
    const { code, err } = await importTable(table)
    expect([code, err]).toEqual([0, expect.stringMatching(/^driveqr: going on after row \d+,/)])
    const names = (await listCodes()).map(({ owner_name }) => owner_name)
    expect(names).toEqual(Array.from({ length: count }, (_, n) => `Driver ${n}`))
    const hash = (await import('node:crypto')).createHash('sha256').update(table).digest('hex')
    const importing = { ownerId: asha.id, tableHash: hash }
    expect(await withDatabase(({ db }) => findProgress(db, importing))).toBeUndefined()
    expect(existsSync(file)).toBe(true)
  })

  test('cannot be continued by two at once: each row is there once', { tags: 'slow' }, async () => {
    const { importTable, listCodes, run, file } = await openWithAsha()
    const table = tableOf(500)
    writeFileSync(file, table)
    const command = ['qr', 'import', file, ...OWNER]
    const answers = await Promise.all([run(command, { env }), run(command, { env })])
    const codes = answers.map(({ code }) => code)
    expect(codes).toContain(1)
    if (!codes.includes(0)) expect((await importTable(table)).code).toBe(0)
    const names = (await listCodes()).map(({ owner_name }) => owner_name)
    expect(new Set(names).size).toBe(500)
    expect(names).toHaveLength(500)
  })
})
