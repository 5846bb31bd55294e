import { describe, expect, test } from 'vitest'
import type { Caller } from '#db/accounts/credentials.ts'
import { beginDeletion } from '#db/deletions/deletions.ts'
import {
  acceptShare,
  declineShare,
  findShareInvitation,
  type Invited,
  invitePerson,
  renewInvitation,
} from '#db/people/invitations.ts'
import {
  changeShare,
  leaveOwner,
  listHelping,
  listPeople,
  removePerson,
  type SettledShare,
} from '#db/people/people.ts'
import { INVITATION_DAYS } from '#domain/accounts/invitation.ts'
import { DAY } from '#domain/rate-limits.ts'
import { openTestApp } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertShare } from '#tests/support/people.ts'
import { race } from '#tests/support/races.ts'

const EMAIL = 'meera@example.in'
const quietly = async () => {}

/** An owner on premium with a code of a company, and two people. */
async function openInvitations() {
  const app = await openTestApp()
  const { db } = app
  const owner = await app.signUp({ subscription_plan: 'premium', email: 'owner@example.in' })
  const meera = await app.signUp({ email: EMAIL })
  const ravi = await app.signUp({ email: 'ravi@example.in' })
  const van = await insertCode(db, owner.id, { company_fleet_name: 'Sai Motors' })
  const caller = ({ id }: { id: string }) => newCaller(app, id)
  const by = { owner: await caller(owner), meera: await caller(meera), ravi: await caller(ravi) }
  const now = () => app.deps.clock()
  const invite = (wish: Partial<Invited> = {}, wasMailed = true) =>
    invitePerson(
      db,
      by.owner,
      { email: EMAIL, role: 'member', scope: 'all', wasMailed, ...wish },
      now(),
      quietly,
    )
  const accept = (token: string, who = by.meera) => acceptShare(db, who, token, now(), quietly)
  const people = () => listPeople(db, { id: owner.id, subscription_plan: 'premium' }, now())
  return { ...app, owner, meera, ravi, van, by, now, invite, accept, people }
}

const statusOf = async (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code }: { code?: string }) => code ?? 'fault',
  )

