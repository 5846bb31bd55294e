import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import openapiTypes from 'openapi-typescript'
import { expect, onTestFinished, test } from 'vitest'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const PROGRAM = resolve('tests/client/main-job.ts')
const TSC = resolve('node_modules/.bin/tsc')

/** Type-checks a program against the generated types. Returns the errors. */
async function checkTypes({ ask }: TestApp, program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-client-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const document = await (await ask('GET', '/api/openapi.json')).json()
  writeFileSync(join(folder, 'api.d.ts'), await openapiTypes(document))
  const config = {
    extends: resolve('tsconfig.json'),
    compilerOptions: {
      paths: {
        'driveqr-api': [join(folder, 'api.d.ts')],
        '*': [resolve('node_modules/*')],
      },
      types: [],
    },
    include: [],
    files: [program],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const checked = promisify(execFile)(TSC, ['--noEmit', '--project', folder])
  return checked.then(
    () => '',
    ({ stdout, stderr }) => stdout + stderr,
  )
}

test('a program with generated types does the main job without a cast', async () => {
  const app = await openTestApp()
  expect(await checkTypes(app, PROGRAM)).toBe('')
  const send = async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const headers = Object.fromEntries(request.headers)
    const body = (await request.text()) || undefined
    return app.ask(request.method, pathname + search, { headers, body })
  }
  const { runMainJob } = await import(PROGRAM)
  const person = { email: 'ravi@example.in', name: 'Ravi Kumar', password: PASSWORD }
  const done = await runMainJob('http://localhost', send, person)
  expect(done.svg).toContain('<svg')
  expect(done.finder).toBe('Ravi Kumar')
  expect(done.refusal).toEqual({ message: expect.any(String), current_count: 1, limit: 1 })
  const { qr_id } = await insertCode(app.db, (await app.signUp()).id, { is_claimed: 0 })
  expect(await done.claim(qr_id)).toContain('http')
})

test('the types refuse a payload and an answer that are not described', async () => {
  const app = await openTestApp()
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-client-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'wrong.ts')
  writeFileSync(
    program,
    `import type { paths } from 'driveqr-api'
import createClient from 'openapi-fetch'
const client = createClient<paths>({ baseUrl: '' })
await client.POST('/api/auth/send-otp', { body: {} })
const { data } = await client.GET('/api/subscription/plans')
export const name: number | undefined = data?.plans[0]?.name
`,
  )
  const wrong = await checkTypes(app, program)
  expect(wrong).toMatch(/wrong\.ts\(4,.*'email' is missing/s)
  expect(wrong).toMatch(/wrong\.ts\(6,/)
})
