import { join } from 'node:path'
import { afterEach, expect } from 'vitest'
import { openFolder, temporaryFolder } from '#tests/backup/support.ts'
import { openCommandLine } from '#tests/cli/support.ts'
import { testOnDisk } from '#tests/support/database.ts'
import { CREDENTIALS, s3Server } from '#tests/support/storage.ts'

const MANY_BYTES = 4 * 1024 * 1024
const ARCHIVE = 'driveqr-20261120T100000Z.tar'
const PUBLIC = { PUBLIC_URL: 'https://keys.example.in' }

afterEach(async () => (await s3Server()).cause(() => undefined))

let prefixes = 0

/** An installation whose archive goes in two parts, and a prefix of the bucket of its own. */
async function openInstallation() {
  const folder = await openFolder({ bytes: MANY_BYTES })
  await folder.close()
  const prefix = `off-site-${++prefixes}`
  const s3 = await s3Server()
  const { run, json } = openCommandLine(folder.dataDir)
  const env = { ...CREDENTIALS, ...PUBLIC }
  const to = s3.urlOf(prefix)
  const backUp = () => run(['backup', '--to', to], { env })
  const kept = () => s3.namesIn(prefix)
  const keyOf = (name: string) => `${prefix}/${name}`
  const partsOf = () => [...s3.uploads.values()].map(({ key }) => key)
  return { ...s3, ...folder, run, json, env, to, backUp, kept, keyOf, partsOf }
}

testOnDisk('a backup goes to a bucket and comes back from it, without a file between', async () => {
  const { json, run, env, to, kept, backUp } = await openInstallation()
  const made = await json(['backup', '--to', to], { env })
  expect(kept()).toEqual([ARCHIVE])
  expect(made).toMatchObject({ files: 2, missing: [], removed: [] })
  expect(made.file).toMatch(new RegExp(`^s3://tests/off-site-\\d+/${ARCHIVE}$`))
  expect(made.bytes).toBeGreaterThan(2 * MANY_BYTES)
  expect(await backUp()).toMatchObject({
    code: 1,
    err: `driveqr: ${made.file} already exists\n`,
  })
  const DATA_DIR = join(temporaryFolder(), 'elsewhere')
  const address = to.replace('?', `/${ARCHIVE}?`)
  const restored = await run(['restore', address], { env: { ...env, DATA_DIR } })
  expect(restored).toMatchObject({ code: 0, err: '' })
  expect(restored.out).toContain('1 account, 1 code, 2 files')
  expect(await json(['user', 'list'], { env: { DATA_DIR } })).toMatchObject([
    { email: 'asha@example.in' },
  ])
  const missing = await run(['restore', address.replace(ARCHIVE, 'no.tar'), '--replace'], { env })
  expect(missing).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^driveqr: There is no s3:/),
  })
})

testOnDisk.each([
  ['breaks off', { status: 403, code: 'AccessDenied' }],
  ['is refused at its end', { status: 400, code: 'InvalidPart' }],
] as const)('an upload that %s leaves nothing in the bucket', async (how, fault) => {
  const { backUp, cause, kept, partsOf, keyOf } = await openInstallation()
  let parts = 0
  cause(({ method, key }) => {
    if (key !== keyOf(ARCHIVE)) return undefined
    const isEnd = method === 'POST' && parts > 1
    const isPart = method === 'PUT' && ++parts > 1
    return (how === 'breaks off' ? isPart : isEnd) ? fault : undefined
  })
  const { code, err } = await backUp()
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(fault.code) })
  expect([kept(), partsOf()]).toEqual([[], []])
})

testOnDisk(
  'an archive that the bucket gives back changed is removed, and never a backup',
  async () => {
    const { backUp, cause, kept, keyOf } = await openInstallation()
    cause(({ method, key }) =>
      method === 'GET' && key === keyOf(ARCHIVE) ? 'changed on the way' : undefined,
    )
    const { code, err } = await backUp()
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^driveqr: This backup is /),
    })
    expect(kept()).toEqual([])
  },
)

testOnDisk('the parts that a killed upload left are removed, and no others', async () => {
  const { backUp, uploads, partsOf, keyOf } = await openInstallation()
  const [old, recent] = [new Date('2026-11-19T10:00:00Z'), new Date('2026-11-20T09:00:00Z')]
  const names = { a: [ARCHIVE.replace('20T', '19T'), old], b: ['photos.zip', old] } as const
  for (const [id, [name, at]] of Object.entries(names))
    uploads.set(id, { key: keyOf(name), at, parts: new Map() })
  uploads.set('c', { key: keyOf(ARCHIVE.replace('T10', 'T09')), at: recent, parts: new Map() })
  expect(await backUp()).toMatchObject({ code: 0 })
  expect(partsOf()).toEqual([keyOf('photos.zip'), keyOf(ARCHIVE.replace('T10', 'T09'))])
  uploads.clear()
})

testOnDisk(
  'what is wrong with the address or the key is said before anything is sent',
  async () => {
    const { run, env, to, kept, dataDir } = await openInstallation()
    const refuse = async (args: string[], settings = {}) =>
      (await run(['backup', ...args], { env: { ...env, ...settings } })).err
    expect(await refuse(['--to', 'ftp://nas/backups'])).toMatch(/^error: --to must look like s3:/)
    expect(await refuse(['--to', to], { AWS_ACCESS_KEY_ID: '' })).toContain(
      'error: --to needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\n',
    )
    expect(await refuse(['--to', to], { AWS_SECRET_ACCESS_KEY: 'other' })).toMatch(
      /refuses the signature: correct AWS_SECRET_ACCESS_KEY/,
    )
    expect(await refuse(['--to', to.replace('tests', 'none')])).toMatch(
      /There is no bucket none at \S+: make it, or correct --to/,
    )
    expect(await refuse(['--to', to, join(dataDir, 'b.tar')])).toContain(
      'error: give a file or --to, not both\n',
    )
    expect(kept()).toEqual([])
  },
)