describe('an invitation', () => {
  test.each([
    ['all', {}],
    [{ company_fleet_name: 'Sai Motors' }, { company_fleet_name: 'Sai Motors' }],
  ] as const)('to %j is accepted once, by its address alone', async (scope, codes) => {
    const { db, owner, meera, by, invite, accept, people } = await openInvitations()
    const { id, token } = await invite({ scope })
    await expect(accept(token, by.ravi)).rejects.toMatchObject({ code: 'forbidden.invited_other' })
    await accept(token)
    await expect(accept(token)).rejects.toMatchObject({ code: 'not_found.dead_link' })
    const share = { id, role: 'member', company_fleet_name: null, ...codes }
    expect(await people()).toMatchObject({
      people: [{ ...share, name: meera.name }],
      invitations: [],
    })
    expect(await listHelping(db, meera.id)).toMatchObject([{ ...share, name: owner.name }])
  })

  test('to one code follows its new id, and ends with it', async () => {
    const { db, van, invite, people } = await openInvitations()
    await invite({ scope: { qr_id: van.qr_id } })
    await db.updateTable('qr_codes').set({ qr_id: 'ZZZZ2222' }).where('id', '=', van.id).execute()
    expect((await people()).invitations).toMatchObject([{ qr_id: 'ZZZZ2222', email: EMAIL }])
    await db.deleteFrom('qr_codes').where('id', '=', van.id).execute()
    expect((await people()).invitations).toEqual([])
  })

  test('is refused for oneself, for a person who helps, twice, and for codes of others', async () => {
    const { db, owner, ravi, invite } = await openInvitations()
    const others = await insertCode(db, ravi.id, { company_fleet_name: 'Others' })
    const refused = async (wish: Partial<Invited>) => statusOf(invite(wish))
    expect(await refused({ email: 'owner@example.in' })).toBe('invalid.invite_self')
    expect(await refused({ scope: { qr_id: others.qr_id } })).toBe('not_found.qr_code')
    expect(await refused({ scope: { company_fleet_name: 'Others' } })).toBe('not_found.company')
    await insertShare(db, { owner_id: owner.id, person_id: ravi.id })
    expect(await refused({ email: 'ravi@example.in' })).toBe('conflict.helps_already')
    await invite()
    expect(await refused({ role: 'viewer' })).toBe('conflict.invited_already')
  })

  test('of a blocked account is made as for anybody', async () => {
    const { db, meera, invite } = await openInvitations()
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', meera.id).execute()
    expect(await invite()).toMatchObject({ email: EMAIL })
  })

  test('ends after seven days, and neither counts nor hinders another one then', async () => {
    const { db, advance, now, invite, accept, people } = await openInvitations()
    const { token } = await invite()
    advance(INVITATION_DAYS * DAY)
    expect(await findShareInvitation(db, token, now())).toBeUndefined()
    expect(await statusOf(accept(token))).toBe('not_found.dead_link')
    expect((await people()).invitations).toEqual([])
    await accept((await invite()).token)
  })

  test('sleeps while its owner is blocked', async () => {
    const { db, owner, invite, accept } = await openInvitations()
    const { token } = await invite()
    const block = (is_active: 0 | 1) =>
      db.updateTable('accounts').set({ is_active }).where('id', '=', owner.id).execute()
    await block(0)
    expect(await statusOf(accept(token))).toBe('not_found.dead_link')
    await block(1)
    await accept(token)
  })

  test('gets a new link from its owner, which ends the former and proves no address', async () => {
    const { db, by, now, invite, accept, people } = await openInvitations()
    const first = await invite()
    const second = await renewInvitation(db, by.owner, first.id, now())
    expect((await people()).invitations).toMatchObject([{ was_mailed: 0 }])
    expect(await statusOf(renewInvitation(db, by.meera, first.id, now()))).toBe('not_found.person')
    expect(await statusOf(accept(first.token))).toBe('not_found.dead_link')
    await accept(second.token)
    expect(await statusOf(renewInvitation(db, by.owner, first.id, now()))).toBe('not_found.person')
  })

  test('is declined or cancelled once', async () => {
    const { db, by, now, invite, accept, people } = await openInvitations()
    const { token } = await invite()
    await declineShare(db, token, now(), quietly)
    expect(await statusOf(declineShare(db, token, now(), quietly))).toBe('not_found.dead_link')
    const again = await invite()
    await removePerson(db, by.owner, again.id, quietly)
    expect(await statusOf(accept(again.token))).toBe('not_found.dead_link')
    expect(await people()).toMatchObject({ people: [], invitations: [] })
  })

  test('counts against the number of people, and above it nobody is invited or accepted', async () => {
    const { db, owner, invite, accept } = await openInvitations()
    for (let n = 1; n < 5; n++) await invite({ email: `p${n}@example.in` })
    const { token } = await invite()
    await expect(invite({ email: 'p6@example.in' })).rejects.toMatchObject({
      code: 'plan_limit.people',
      planLimit: { current_count: 5, limit: 5 },
    })
    const free = { subscription_plan: 'free' as const }
    await db.updateTable('accounts').set(free).where('id', '=', owner.id).execute()
    await accept(token)
    expect(await statusOf(invite({ email: 'p6@example.in' }))).toBe('plan_limit.people')
  })
})

