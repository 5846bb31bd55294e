import type { Account } from '#db/schema.ts'
import { UNLIMITED } from '#domain/plans/plan.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertShare } from '#tests/support/people.ts'

export const COMPANY = 'Sai Motors'

/** The people beside an owner, by their shares; `child` has a code of its own by the owner. */
export const PEOPLE = [
  'manager',
  'member',
  'viewer',
  'ofCompany',
  'ofCode',
  'stranger',
  'child',
] as const
export type Person = (typeof PEOPLE)[number]

/** An owner with a car, a van of a company and a child's code, and everybody who has to do with it. */
export async function openHousehold(plan: Account['subscription_plan'] = 'enterprise') {
  const app = await openTestApp()
  const { db } = app
  const owner = await app.signUp({ subscription_plan: plan, name: 'Meera Joshi' })
  await db.updateTable('accounts').set({ qr_limit: UNLIMITED }).where('id', '=', owner.id).execute()
  const car = await insertCode(db, owner.id)
  const van = await insertCode(db, owner.id, { company_fleet_name: COMPANY })
  const sign = async (fields: Partial<Account> = {}) => app.signUp(fields)
  const people = {
    manager: await sign({ name: 'Ravi Menon' }),
    member: await sign(),
    viewer: await sign(),
    ofCompany: await sign(),
    ofCode: await sign(),
    stranger: await sign(),
    child: await sign({ parent_id: owner.id }),
  }
  const toy = await insertCode(db, owner.id, {
    qr_type: 'child',
    is_child_registered: 1,
    child_account_id: people.child.id,
  })
  const share = (person: Person, fields: Parameters<typeof insertShare>[2]) =>
    insertShare(db, { owner_id: owner.id, person_id: people[person].id }, fields)
  await share('manager', {})
  await share('member', { role: 'member' })
  await share('viewer', { role: 'viewer' })
  await share('ofCompany', { company_fleet_name: COMPANY })
  await share('ofCode', { code_id: car.id })
  const leave = (person: Person) =>
    db.deleteFrom('shares').where('person_id', '=', people[person].id).execute()
  /** Asks as somebody; answers the status and the body. */
  async function call(who: Person | 'owner', method: string, path: string, json?: unknown) {
    const as = who === 'owner' ? owner : people[who]
    const answer = await app.ask(method, path, { as, ...(json !== undefined && { json }) })
    const body = await answer.json().catch(() => undefined)
    return { status: answer.status, body }
  }
  /** The statuses of one call for everybody. */
  async function statuses(method: string, path: string, json?: unknown) {
    const all: Partial<Record<Person, number>> = {}
    for (const who of PEOPLE) all[who] = (await call(who, method, path, json)).status
    return all
  }
  const helps = async () => {
    const acts = db.selectFrom('audit_events').selectAll().where('owner_id', '=', owner.id)
    const rows = await acts.orderBy('happened_at').execute()
    return rows.map(({ action, actor_id, subject_id }) => ({ action, actor_id, subject_id }))
  }
  return { ...app, owner, people, car, van, toy, share, leave, call, statuses, helps }
}
