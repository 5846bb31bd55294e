import { inflateSync } from 'node:zlib'
import type { Db } from '#db/client.ts'
import type { PlanId } from '#domain/plans/plan.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { fileForm, picture } from '#tests/support/uploads.ts'

export const PUBLIC_URL = 'https://driveqr.example'
export const HOST = 'tags.neelrath.example'

export const BRAND = {
  brand_name: 'NeelRath Cabs',
  colour: '#0f4c96',
  footer: 'Control room open 24 hours',
  hide_product_name: false,
}

/** An application with an account that may have a brand, and a code of it. */
export async function openBrand({
  plan = 'enterprise',
  ...options
}: Parameters<typeof openTestApp>[0] & { plan?: PlanId } = {}) {
  const app = await openTestApp({ env: { PUBLIC_URL }, ...options })
  const owner = await app.signUp({ subscription_plan: plan })
  const { qr_id } = await insertCode(app.db, owner.id, { vehicle_registration: 'MH14GH2708' })

  async function call(
    method: string,
    path = '',
    {
      as = owner,
      json,
      body,
    }: { as?: { bearerToken: string }; json?: object; body?: FormData } = {},
  ) {
    const answer = await app.ask(method, `/api/branding${path}`, { as, json, body })
    return { status: answer.status, body: await answer.json() }
  }
  const save = (fields: Partial<typeof BRAND> = {}) =>
    call('PUT', '', { json: { ...BRAND, ...fields } })
  const upload = async (file?: Buffer) =>
    call('PUT', '/logo', { body: fileForm(file ?? (await picture()), {}, 'logo.png') })

  /** A page as anybody sees it. */
  async function look(path: string, headers: Record<string, string> = {}) {
    // Under an own address calls answer what their description does not say.
    const asked = { headers: { Host: 'driveqr.example', ...headers }, isStream: true }
    const answer = await app.ask('GET', path, asked)
    return { status: answer.status, headers: answer.headers, html: await answer.text() }
  }
  const setPlan = (subscription_plan: PlanId) =>
    app.db.updateTable('accounts').set({ subscription_plan }).where('id', '=', owner.id).execute()

  const giveAddress = (domain = HOST, accountId = owner.id) =>
    insertAddress(app.db, accountId, domain, app.deps.clock())
  return { ...app, owner, qr_id, call, save, upload, look, setPlan, giveAddress }
}

/** Gives an account an own address, as if it had proven it. */
export async function insertAddress(db: Db, accountId: string, domain: string, now: Date) {
  const at = now.toISOString()
  const row = { account_id: accountId, domain, token: 'proof', created_at: at, asked_at: at }
  await db
    .insertInto('brand_domains')
    .values({ ...row, verified_at: at, proven_at: at })
    .execute()
}

/** The product's name, and shapes that only its mark has. */
const TRACE =
  /driveqr(?!\.example|=|-domain)|M4\.2 15a11\.8|icon\.svg|icon-\d+|manifest\.webmanifest/i
/** Scripts and their names, the cookies and the address of the service are exempt. */
const APART =
  /<script[^>]*>.*?<\/script>|<link[^>]* rel="(?:prefetch|modulepreload)"[^>]*>|<drive-island name|<\/drive-island>|https:\/\/driveqr\.example|driveqr\.example|__Host-driveqr|\bdriveqr_\w+(?==)/gs

/** Where a text first has a trace of the product; undefined where it has none. */
export function traceIn(text: string): string | undefined {
  const at = TRACE.exec(text.replaceAll(APART, ''))
  if (!at) return undefined
  return text.replaceAll(APART, '').slice(Math.max(0, at.index - 60), at.index + 60)
}

/** Finds a trace like `traceIn` in a whole answer: in its headers, and in the streams of a PDF too. */
export function traceInAnswer(headers: Headers, body: Buffer): string | undefined {
  const text = body.toString('latin1')
  const streams = [...text.matchAll(/stream\n/g)].flatMap(({ index }) => {
    try {
      return [inflateSync(body.subarray(index + 'stream\n'.length)).toString('latin1')]
    } catch {
      return []
    }
  })
  const said = [
    JSON.stringify([...headers]),
    body.toString(),
    text.replaceAll('\0', ''),
    ...streams,
  ]
  return said.map(traceIn).find((trace) => trace !== undefined)
}

const SMTP_URL = 'smtp://127.0.0.1:25'

/** Opens a brand like `openBrand`, with the product hidden. */
export async function openAlone(env: Record<string, string> = {}) {
  const app = await openBrand({ env: { PUBLIC_URL, SMTP_URL, ...env } })
  await app.upload()
  await app.save({ hide_product_name: true })
  return app
}
