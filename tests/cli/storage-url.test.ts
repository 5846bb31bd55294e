// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openCommandLine, temporaryFolder } from '#tests/cli/support.ts'
import { findPrograms } from '#tests/support/programs.ts'
import { type S3Server, startS3Server } from '#tests/support/s3-server.ts'
import { freePort } from '#tests/support/server.ts'
import { CREDENTIALS } from '#tests/support/storage.ts'

const PASSWORD = 'nobody-may-read-this'

let programs: Awaited<ReturnType<typeof findPrograms>>
let s3: S3Server

beforeAll(async () => {
  programs = await findPrograms()
  s3 = await startS3Server()
  return s3.stop
})

async function startServer(dataDir: string, env: Record<string, string>) {
  const port = String(await freePort())
  const child = spawn(process.execPath, [programs.server], {
    env: { PATH: process.env.PATH, PORT: port, DATA_DIR: dataDir, ...CREDENTIALS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, out, err }
}

function expectNoSecret(told: unknown): void {
  for (const secret of [PASSWORD, CREDENTIALS.AWS_SECRET_ACCESS_KEY]) {
    expect(JSON.stringify(told)).not.toContain(secret)
  }
}

/** `doctor` finds a problem with this line, makes nothing, and tells no secret. */
async function expectRefusal(env: Record<string, string>, line: RegExp): Promise<void> {
  const dataDir = join(temporaryFolder(), 'data')
  const before = [...s3.objects.keys()]
  const { run } = openCommandLine(dataDir)
  const doctor = await run(['doctor'], { env: { ...CREDENTIALS, ...env } })
  expect(existsSync(dataDir)).toBe(false)
  expect([...s3.objects.keys()]).toEqual(before)
  expect(doctor).toMatchObject({ code: 1, err: expect.stringMatching(/^driveqr: [^\n]+ found\n$/) })
  const found = doctor.out.split('\n').filter((each) => each.startsWith('PROBLEM'))
  expect(found.some((each) => line.test(each))).toBe(true)
  expectNoSecret(doctor)
}

const WRONG_SECRET = /refuses the signature: correct AWS_SECRET_ACCESS_KEY/
const LIKE = /STORAGE_URL must look like s3:\/\/bucket\/prefix\?endpoint=/

test('a server refuses a setting and a storage in the words of `doctor`, and makes nothing', async () => {
  for (const [env, line] of [
    [{ STORAGE_URL: `s3://key:${PASSWORD}@bucket/prefix` }, LIKE],
    [{ STORAGE_URL: s3.urlOf('p'), AWS_SECRET_ACCESS_KEY: PASSWORD }, WRONG_SECRET],
  ] as const) {
    const dataDir = join(temporaryFolder(), 'data')
    const server = await startServer(dataDir, env)
    expect(existsSync(dataDir)).toBe(false)
    expect(server).toMatchObject({ code: 3, out: '' })
    expect(server.err).toMatch(/^DriveQR cannot start: [^\n]+\n$/)
    expect(server.err).toMatch(line)
    expectNoSecret(server)
  }
})

test.each([
  ['another kind of address', `https://${PASSWORD}.example.in/bucket`],
  ['no bucket', `s3:///${PASSWORD}`],
  ['credentials in it', `s3://key:${PASSWORD}@bucket/prefix`],
  ['an endpoint that is none', `s3://bucket/prefix?endpoint=${PASSWORD}`],
  ['a setting that does not exist', `s3://bucket/prefix?secret=${PASSWORD}`],
  ['a way up in the prefix', 's3://bucket/a/..%2Fb'],
])('an address that cannot be right is refused: %s', (_, STORAGE_URL) =>
  expectRefusal({ STORAGE_URL }, LIKE),
)

test('credentials that are not there are to be given', () =>
  expectRefusal(
    { STORAGE_URL: s3.urlOf('p'), AWS_SECRET_ACCESS_KEY: '' },
    /STORAGE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/,
  ))

test('a key that S3 does not know, and a secret that is wrong, are to be corrected', async () => {
  const STORAGE_URL = s3.urlOf('p')
  await expectRefusal(
    { STORAGE_URL, AWS_ACCESS_KEY_ID: 'AKIAOTHER' },
    /does not know the key: correct AWS_ACCESS_KEY_ID/,
  )
  await expectRefusal({ STORAGE_URL, AWS_SECRET_ACCESS_KEY: PASSWORD }, WRONG_SECRET)
})

test('a bucket that is not there is to be made', () =>
  expectRefusal(
    { STORAGE_URL: s3.urlOf('p', 'no-such-bucket') },
    /There is no bucket no-such-bucket at 127\.0\.0\.1:\d+: make it/,
  ))

test('a region that is another one is to be set', () =>
  expectRefusal(
    { STORAGE_URL: s3.urlOf('p').replace('ap-south-1', 'eu-west-1') },
    /The bucket tests is in another region: set region in STORAGE_URL/,
  ))

test.each([
  ['list', 'GET'],
  ['write', 'PUT'],
  ['read', 'HEAD'],
] as const)('a key that may not %s files is to be given the right', async (may, refused) => {
  s3.cause(({ method }) => (method === refused ? { status: 403, code: 'AccessDenied' } : undefined))
  onTestFinished(() => s3.cause(() => undefined))
  const key = 'p/probe'
  await expectRefusal(
    { STORAGE_URL: s3.urlOf('p') },
    new RegExp(`The key may not ${may} files in the bucket tests at 127`),
  ).finally(() => s3.objects.delete(key))
})

test('a clock that is too far off is to be set', async () => {
  s3.cause(() => ({ status: 403, code: 'RequestTimeTooSkewed' }))
  onTestFinished(() => s3.cause(() => undefined))
  await expectRefusal({ STORAGE_URL: s3.urlOf('p') }, /The clock of this machine is too far off/)
})

test('an endpoint that is not there is named, and one that is no S3 too', async () => {
  const port = await freePort()
  await expectRefusal(
    { STORAGE_URL: `s3://tests/p?endpoint=http://127.0.0.1:${port}` },
    new RegExp(`S3 at 127\\.0\\.0\\.1:${port} does not answer, ECONNREFUSED.*is STORAGE_URL right`),
  )
  const other = createServer((_, response) => response.writeHead(418).end('<html>tea</html>'))
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const at = `127.0.0.1:${(other.address() as AddressInfo).port}`
  await expectRefusal(
    { STORAGE_URL: `s3://tests/p?endpoint=http://${at}` },
    new RegExp(`S3 at ${at} answers 418 .*is STORAGE_URL right`),
  )
})

test.each([
  ['is not there', undefined, /SECRET_KEY_FILE \S+ cannot be read: it is not there/],
  ['is too short', Buffer.alloc(31), /SECRET_KEY_FILE \S+ must have 32 bytes, but has 31/],
])('a file for the key that %s is refused', async (_, content, line) => {
  const dataDir = join(temporaryFolder(), 'data')
  const file = join(temporaryFolder(), 'key')
  if (content) writeFileSync(file, content)
  const { code, err } = await startServer(dataDir, { SECRET_KEY_FILE: file })
  expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(line) })
})
