import type { Mail } from '#domain/mail.ts'
import { openTestApp } from '#tests/support/app.ts'
import { fileForm } from '#tests/support/uploads.ts'

type Who = { bearerToken: string }
type Call = { json?: object; body?: FormData; as?: Who }

/** An application with a customer on the Enterprise plan and an admin. */
export async function openTickets(options: Parameters<typeof openTestApp>[0] = {}) {
  const app = await openTestApp(options)
  const { ask, signUp, deps, mails, sender } = app
  const customer = await signUp({ name: 'Vikram Deshmukh', subscription_plan: 'enterprise' })
  const admin = await signUp({ name: 'Nandini Rao', role: 'admin' })

  const caller =
    (root: string, who: Who) =>
    async (method: string, path: string, { json, body, as = who }: Call = {}) => {
      const answer = await ask(method, root + path, { as, ...(body ? { body } : { json }) })
      return { status: answer.status, headers: answer.headers, body: await answer.json() }
    }
  const call = caller('/api/support/tickets', customer)
  const adminCall = caller('/api/admin/support/tickets', admin)

  const TICKET = { subject: 'Labels print too low', text: 'By 2 mm, since Monday.' }
  async function open(fields: object = {}, as: Who = customer) {
    const opened = await call('POST', '', { json: { ...TICKET, ...fields }, as })
    if (opened.status !== 201) throw new Error(JSON.stringify(opened.body))
    return opened.body as { id: string; number: number }
  }
  const write = (id: string, text = 'HP LaserJet M1136.', as: Who = customer) =>
    call('POST', `/${id}/messages`, { json: { text }, as })
  const answer = (id: string, text = 'Which printer is it?', as: Who = admin) =>
    adminCall('POST', `/${id}/messages`, { json: { text }, as })

  /** A form with a file, which comes last. */
  const form = (file: Uint8Array | null, fields: Record<string, string>, name = 'print.pdf') =>
    fileForm(file, fields, name, 'attachment')

  /** The mails that were sent since the last time. */
  async function sent(): Promise<Mail[]> {
    // The sender stops, so that a mail waits until a second message replaces it.
    await sender.stop()
    for (let due = await deps.outbox.claim(); due; due = await deps.outbox.claim()) {
      if (due.mail) mails.push(due.mail)
      await deps.outbox.remove(due)
    }
    return mails.splice(0)
  }

  return { ...app, customer, admin, call, adminCall, open, write, answer, form, sent, TICKET }
}
