import { getAccount } from '#db/accounts/accounts.ts'
import type { Account } from '#db/schema.ts'
import { SHARE_ROLES, type ShareRole } from '#domain/people/roles.ts'
import type { TestApp } from '#tests/support/app.ts'
import { callOn } from '#tests/support/calls.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertShare } from '#tests/support/people.ts'
import { endOf, identify, newAccount, placeOf, send } from '#tests/support/principals.ts'
import { thingsOf } from '#tests/support/things.ts'

/** The kinds of accounts, by their relation to a code. */
export const KINDS = ['owner', ...SHARE_ROLES, 'child', 'stranger'] as const
export type Kind = (typeof KINDS)[number]

/** The scopes that leave the code out. */
export const OTHER_SCOPES = ['other company', 'other code'] as const
export type Scope = 'all' | 'company' | 'one' | (typeof OTHER_SCOPES)[number]

const COMPANY = 'Sai Motors'

/**
 * Makes a call that names a thing of an owner as an account of this kind. Returns the answer, and whether the
 * thing belongs to a code. A thing without one has no child user and no share of one code, and its call names the
 * owner.
 */
export async function answerAs(
  app: TestApp,
  call: string,
  kind: Kind,
  scope: Scope = 'all',
): Promise<{ answer: string; isOfCode: boolean }> {
  const owner = await newAccount(app, 'enterprise')
  const sent = await callOn(thingsOf(app, owner), call)
  const codeId = await placeInCompany(app, owner)
  const who = kind === 'owner' ? owner : await newAccount(app, 'client')
  if (isRole(kind)) await share(app, { owner, who, kind, scope, codeId })
  if (kind === 'child' && codeId) await registerChild(app, { owner, who, codeId })
  const headers = await identify(app, 'client', await getAccount(app.db, who.id), sent.path)
  const path = codeId ? sent.path : `${sent.path}?owner_id=${owner.id}`
  const response = await send(app, { ...sent, path }, headers)
  await endOf(response)
  return { answer: placeOf(response), isOfCode: codeId !== undefined }
}

function isRole(kind: Kind): kind is ShareRole {
  return (SHARE_ROLES as readonly string[]).includes(kind)
}

/** Puts the codes of an owner into the company, and returns the id of the first. */
async function placeInCompany({ db }: TestApp, { id }: Account): Promise<string | undefined> {
  const codes = await db
    .updateTable('qr_codes')
    .set({ company_fleet_name: COMPANY })
    .where('owner_id', '=', id)
    .returning('id')
    .execute()
  return codes[0]?.id
}

type Parties = { owner: Account; who: Account; codeId: string | undefined }

async function share(
  { db }: TestApp,
  { owner, who, kind, scope, codeId }: Parties & { kind: ShareRole; scope: Scope },
): Promise<void> {
  const companies: Partial<Record<Scope, string>> = {
    company: COMPANY,
    'other company': 'Pune Cabs',
  }
  const isOne = scope === 'one' || scope === 'other code'
  const code = scope === 'one' ? codeId : isOne && (await insertCode(db, owner.id)).id
  await insertShare(
    db,
    { owner_id: owner.id, person_id: who.id },
    { role: kind, company_fleet_name: companies[scope] ?? null, code_id: code || null },
  )
}

async function registerChild(
  { db }: TestApp,
  { owner, who, codeId }: Parties & { codeId: string },
): Promise<void> {
  await db.updateTable('accounts').set({ parent_id: owner.id }).where('id', '=', who.id).execute()
  const child = { qr_type: 'child', is_child_registered: 1, child_account_id: who.id } as const
  await db.updateTable('qr_codes').set(child).where('id', '=', codeId).execute()
}
