import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import openapiTypes from 'openapi-typescript'
import { expect, onTestFinished, test } from 'vitest'
import { webhookCall } from '#mail/channels/webhook.ts'
import { deliveryOf } from '#tests/support/alerts.ts'
import { openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { thingsOf } from '#tests/support/things.ts'

const PROGRAM = resolve('tests/client/main-job.ts')
const KEY_PROGRAM = resolve('tests/client/key-job.ts')
const TSC = resolve('node_modules/.bin/tsc')

/** Type-checks programs against the generated types. Returns the errors. */
async function checkTypes({ ask }: TestApp, ...programs: string[]): Promise<string> {
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
    files: programs,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const checked = promisify(execFile)(TSC, ['--noEmit', '--project', folder])
  return checked.then(
    () => '',
    ({ stdout, stderr }) => stdout + stderr,
  )
}

/** Sends the requests of a client to the application. */
function sendTo(app: TestApp) {
  return async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    const headers = Object.fromEntries(request.headers)
    const body = (await request.text()) || undefined
    return app.ask(request.method, pathname + search, { headers, body })
  }
}

test('a program with generated types does the main job without a cast', async () => {
  const app = await openTestApp()
  expect(await checkTypes(app, PROGRAM, KEY_PROGRAM)).toBe('')
  const { runMainJob } = await import(PROGRAM)
  const person = { email: 'ravi@example.in', name: 'Ravi Kumar', password: PASSWORD }
  const done = await runMainJob('http://localhost', sendTo(app), person)
  expect(done.svg).toContain('<svg')
  expect(done.finder).toBe('Ravi Kumar')
  expect(done.refusal).toEqual({ message: expect.any(String), current_count: 1, limit: 1 })
  const { qr_id } = await insertCode(app.db, (await app.signUp()).id, { is_claimed: 0 })
  expect(await done.claim(qr_id)).toContain('http')
})

test('a program with a key makes ten calls, and reads a webhook', async () => {
  const app = await openTestApp()
  const owner = await app.signUp({ subscription_plan: 'enterprise' })
  await thingsOf(app, owner).conversation()
  const { runKeyJob, titleOf } = await import(KEY_PROGRAM)
  expect(await runKeyJob('http://localhost', sendTo(app), owner.bearerToken)).toEqual({
    fleet: 'Pune',
    companies: [{ company_fleet_name: 'Pune', count: 1 }],
    scans: 0,
    answer: 'I am coming now',
    status: 'closed',
    refusal: 'This API key lacks the scope papers',
  })
  expect(titleOf(webhookCall(deliveryOf({ title: 'Found' })))).toBe('message: Found')
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
