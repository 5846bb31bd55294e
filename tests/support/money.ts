import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { INSERTED } from '#tests/support/inserted.ts'

export type Signed = Awaited<ReturnType<TestApp['signUp']>>

/** The application with an admin and an owner, its mail going to `mails`. */
export async function openMoney(env: Record<string, string> = {}) {
  const app = await openTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:25', ...env } })
  const admin = await app.signUp({ name: 'Nandini Rao', role: 'admin' })
  const asha = await app.signUp({ name: 'Asha Patil' })
  async function call(method: string, path: string, json?: unknown, as: Signed | null = admin) {
    const asked = { ...(as && { as }), ...(json !== undefined && { json }) }
    const answer = await app.ask(method, `/api${path}`, asked)
    // biome-ignore lint/suspicious/noExplicitAny: the tests check the content of answers
    const body: any = await answer.json()
    return { status: answer.status, body, headers: answer.headers }
  }
  const entitlement = (id = asha.id) =>
    app.db
      .selectFrom('accounts')
      .select(['subscription_plan', 'qr_limit', 'child_qr_quota'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const acts = async () => {
    const rows = await app.db.selectFrom('audit_events').selectAll().orderBy(INSERTED).execute()
    return rows.map(({ action, actor, subject_id, before, after }) => ({
      action,
      actor,
      subject_id,
      before: JSON.parse(before ?? 'null'),
      after: JSON.parse(after ?? 'null'),
    }))
  }
  return { ...app, admin, asha, call, entitlement, acts }
}

export const FREE = { subscription_plan: 'free', qr_limit: 1, child_qr_quota: 0 }
export const PREMIUM = { subscription_plan: 'premium', qr_limit: 50, child_qr_quota: 50 }

/** Counts the answers by status. */
export function tally(answers: { status: number }[]): Record<number, number> {
  const counted: Record<number, number> = {}
  for (const { status } of answers) counted[status] = (counted[status] ?? 0) + 1
  return counted
}
