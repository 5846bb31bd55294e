/** The main job by HTTP, on a server that may be in a container or another root. */
import { strict as assert } from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { codeOf } from '#tests/support/authenticator.ts'
import { readSheets } from '#tests/support/pdf.ts'
import { fileForm, picture } from '#tests/support/uploads.ts'

const PERSON = { email: 'asha@example.in', name: 'Asha Patil', password: 'correct horse' }
/** Wider than the stored size, so that the served size shows that the picture was drawn again. */
const SENT_WIDTH = 5000
const KEPT_WIDTH = 4000

/** The result of the main job for the owner. */
export type Done = { token: string; qr_id: string; file_url: string }

/** Waits until the server is healthy. Returns the milliseconds; throws after `limitMs`. */
export async function untilHealthy(url: string, limitMs: number): Promise<number> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < limitMs) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer?.ok) return performance.now() - startedAt
    await sleep(100)
  }
  throw new Error(`${url} was not healthy within ${limitMs / 1000} s`)
}

/** Returns the token of a new session. */
type SignIn = (url: string) => Promise<string>

/** Registers. `mailedOtp` gives the one-time code where the server mails it instead of showing it. */
export function register(mailedOtp?: () => Promise<string>): SignIn {
  return async (url) => {
    const { email } = PERSON
    const { test_otp } = await call(url, '/api/auth/send-otp', { json: { email } })
    const otp = test_otp ?? (await mailedOtp?.())
    const json = { ...PERSON, otp }
    return (await call(url, '/api/auth/verify-otp', { json })).session_id
  }
}

/** Signs in to an admin's account that is there, and sets up the second factor that it must have. */
export function signInAsAdmin(account: { contact: string; password: string }): SignIn {
  return async (url) => {
    const token = (await call(url, '/api/auth/login', { json: account })).session_token
    const { secret } = await call(url, '/api/account/totp', { token })
    await call(url, '/api/account/totp/verify', { token, json: { code: codeOf(secret) } })
    return token
  }
}

/** Signs in, creates a code, scans it, uploads a picture and prints a label. */
export async function doMainJob(url: string, signIn: SignIn = register()): Promise<Done> {
  const token = await signIn(url)
  const contact = { owner_name: PERSON.name, contact_phone: '98765 43210' }
  const { qr_id } = await call(url, '/api/qr/create', { token, json: contact })

  const page = await (await get(`${url}/scan/${qr_id}`)).text()
  assert.match(page, /Asha Patil/)

  const sent = await picture({ width: SENT_WIDTH, height: 100 })
  const form = fileForm(sent, { document_type: 'insurance' }, 'insurance.png')
  const { file_url } = await call(url, `/api/documents/upload/${qr_id}`, { token, form })

  const labels = await get(`${url}/api/qr/labels.pdf?ids=${qr_id}`, token)
  const [sheet] = readSheets(Buffer.from(await labels.arrayBuffer()))
  assert.ok((sheet?.blackShapes.length ?? 0) > 0, 'The label has a code')

  const done = { token, qr_id, file_url }
  await expectMainJob(url, done)
  return done
}

/** Checks that a server has what the main job left: the code, its one scan and its picture. */
export async function expectMainJob(url: string, { token, qr_id, file_url }: Done): Promise<void> {
  const list = await (await get(`${url}/api/qr/my-qrs`, token)).json()
  assert.partialDeepStrictEqual(list, [{ qr_id, scan_count: 1 }])
  const file = await (await get(url + file_url, token)).arrayBuffer()
  assert.equal((await sharp(file).metadata()).width, KEPT_WIDTH)
}

type Sent = { token?: string; json?: object; form?: FormData }

async function call(url: string, path: string, { token, json, form }: Sent) {
  const headers = new Headers()
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (json) headers.set('Content-Type', 'application/json')
  const body = form ?? JSON.stringify(json)
  return (await answered(new Request(url + path, { method: 'POST', headers, body }))).json()
}

function get(url: string, token?: string): Promise<Response> {
  return answered(new Request(url, token ? { headers: { Authorization: `Bearer ${token}` } } : {}))
}

async function answered(request: Request): Promise<Response> {
  const answer = await fetch(request)
  if (answer.ok) return answer
  throw new Error(`${request.method} ${request.url}: ${answer.status} ${await answer.text()}`)
}
