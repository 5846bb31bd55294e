import fs, { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import jsqr from 'jsqr'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { assertActivationCodes } from '#db/codes/activation.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { NOW, openCommandLine, temporaryFolder } from '#tests/cli/support.ts'
import { insertAddress } from '#tests/support/brands.ts'
import { testOnLinux } from '#tests/support/database.ts'

const env = { PUBLIC_URL: 'https://keys.example.in' }
const OWNER = ['--owner', 'asha@example.in']

async function openWithAsha() {
  const commandLine = openCommandLine()
  const asha = await commandLine.addAccount()
  const create = (...args: string[]) => commandLine.run(['qr', 'create', ...args], { env })
  const listCodes = () =>
    commandLine.withDatabase(({ db }) => db.selectFrom('qr_codes').selectAll().execute())
  return { ...commandLine, asha, create, listCodes, folder: temporaryFolder() }
}

/** Parses CSV by RFC 4180, without code of the writer. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
  }
  return rows.slice(0, -1)
}

async function decode(file: string) {
  const { data, info } = await sharp(file)
    .flatten({ background: '#fff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return jsqr(new Uint8ClampedArray(data), info.width, info.height)?.data
}

test('codes are unclaimed, active, of their owner, and listed one a line', async () => {
  const { create, listCodes, asha } = await openWithAsha()
  const { code, out, err } = await create('--count', '3', ...OWNER)
  const codes = await listCodes()
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(codes).toHaveLength(3)
  for (const each of codes) {
    expect(each).toMatchObject({
      owner_id: asha.id,
      created_by: asha.id,
      qr_type: 'normal',
      is_active: 1,
      is_claimed: 0,
    })
    const printed = each.qr_id.match(/.{4}/g)?.join('-')
    expect(out).toContain(`${printed}  https://keys.example.in/scan/${each.qr_id}\n`)
  }
  expect(out).toMatch(/\nCreated 3 unclaimed codes of asha@example.in\n$/)
})

test('codes of an account with an own address carry it, which notes them as printed', async () => {
  const { create, addAccount, withDatabase } = await openWithAsha()
  const email = 'fleet@example.in'
  const { id } = await addAccount({ email, subscription_plan: 'enterprise' })
  await withDatabase(({ db }) => insertAddress(db, id, 'tags.example.in', NOW))
  const { out } = await create('--count', '2', '--owner', email)
  const urls = out.match(/https:.*/g) ?? []
  const printed = await withDatabase(({ db }) =>
    db.selectFrom('domain_prints').selectAll().execute(),
  )
  expect(printed.map(({ qr_id }) => `https://tags.example.in/scan/${qr_id}`).toSorted()).toEqual(
    urls.toSorted(),
  )
  expect(urls).toHaveLength(2)
})

test('activation codes are on the screen, in the list or in the JSON, and work', async () => {
  const { create, folder, withDatabase, addAccount, dataDir } = await openWithAsha()
  const csv = join(folder, 'list.csv')
  const listed = await create('--count', '2', '--activation', '--csv', csv, ...OWNER)
  expect(listed).toMatchObject({ code: 0, err: '' })
  const [headings, ...rows] = parseCsv(readFileSync(csv, 'utf8').replace('\uFEFF', ''))
  expect(headings).toEqual([
    ...['qr_id', 'printed_id', 'url', 'qr_type', 'created_at'],
    'activation_code',
  ])
  const json = JSON.parse((await create('--count', '1', '--activation', '--json', ...OWNER)).out)
  const shown = (await create('--count', '1', '--activation', ...OWNER)).out
  const [, id = '', onScreen = ''] = /scan\/(\w{12}) {2}(\w{6})\n/.exec(shown) ?? []
  const all = [
    ...rows.map(([qr_id = '', , , , , activation_code = '']) => ({ qr_id, activation_code })),
    { qr_id: json.qr_codes[0].qr_id, activation_code: json.qr_codes[0].activation_code },
    { qr_id: id, activation_code: onScreen },
  ]
  expect(all).toHaveLength(4)
  const stranger = await addAccount({ email: 'ravi@example.in' })
  await withDatabase(async ({ db }) => {
    const key = loadSecretKey(dataDir)
    const owner = await db.selectFrom('qr_codes').select('owner_id').executeTakeFirstOrThrow()
    await assertActivationCodes(db, { id: owner.owner_id }, all, key)
    const theirs = assertActivationCodes(db, stranger, all, key)
    await expect(theirs).rejects.toMatchObject({ kind: 'conflict' })
  })
})