describe('at once', () => {
  test('of twenty invitations of an address one is made', async () => {
    const { invite } = await openInvitations()
    const { won, refused } = await race(() => invite())
    expect(won.length).toBe(1)
    expect(refused).toEqual({ 'conflict: This address has an invitation already': 19 })
  })

  test('of twenty invitations at the last place one is made', async () => {
    const { invite } = await openInvitations()
    for (let n = 1; n < 5; n++) await invite({ email: `p${n}@example.in` })
    const { won, refused } = await race((n) => invite({ email: `q${n}@example.in` }))
    expect(won.length).toBe(1)
    expect(refused).toEqual({ 'plan_limit: People limit reached (5/5)': 19 })
  })

  test('of twenty acceptances one works, and a link serves one of two accounts', async () => {
    const { db, meera, by, invite, accept, people } = await openInvitations()
    const { token } = await invite()
    await db
      .updateTable('accounts')
      .set({ email: null, login_id: 'ID-x' })
      .where('id', '=', meera.id)
      .execute()
    await db
      .updateTable('accounts')
      .set({ email: EMAIL })
      .where('id', '=', by.ravi.accountId)
      .execute()
    const { won } = await race((n) => accept(token, n % 2 ? by.meera : by.ravi))
    expect(won.length).toBe(1)
    expect((await people()).people.length).toBe(1)
  })

  test('of twenty acceptances at the last place one works', async () => {
    const app = await openInvitations()
    const { db, owner, invite, now, people } = app
    const enterprise = { subscription_plan: 'enterprise' as const }
    await db.updateTable('accounts').set(enterprise).where('id', '=', owner.id).execute()
    const guests: { by: Caller; token: string }[] = []
    for (let n = 0; n < 20; n++) {
      const guest = await app.signUp({ email: `g${n}@example.in` })
      guests.push({
        by: await newCaller(app, guest.id),
        token: (await invite({ email: `g${n}@example.in` })).token,
      })
    }
    const free = { subscription_plan: 'free' as const }
    await db.updateTable('accounts').set(free).where('id', '=', owner.id).execute()
    const { won, refused } = await race((n) => {
      const guest = guests[n] as (typeof guests)[number]
      return acceptShare(db, guest.by, guest.token, now(), quietly)
    })
    expect(won.length).toBe(1)
    expect(refused).toEqual({ 'plan_limit: People limit reached (1/1)': 19 })
    expect((await people()).people.length).toBe(1)
  })

  test('a cancelled invitation is accepted before or not at all', async () => {
    const { db, by, invite, accept, people } = await openInvitations()
    const { id, token } = await invite()
    const [cancelled, accepted] = await Promise.all([
      statusOf(removePerson(db, by.owner, id, quietly)),
      statusOf(accept(token)),
    ])
    expect(cancelled).toBe('done')
    expect(['done', 'not_found.dead_link']).toContain(accepted)
    expect(await people()).toMatchObject({ people: [], invitations: [] })
  })
})

describe('a share', () => {
  test('is changed by its owner alone, to codes of the owner, and both are told', async () => {
    const { db, by, meera, owner, now, van, invite, accept, people } = await openInvitations()
    const { id, token } = await invite()
    await accept(token)
    const told: SettledShare[] = []
    const change = (who = by.owner, scope: Invited['scope'] = { qr_id: van.qr_id }) =>
      changeShare(db, who, { id, role: 'manager', scope }, now(), async (_, each) => {
        told.push(each)
      })
    expect(await statusOf(change(by.meera))).toBe('not_found.qr_code')
    expect(await statusOf(change(by.meera, 'all'))).toBe('not_found.person')
    expect(await statusOf(change(by.owner, { qr_id: 'ZZZZ2222' }))).toBe('not_found.qr_code')
    await change()
    expect((await people()).people).toMatchObject([{ role: 'manager', qr_id: van.qr_id }])
    expect(told).toMatchObject([
      { owner: { id: owner.id }, person: { id: meera.id }, share: { role: 'manager' } },
    ])
  })

  test('is ended by either side, and by nobody else', async () => {
    const { db, by, invite, accept, people } = await openInvitations()
    for (const end of [
      (id: string) => removePerson(db, by.owner, id, quietly),
      (id: string) => leaveOwner(db, by.meera, id, quietly),
    ]) {
      const { id, token } = await invite()
      await accept(token)
      expect(await statusOf(removePerson(db, by.meera, id, quietly))).toBe('not_found.person')
      expect(await statusOf(leaveOwner(db, by.owner, id, quietly))).toBe('not_found.person')
      expect(await statusOf(leaveOwner(db, by.ravi, id, quietly))).toBe('not_found.person')
      await end(id)
      expect((await people()).people).toEqual([])
    }
  })

  test.each(['owner', 'meera'] as const)(
    'ends for good with the request of %s for deletion',
    async (who) => {
      const app = await openInvitations()
      const { db, by, now, invite, accept } = app
      await accept((await invite()).token)
      await invite({ email: 'other@example.in' })
      const typed = { typed: app[who].email ?? '', tokenHash: 'h' }
      await beginDeletion(db, by[who], typed, now(), quietly)
      const left = await db.selectFrom('shares').select('email').execute()
      expect(left).toEqual(who === 'owner' ? [] : [{ email: 'other@example.in' }])
    },
  )
})
