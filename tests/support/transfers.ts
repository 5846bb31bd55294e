import type { QrCode } from '#db/schema.ts'
import { WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

export const BUYER = 'meenakshi@example.in'
/** The new owner's fields on the code. */
export const HOLDER = { owner_name: 'Meenakshi Pillai', contact_phone: '98190 00482' }

type Signed = { bearerToken: string }

/** An application with an owner, a code of a vehicle, and somebody who buys it. */
export async function openTransfers({
  code = {},
  env = {},
}: {
  code?: Partial<QrCode>
  env?: Record<string, string>
} = {}) {
  const app = await openTestApp({ env: { ...WITH_MAIL.env, ...env } })
  const owner = await app.signUp({
    name: 'Ramesh Kulkarni',
    email: 'ramesh@example.in',
    subscription_plan: 'premium',
  })
  const buyer = await app.signUp({ name: HOLDER.owner_name, email: BUYER })
  const { id: code_id, qr_id } = await insertCode(app.db, owner.id, {
    vehicle_registration: 'MH12QX4827',
    vehicle_make_model: 'Maruti Suzuki Swift VXi',
    ...code,
  })

  async function call(method: string, path: string, as?: Signed, json?: object) {
    const answer = await app.ask(method, path, { ...(as && { as }), json })
    return { status: answer.status, body: await answer.json(), headers: answer.headers }
  }
  const start = (
    fields: object = {},
    { as = owner, of = qr_id }: { as?: Signed; of?: string } = {},
  ) => call('POST', `/api/qr/${of}/transfer`, as, { email: BUYER, ...fields })
  const confirm = () => call('POST', '/api/account/confirm', owner, { password: PASSWORD })
  const cancel = (as: Signed = owner) => call('DELETE', `/api/qr/${qr_id}/transfer`, as)
  /** The token of the mail that was sent last to an address. */
  const mailedToken = (to = BUYER) => {
    const mail = app.mails.findLast((each) => each.to === to && each.text.includes('/transfer/'))
    const token = /\/transfer\/([\w-]{43})\b/.exec(mail?.text ?? '')?.[1]
    if (!token) throw new Error(`No link was mailed to ${to}`)
    return token
  }
  /** Begins a transfer, and answers its token. */
  async function begin(fields: object = {}, of = qr_id): Promise<string> {
    const { status, body } = await start(fields, { of })
    if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
    return mailedToken((fields as { email?: string }).email)
  }
  const look = (token: string, as?: Signed) => call('GET', `/api/transfers/${token}`, as)
  const accept = (token: string, as: Signed | undefined = buyer, fields: object = HOLDER) =>
    call('POST', `/api/transfers/${token}/accept`, as, fields)
  const decline = (token: string, as: Signed | undefined = buyer) =>
    call('POST', `/api/transfers/${token}/decline`, as)
  const stored = () =>
    app.db.selectFrom('qr_codes').selectAll().where('id', '=', code_id).executeTakeFirst()
  const transfers = () => app.db.selectFrom('transfers').selectAll().execute()
  /** Sends a page's form, or looks at a page. */
  const page = (path: string, cookie = '', form?: Record<string, string>) =>
    app.ask(form ? 'POST' : 'GET', path, {
      ...(form && { body: new URLSearchParams(form) }),
      headers: { 'Sec-Fetch-Site': 'same-origin', ...(cookie && { cookie }) },
    })
  const sent = { start, confirm, cancel, begin, look, accept, decline, call, page }
  return { ...app, ...sent, owner, buyer, code_id, qr_id, stored, transfers, mailedToken }
}