test('activation codes that nobody would see are not made', async () => {
  const { create, listCodes, folder } = await openWithAsha()
  const alone = await create('--count', '1', '--activation', '--out', folder, ...OWNER)
  expect(alone.code).toBe(2)
  expect(alone.err).toContain('--activation with --out needs --csv')
  const child = await create('--count', '1', '--activation', '--child', ...OWNER)
  expect(child.code).toBe(2)
  expect(child.err).toContain('--activation is for unclaimed codes')
  expect(await listCodes()).toEqual([])
})

test('child codes are unregistered, and need no free quota', async () => {
  const { create, listCodes } = await openWithAsha()
  expect(await create('--count', '60', '--child', ...OWNER)).toMatchObject({ code: 0 })
  const codes = await listCodes()
  expect(codes).toHaveLength(60)
  expect(new Set(codes.map(({ qr_type }) => qr_type))).toEqual(new Set(['child']))
  expect(codes.every(({ is_child_registered }) => is_child_registered === 0)).toBe(true)
})

test('PNG and SVG of every code lead to its scan page', async () => {
  const { create, listCodes, folder } = await openWithAsha()
  const out = join(folder, 'new', 'codes')
  const images = ['--out', out, '--format', 'png,svg', '--size', '4']
  const answer = await create('--count', '3', ...OWNER, ...images)
  expect(answer).toMatchObject({ code: 0, err: '' })
  expect(answer.out).toBe(`Created 3 unclaimed codes of asha@example.in, images in ${out}\n`)
  const ids = (await listCodes()).map(({ qr_id }) => qr_id)
  const names = ids.flatMap((id) => [`${id}.png`, `${id}.svg`])
  expect(readdirSync(out)).toEqual(names.toSorted())
  for (const name of names) {
    expect(await decode(join(out, name))).toBe(`https://keys.example.in/scan/${name.slice(0, 12)}`)
  }
})

test('the list is UTF-8 with BOM and names each code, its address and its images', async () => {
  const { create, listCodes, folder } = await openWithAsha()
  const csv = join(folder, 'list.csv')
  const where = ['--csv', csv, '--out', folder]
  const { out } = await create('--count', '501', ...OWNER, ...where)
  expect(out).toBe(
    `Created 501 unclaimed codes of asha@example.in, images in ${folder}, list in ${csv}\n`,
  )
  const text = readFileSync(csv, 'utf8')
  expect(text.codePointAt(0)).toBe(0xfeff)
  const [header, ...rows] = parseCsv(text.slice(1))
  expect(header).toEqual(['qr_id', 'printed_id', 'url', 'qr_type', 'created_at', 'png'])
  expect(rows.map(([id]) => id).toSorted()).toEqual(
    (await listCodes()).map(({ qr_id }) => qr_id).toSorted(),
  )
  for (const [id, printed = '', url, type, created, png] of rows) {
    expect(parseQrId(printed)).toBe(id)
    expect([url, type, png]).toEqual([`https://keys.example.in/scan/${id}`, 'normal', `${id}.png`])
    expect(created).toBe('2026-11-20T10:00:00.000Z')
  }
})

test('machines get one JSON object, however many batches it took', async () => {
  const { json, listCodes } = await openWithAsha()
  const answer = await json(['qr', 'create', '--count', '1001', ...OWNER], { env })
  expect(answer).toMatchObject({
    owner: 'asha@example.in',
    qr_type: 'normal',
    created_count: 1001,
  })
  expect(new Set(answer.qr_codes.map(({ qr_id }: { qr_id: string }) => qr_id))).toEqual(
    new Set((await listCodes()).map(({ qr_id }) => qr_id)),
  )
  expect(answer.qr_codes[0]).toEqual({
    qr_id: expect.any(String),
    qr_type: 'normal',
    url: `https://keys.example.in/scan/${answer.qr_codes[0].qr_id}`,
    created_at: '2026-11-20T10:00:00.000Z',
  })
})

