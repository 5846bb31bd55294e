import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { noteBackup } from '#lab/support/fresh-backup.ts'
import { type Running, startProduct } from './support/processes.ts'

const CODES = { codes: 100_000, scans: 20_000 }
export const LARGE = { codes: 10_000, scans: 1_000_000 }
export const SMALL = { codes: 10, scans: 0 }

/** A data folder with a company's codes, and the company's login. */
export type Fleet = { folder: string; contact: string; password: string }

/** The company that `seed --codes` adds (scripts/_sample.ts). */
const COMPANY = 'fleet@driveqr.example'
const COMPANY_ID = `(select id from accounts where email = '${COMPANY}')`

/** The largest logo that the product stores, which compresses as little as a real one. */
const LOGO = randomBytes(3_000).toString('base64')

/** Each condition selects every sixteenth code of the sample or so. */
const codesWith = (digit: string) => `where qr_id like '%${digit}' and owner_id = ${COMPANY_ID}`

/** The choices of an owner, as SQL for some of the codes. */
const STATES = {
  relay: `update qr_codes set contact_mode = 'relay' ${codesWith('2')}`,
  lost: `update qr_codes set lost_since = '2026-11-18T08:00:00.000Z',
    lost_note = 'Lost between Deccan bus stop and Kothrud depot. Three keys on a red strap.',
    lost_reward = '₹2,000' ${codesWith('3')}`,
  branded: `insert into accounts (id, name, email, role, subscription_plan, qr_limit, child_qr_quota,
      is_active, created_at)
    values ('branded', 'NeelRath Cabs', 'branded@example.in', 'client', 'enterprise', 100000, 0, 1,
      '2026-01-01T00:00:00.000Z');
    insert into brands (account_id, version, name, colour, footer, logo, logo_file, updated_at)
    values ('branded', '1', 'NeelRath Cabs', '#0f4c96', 'Control room open 24 hours', '${LOGO}',
      'logo.png', '');
    update qr_codes set owner_id = 'branded' ${codesWith('4')}`,
}

const MESSAGE = `insert into admin_messages (id, title, content, is_active, created_at)
  values ('bench', 'A new number', 'Our hotline has a new number: 1800 200 300.', 1,
    '2026-01-01T00:00:00.000Z')`

export type Paths = Record<'plain' | keyof typeof STATES, string[]>

/** Makes the sample of 100,000 codes, some of them in each state. */
export async function seedCodes(folder: string): Promise<void> {
  await seedFleet(folder, CODES)
  prepareStates(folder)
}

export async function seedFleet(
  folder: string,
  { codes, scans }: typeof LARGE,
  program = 'dist/driveqr.js',
): Promise<Fleet> {
  const args = [program, '--json', 'seed', `--codes=${codes}`, `--scans=${scans}`, '--seed=1']
  const env = { ...process.env, DATA_DIR: folder }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  noteBackup(folder)
  return { folder, contact: COMPANY, password: JSON.parse(stdout).password }
}

/** Changes some codes to each state, and removes popups from the sample. */
export function prepareStates(folder: string): void {
  change(
    folder,
    'delete from admin_messages; update popup_images set is_active = 0',
    ...Object.values(STATES),
  )
}

/** Shows finders a message of the operator before every page. */
export function addMessage(folder: string): void {
  change(folder, MESSAGE)
}

function change(folder: string, ...statements: string[]): void {
  const database = new Sqlite(join(folder, 'driveqr.db'))
  database.exec(statements.join(';\n'))
  database.close()
}

/** Lists the scan pages of the company's codes by their state. */
export function readPaths(folder: string): Paths {
  const database = new Sqlite(join(folder, 'driveqr.db'), { readonly: true })
  const list = (condition: string) => {
    const ids = database
      .prepare(
        `select qr_id from qr_codes where is_active = 1 and is_claimed = 1 and qr_type = 'normal'
         and ${condition} limit 20000`,
      )
      .pluck()
      .all() as string[]
    return ids.map((id) => `/scan/${id}`)
  }
  const paths = {
    plain: list("contact_mode <> 'relay' and lost_since is null and owner_id <> 'branded'"),
    relay: list("contact_mode = 'relay'"),
    lost: list('lost_since is not null'),
    branded: list("owner_id = 'branded'"),
  }
  database.close()
  const empty = Object.entries(paths).find(([, { length }]) => length === 0)
  if (empty) throw new Error(`No code of the sample is ${empty[0]}`)
  return paths
}

export function copyData(folder: string, work: string, name: string): string {
  const copy = join(work, name)
  rmSync(copy, { recursive: true, force: true })
  cpSync(folder, copy, { recursive: true })
  noteBackup(copy)
  return copy
}

/** Starts the product on a data folder, without rate limits. */
export function startUnlimited(
  dataDir: string,
  path: string,
  env: Record<string, string> = {},
): Promise<Running> {
  const settings = { DATA_DIR: dataDir, RATE_LIMITS: 'off', NODE_ENV: 'development', ...env }
  return startProduct(path, settings)
}

/** Returns the cookies of a new session of the company. */
export async function signIn(url: string, { contact, password }: Fleet): Promise<string> {
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ contact, password }),
  })
  return cookieOf(login)
}

export type Account = {
  url: string
  token: string
  qr_id: string
  ask(method: string, path: string, body?: object): Promise<Response>
}

/** Registers an account with a code; outside production the one-time code is in the answer. */
export async function register({ url }: Running, n = 0): Promise<Account> {
  let token = ''
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (answer.ok) return answer
    throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  }
  const post = async (path: string, body: object) =>
    (await (await ask('POST', path, body)).json()) as Record<string, string>
  const email = `bench${n}@example.in`
  const { test_otp: otp } = await post('/auth/send-otp', { email })
  const person = { email, name: 'Bench', password: 'bench bench', otp }
  token = (await post('/auth/verify-otp', person)).session_id ?? ''
  const code = { owner_name: 'Bench', contact_phone: '9876543210' }
  const { qr_id = '' } = await post('/qr/create', code)
  return { url, token, qr_id, ask }
}

/** Returns the cookies that an answer sets, as a browser sends them back. */
function cookieOf({ headers }: Response): string {
  const set = headers.getSetCookie().map((each) => each.split(';')[0])
  return set.join('; ')
}
