import type { Tables } from '#db/schema.ts'
import { SHARE_ROLES, type ShareRole } from '#domain/people/roles.ts'
import { insertCode } from '#tests/support/codes.ts'
import { openConversations } from '#tests/support/conversations.ts'
import { insertShare } from '#tests/support/people.ts'

/** Opens an application with Ravi and his two codes, one of them of a company, his person Meera, and a stranger. */
export async function openSharedConversations(
  fields: Partial<Tables['shares']> = {},
  options: Parameters<typeof openConversations>[0] = {},
) {
  const opened = await openConversations({ code: { company_fleet_name: 'Sai Motors' }, ...options })
  const { db, owner } = opened
  const named = { name: 'Ravi Kulkarni', subscription_plan: 'enterprise' as const }
  await db.updateTable('accounts').set(named).where('id', '=', owner.id).execute()
  const person = await opened.signUp({ name: 'Meera' })
  const stranger = await opened.signUp({ name: 'Kiran' })
  const other = await insertCode(db, owner.id)
  const since = { created_at: '2026-01-01T10:00:00.000Z', ...fields }
  const share = await insertShare(db, { owner_id: owner.id, person_id: person.id }, since)
  const become = (change: Partial<Tables['shares']>) =>
    db.updateTable('shares').set(change).where('id', '=', share.id).execute()
  return { ...opened, person, stranger, other, share, become }
}

/** Signs up one more person for each role, with all codes of the owner. */
export async function signUpRoles({
  db,
  owner,
  signUp,
}: Pick<Awaited<ReturnType<typeof openConversations>>, 'db' | 'owner' | 'signUp'>) {
  const people = {} as Record<ShareRole, Awaited<ReturnType<typeof signUp>>>
  for (const role of SHARE_ROLES) {
    people[role] = await signUp({ name: role })
    await insertShare(db, { owner_id: owner.id, person_id: people[role].id }, { role })
  }
  return people
}