test('one audit event names the owner and the number of the new codes', async () => {
  const { create, listAudit, asha } = await openWithAsha()
  await create('--count', '7', ...OWNER)
  const [event, ...others] = await listAudit()
  expect(others).toEqual([])
  expect(event).toMatchObject({ actor: 'command line', action: 'qr.printed', subject_id: asha.id })
  expect(JSON.parse(event?.after ?? '')).toEqual({ count: 7, qr_type: 'normal' })
})

test('without an owner they belong to the first super admin, else the first admin, else it is refused', async () => {
  const { create, addAccount, json, listCodes } = await openWithAsha()
  expect(await create('--count', '1')).toEqual({
    code: 1,
    out: '',
    err: 'driveqr: There is no admin to own the codes: use --owner EMAIL, or make one with: admin grant EMAIL\n',
  })
  expect(await listCodes()).toEqual([])
  const ownerNow = async () => (await json(['qr', 'create', '--count', '1'], { env })).owner
  await addAccount({ email: 'm@example.in', role: 'moderator' })
  await addAccount({ email: 'a@example.in', role: 'admin' }, new Date('2026-01-01T00:00:00Z'))
  expect(await ownerNow()).toBe('a@example.in')
  await addAccount({ email: 's@example.in', role: 'super_admin' })
  expect(await ownerNow()).toBe('s@example.in')
})

test.each([
  [['--count', '0']],
  [['--count', '-3']],
  [['--count', '1.5']],
  [['--count', 'many']],
  [['--count', '1', '--size', '5']],
  [['--count', '1', '--format', 'png']],
  [['--count', '1', '--out', 'x', '--format', 'gif']],
  [['--count', '1', '--out', 'x', '--size', '41']],
  [['--count', '1', '--out', 'x', '--size', '0']],
])('%j is wrong usage, and nothing is made', async (args) => {
  const { create, listCodes } = await openWithAsha()
  const { code, out, err } = await create(...args, ...OWNER)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^error: /)
  expect(await listCodes()).toEqual([])
})

test('an unknown owner, a list that is there and a folder that is a file are refused before a code is made', async () => {
  const { create, listCodes, folder } = await openWithAsha()
  const taken = join(folder, 'taken')
  writeFileSync(taken, 'yesterday’s list')
  const refusals = [
    await create('--count', '1', '--owner', 'nobody@example.in'),
    await create('--count', '1', ...OWNER, '--csv', taken),
    await create('--count', '1', ...OWNER, '--out', taken),
  ]
  expect(refusals.map(({ code }) => code)).toEqual([1, 1, 1])
  for (const { err } of refusals) expect(err).toMatch(/^driveqr: [^\n]+\n$/)
  expect(refusals[1]?.err).toBe(`driveqr: ${taken} already exists: name another file\n`)
  expect(readFileSync(taken, 'utf8')).toBe('yesterday’s list')
  expect(await listCodes()).toEqual([])
})

/** Takes no files, not even from the super user. */
const FULL_FOLDER = '/proc/self'

testOnLinux(
  'the list and the reason name the codes that were made before an image failed',
  async () => {
    const { create, listCodes, folder } = await openWithAsha()
    const out = FULL_FOLDER
    const csv = join(folder, 'list.csv')
    const { code, err } = await create('--count', '2', ...OWNER, '--out', out, '--csv', csv)
    expect(code).toBe(1)
    expect(err).toMatch(/^driveqr: Stopped after 2 of 2 codes: [^\n]*\/proc[^\n]+\n$/)
    const [, ...rows] = parseCsv(readFileSync(csv, 'utf8'))
    expect(rows.map(([id]) => id)).toEqual((await listCodes()).map(({ qr_id }) => qr_id))
  },
)

/** A full disk takes what still fits of a text, and says only how much that was. */
function takeLittleAtOnce(): void {
  const { writeSync } = fs
  onTestFinished(() => {
    fs.writeSync = writeSync
    syncBuiltinESMExports()
  })
  fs.writeSync = ((file: number, text: string) => writeSync(file, text.slice(0, 100))) as never
  syncBuiltinESMExports()
}

test('a list and an export are whole on a disk that takes them in pieces', async () => {
  const { create, run, listCodes, folder } = await openWithAsha()
  takeLittleAtOnce()
  const files = [join(folder, 'list.csv'), join(folder, 'export.csv')] as const
  expect((await create('--count', '5', ...OWNER, '--csv', files[0])).code).toBe(0)
  expect((await run(['qr', 'export', '--csv', files[1]])).code).toBe(0)
  const ids = (await listCodes()).map(({ qr_id }) => qr_id)
  for (const file of files) {
    const [, ...rows] = parseCsv(readFileSync(file, 'utf8'))
    expect(rows.map(([id]) => id).toSorted()).toEqual(ids.toSorted())
  }
})

test('codes that work only on this machine cause a warning before they are printed', async () => {
  const { run } = await openWithAsha()
  const { code, err } = await run(['qr', 'create', '--count', '1', ...OWNER])
  expect(code).toBe(0)
  expect(err).toBe(
    'driveqr: these codes open http://localhost:3000, which works only on this machine: set PUBLIC_URL before you print\n',
  )
})

test('a terminal sees a progress bar, a pipe never', async () => {
  const { run, folder } = await openWithAsha()
  mkdirSync(join(folder, 'a'))
  const args = ['qr', 'create', '--count', '2', ...OWNER, '--out', join(folder, 'a')]
  expect((await run(args, { env, isTerminal: true })).err).toMatch(/█+ 2 of 2, [\d,]+ a second\n$/)
  expect((await run(args, { env })).err).toBe('')
})

test('codes are made beside a server that writes at the same time', async () => {
  const { run, withDatabase, listCodes } = await openWithAsha()
  await withDatabase(async ({ db }) => {
    const server = async () => {
      for (let i = 0; i < 20; i++) {
        const name = `server${i}`
        const account = { name, email: `${name}@example.in`, password_hash: null }
        await insertAccount(db, account, new Date('2026-11-20T10:00:00Z'))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    const [answer] = await Promise.all([
      run(['qr', 'create', '--count', '2000', ...OWNER], { env }),
      server(),
    ])
    expect(answer).toMatchObject({ code: 0, err: '' })
  })
  expect(await listCodes()).toHaveLength(2000)
})

test('one code is called so', async () => {
  const { run, create, folder } = await openWithAsha()
  const { out } = await create('--count', '1', ...OWNER)
  expect(out).toMatch(/\nCreated 1 unclaimed code of asha@example.in\n$/)
  const file = join(folder, 'codes.csv')
  expect((await run(['qr', 'export', '--csv', file])).out).toBe(`Wrote 1 code into ${file}\n`)
})

test('export writes every code into a new file, or to standard output', async () => {
  const { run, create, listCodes, folder, listAudit } = await openWithAsha()
  await create('--count', '3', ...OWNER)
  const file = join(folder, 'codes.csv')
  expect(await run(['qr', 'export', '--csv', file])).toEqual({
    code: 0,
    out: `Wrote 3 codes into ${file}\n`,
    err: '',
  })
  const written = readFileSync(file, 'utf8')
  const [headings, ...rows] = parseCsv(written.replace('\uFEFF', ''))
  expect(headings?.slice(0, 2)).toEqual(['qr_id', 'qr_type'])
  const ids = (await listCodes()).map(({ qr_id }) => qr_id)
  expect(rows.map(([qrId]) => qrId).toSorted()).toEqual(ids.toSorted())
  expect((await run(['qr', 'export'])).out).toBe(written)
  const again = await run(['qr', 'export', '--csv', file])
  expect(again).toMatchObject({ code: 1, out: '' })
  expect(again.err).toContain('already exists')
  expect((await run(['qr', 'export'], { isTerminal: true })).err).toBe('')
  const noted = (await listAudit()).filter(({ action }) => action === 'qr.exported')
  expect(noted[0]).toMatchObject({ actor: 'command line', after: '{"count":3}' })
})
