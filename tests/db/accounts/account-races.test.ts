import { describe, expect, test } from 'vitest'
import { createAccount, setBlocked, verifyEmail } from '#db/accounts/account-changes.ts'
import { acceptLoginCode, resetPassword } from '#db/accounts/address-proof.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '#db/accounts/api-keys.ts'
import { admitIdentity, redeemSignInCode } from '#db/accounts/google-sign-in.ts'
import { storeOneTimeCode, toOneTimeCode, tryOneTimeCode } from '#db/accounts/one-time-codes.ts'
import { endDuePermissions, setPermission } from '#db/accounts/permission-types.ts'
import { grantRole, revokeRole } from '#db/accounts/permissions.ts'
import { registerAccount } from '#db/accounts/registrations.ts'
import { beginApp, confirmApp, removeApp, renewRecoveryCodes } from '#db/accounts/second-factors.ts'
import { MOST_SESSIONS } from '#db/accounts/sessions.ts'
import { findTicketAccount, openTicket } from '#db/accounts/sign-in-tickets.ts'
import { trustDevice } from '#db/accounts/trusted-devices.ts'
import { takeGuess, toGuessSource } from '#db/accounts/wrong-guesses.ts'
import { secondsAfter } from '#db/cast.ts'
import { hashToken } from '#db/secrets.ts'
import { WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { ACTOR } from '#tests/support/promo.ts'
import { countEach, RACERS, race } from '#tests/support/races.ts'

const EMAIL = 'asha@example.in'
const OPEN = {
  rule: { mode: 'open', domains: [] },
  takeToken: undefined,
  inviteToken: undefined,
} as const
const ASHA = {
  name: 'Asha Patil',
  email: EMAIL,
  password_hash: 'hash',
  notice: '1',
  admission: OPEN,
}
const quietly = async () => {}

async function openAccounts(options = {}) {
  const app = await openTestApp(options)
  const { db } = app
  const { secretKey } = app.deps
  const now = app.deps.clock()
  const accounts = () => db.selectFrom('accounts').selectAll().execute()
  const acts = async () =>
    (await db.selectFrom('audit_events').select('action').execute()).map(({ action }) => action)
  /** The same code for whichever browser asks for it. */
  const codeOf = (purpose: 'register' | 'login' | 'reset', browser_hash = '', otp = '123456') =>
    toOneTimeCode(secretKey, { purpose, contact: EMAIL, browser_hash }, otp)
  const store = (code: ReturnType<typeof codeOf>) => storeOneTimeCode(db, code, now, quietly)
  const codes = () => db.selectFrom('one_time_codes').selectAll().execute()
  return { ...app, secretKey, now, accounts, acts, codeOf, store, codes }
}

describe('a one-time code', () => {
  test('is stored once for a browser, and mailed once', async () => {
    const { db, deps, sender, mails, now, codeOf, codes } = await openAccounts(WITH_MAIL)
    const mail = { to: EMAIL, subject: 'Code', text: 'Code', html: 'Code' }
    const { won } = await race((n) =>
      storeOneTimeCode(db, codeOf('login', 'browser', `00000${n}`), now, (trx) =>
        deps.outbox.put(trx, mail),
      ),
    )
    expect(countEach(won.map(({ stored }) => stored))).toEqual({ true: 1, false: 19 })
    expect(new Set(won.map(({ expiresAt }) => expiresAt)).size).toBe(1)
    const winner = won.findIndex(({ stored }) => stored)
    const { code_hash } = codeOf('login', 'browser', `00000${winner}`)
    expect(await codes()).toMatchObject([{ code_hash }])
    await sender.settled()
    expect(mails).toHaveLength(1)
  })

  test('stays for a later call that was stored before this one', async () => {
    const { db, secretKey, now, codeOf } = await openAccounts()
    await storeOneTimeCode(db, codeOf('login'), secondsAfter(now, 1), quietly)
    const use = { purpose: 'login', contact: 'ravi@example.in', browser_hash: '' } as const
    const other = toOneTimeCode(secretKey, use, '123456')
    await storeOneTimeCode(db, other, now, quietly)
    expect(await tryOneTimeCode(db, codeOf('login'), undefined, now)).toBe(true)
  })

  test('takes five wrong tries, and then no right one', async () => {
    const { db, now, codeOf, store, codes } = await openAccounts()
    await store(codeOf('login'))
    const { won } = await race((n) =>
      tryOneTimeCode(db, codeOf('login', '', `90000${n}`), undefined, now),
    )
    expect(countEach(won.map(String))).toEqual({ false: 20 })
    expect(await codes()).toMatchObject([{ tries: 5, tries_elsewhere: 0 }])
    expect(await tryOneTimeCode(db, codeOf('login'), undefined, now)).toBe(false)
  })

  test('takes fifteen wrong tries of other browsers, and then no right one of theirs', async () => {
    const { db, now, codeOf, store, codes } = await openAccounts()
    await store(codeOf('login', 'own'))
    await race((n) => tryOneTimeCode(db, codeOf('login', 'b', `90000${n}`), undefined, now))
    expect(await codes()).toMatchObject([{ tries: 0, tries_elsewhere: 15 }])
    expect(await tryOneTimeCode(db, codeOf('login', 'b'), undefined, now)).toBe(false)
    expect(await tryOneTimeCode(db, codeOf('login', 'own'), undefined, now)).toBe(true)
  })

  test('makes one account', async () => {
    const { db, now, codeOf, store, accounts, codes } = await openAccounts()
    await store(codeOf('register'))
    const { won } = await race((n) =>
      registerAccount(db, codeOf('register'), { ...ASHA, name: `Asha ${n}` }, now),
    )
    const made = won.filter((each) => typeof each === 'object')
    expect(made).toHaveLength(1)
    expect(won.filter((each) => each === 'void')).toHaveLength(19)
    expect(await accounts()).toEqual(made)
    expect(await codes()).toEqual([])
  })

  test('of each of twenty browsers is used up, and one of them makes the account', async () => {
    const { db, now, codeOf, store, accounts, codes } = await openAccounts()
    // Their codes differ: a right one uses up whichever browser's it is.
    const own = (n: number) => codeOf('register', `browser ${n}`, `1000${n}`)
    for (let n = 0; n < RACERS; n++) await store(own(n))
    const { won } = await race((n) => registerAccount(db, own(n), ASHA, now))
    expect(won.filter((each) => typeof each === 'object')).toHaveLength(1)
    expect(won.filter((each) => each === 'taken')).toHaveLength(19)
    expect(await accounts()).toHaveLength(1)
    // Only a note is left, for the one that made it: its answer may have been lost.
    const left = await codes()
    expect(left).toEqual([expect.objectContaining({ contact: left[0]?.code_hash })])
  })

  test('lets in once, and proves the address once', async () => {
    const { db, secretKey, now, codeOf, store, signUp, accounts } = await openAccounts()
    const { id } = await signUp({ email: EMAIL, email_verified_at: null })
    await store(codeOf('login'))
    const { won } = await race(() =>
      acceptLoginCode(db, secretKey, codeOf('login'), id, now, quietly),
    )
    expect(won.filter((each) => each !== undefined)).toHaveLength(1)
    // The first proof ends the password of the person who registered the account.
    expect(await accounts()).toMatchObject([
      { email_verified_at: now.toISOString(), password_hash: null },
    ])
  })

  test('sets one password', async () => {
    const { db, secretKey, now, codeOf, store, signUp, accounts } = await openAccounts()
    const { id } = await signUp({ email: EMAIL })
    await store(codeOf('reset'))
    const { won } = await race((n) => {
      const set = { accountId: id, passwordHash: `hash ${n}` }
      return resetPassword(db, secretKey, codeOf('reset'), set, now, quietly)
    })
    expect(countEach(won)).toEqual({ true: 1, false: 19 })
    expect(await accounts()).toMatchObject([{ password_hash: `hash ${won.indexOf(true)}` }])
  })
})

describe('an account', () => {
  test('is made once with its address, and once with its mobile number', async () => {
    const { db, now, accounts, acts } = await openAccounts()
    const byEmail = await race(() => createAccount(db, ASHA, ACTOR, now))
    expect(byEmail.won).toHaveLength(1)
    expect(byEmail.refused).toEqual({
      [`An account with the address ${EMAIL} exists already`]: 19,
    })
    const mobile = '+919814012345'
    const byMobile = await race((n) => {
      const person = { ...ASHA, email: `person${n}@example.in`, mobile }
      return createAccount(db, person, ACTOR, now)
    })
    expect(byMobile.won).toHaveLength(1)
    expect(byMobile.refused).toEqual({
      [`An account with the mobile number ${mobile} exists already`]: 19,
    })
    expect(await accounts()).toHaveLength(2)
    expect(await acts()).toEqual(['account.created', 'account.created'])
  })

  test('of Google is made and joined once, and each of its codes lets in once', async () => {
    const { db, now, accounts } = await openAccounts()
    const identity = {
      issuer: 'https://accounts.example',
      subject: '7',
      email: EMAIL,
      name: 'Asha',
    }
    const codeOf = (n: number) => ({ code_hash: `code ${n}`, browser_hash: 'browser' })
    const { won } = await race((n) =>
      admitIdentity(db, identity, codeOf(n), { now, notice: '1', admission: OPEN }),
    )
    expect(countEach(won)).toEqual({ admitted: 20 })
    expect(await accounts()).toHaveLength(1)
    expect(await db.selectFrom('google_identities').selectAll().execute()).toHaveLength(1)
    const redeemed = await race(() => redeemSignInCode(db, codeOf(3), now))
    expect(redeemed.won.filter((each) => each !== undefined)).toHaveLength(1)
    expect(await db.selectFrom('sign_in_codes').select('code_hash').execute()).toHaveLength(19)
  })

  test('keeps its newest sessions when many sign in at once', async () => {
    const { db, deps, signUp, advance } = await openAccounts()
    const account = await signUp()
    advance(1)
    const { won } = await race(() => deps.sessions.start(account), 2 * MOST_SESSIONS)
    expect(won).toHaveLength(40)
    const kept = await db.selectFrom('sessions').select('id').execute()
    expect(kept).toHaveLength(MOST_SESSIONS)
    const made = won.map(({ cookieToken }) => hashToken(cookieToken))
    expect(kept.every(({ id }) => made.includes(id))).toBe(true)
  })

  test('has twenty API keys at most, and each is revoked once', async () => {
    const { db, deps, signUp, now } = await openAccounts()
    const { id } = await signUp()
    const caller = await newCaller({ deps }, id)
    for (let n = 0; n < 15; n++) await createApiKey(db, caller, `Key ${n}`, now, quietly)
    const { won, refused } = await race((n) =>
      createApiKey(db, caller, `Key ${15 + n}`, now, quietly),
    )
    expect(won).toHaveLength(5)
    expect(refused).toEqual({ 'conflict: There are 20 API keys already: revoke one first': 15 })
    expect(await listApiKeys(db, id)).toHaveLength(20)
    const revoked = await race(() => revokeApiKey(db, id, won[0]?.id ?? ''))
    expect([revoked.won.length, revoked.refused]).toEqual([
      1,
      { 'not_found: API key not found': 19 },
    ])
    expect(await listApiKeys(db, id)).toHaveLength(19)
  })

  test('makes no key for a session that ends meanwhile', async () => {
    const { db, deps, secretKey, signUp, now, codeOf, store } = await openAccounts()
    const { id } = await signUp({ email: EMAIL })
    const caller = await newCaller({ deps }, id)
    await store(codeOf('reset'))
    await race(async (n) => {
      if (n !== 10) return createApiKey(db, caller, `Key ${n}`, now, quietly)
      const set = { accountId: id, passwordHash: 'another' }
      return resetPassword(db, secretKey, codeOf('reset'), set, now, quietly)
    })
    expect(await listApiKeys(db, id)).toEqual([])
    expect(await db.selectFrom('sessions').select('id').execute()).toEqual([])
  })
})

test('changes no second factor for a session that has ended meanwhile', async () => {
  const { db, deps, secretKey, signUp, now } = await openAccounts()
  const { id } = await signUp()
  const caller = await newCaller({ deps }, id)
  const typed = { code: '123456', recoveryCodes: [] }
  await db.deleteFrom('sessions').execute()
  for (const change of [
    () => beginApp(db, secretKey, caller, 'secret', now),
    () => confirmApp(db, secretKey, caller, typed, now, quietly),
    () => removeApp(db, caller, quietly),
    () => renewRecoveryCodes(db, secretKey, caller, [], now, quietly),
    () => trustDevice(db, caller, 'device', now, quietly),
  ]) {
    await expect(change()).rejects.toThrow('Not authenticated')
  }
})

test('trusts no device of a sign-in whose account has no second factor any more', async () => {
  const { db, deps, secretKey, signUp, now } = await openAccounts()
  const { id } = await signUp()
  const caller = await newCaller({ deps }, id)
  const trusted = () => db.selectFrom('trusted_devices').select('device_id').execute()
  await beginApp(db, secretKey, caller, 'JBSWY3DPEHPK3PXP', now)
  await db.updateTable('authenticators').set({ confirmed_at: now.toISOString() }).execute()
  await race((n) =>
    n === 9 ? removeApp(db, caller, quietly) : trustDevice(db, caller, `device ${n}`, now, quietly),
  )
  expect(await trusted()).toEqual([])
})

test('counts all guesses at once, and takes none above the limit', async () => {
  const { db, secretKey, now } = await openAccounts()
  const guesser = { contacts: [EMAIL], network: '203.0.113.7', device: undefined }
  const from = toGuessSource(secretKey, guesser, 'password')
  const { won } = await race(() => takeGuess(db, from, now))
  const taken = won.filter((each) => 'n' in each)
  expect(taken).toHaveLength(10)
  expect(new Set(taken.map(({ n }) => n)).size).toBe(10)
  expect(taken.filter(({ next }) => next !== undefined)).toHaveLength(1)
  expect(await db.selectFrom('wrong_guesses').select('n').execute()).toHaveLength(10)
})

test('of twenty guesses at once ten are let through, also in another order than they began', async () => {
  const { db, secretKey, now } = await openAccounts()
  const guesser = { contacts: [EMAIL], network: '203.0.113.7', device: undefined }
  const from = toGuessSource(secretKey, guesser, 'password')
  const { won } = await race((n) => takeGuess(db, from, secondsAfter(now, -n / 1000)))
  expect(won.filter((each) => 'n' in each)).toHaveLength(10)
})

test('a ticket stays for a later sign-in that came before this one', async () => {
  const { db, now, signUp } = await openAccounts()
  const [asha, ravi] = [await signUp(), await signUp()]
  const ticket = await openTicket(db, asha.id, secondsAfter(now, 1))
  await openTicket(db, ravi.id, now)
  expect(await findTicketAccount(db, ticket, now)).toMatchObject({ id: asha.id })
})

describe('permissions', () => {
  test('an admin who is blocked meanwhile can no longer give a permission', async () => {
    const { db, signUp, now, accounts, acts } = await openAccounts()
    const [root, ravi] = [await signUp({ role: 'super_admin' }), await signUp({ role: 'admin' })]
    const staff = await Promise.all(Array.from({ length: 10 }, () => signUp()))
    const { won, refused } = await race(async (n) => {
      const wanted = n % 2 ? staff[(n - 1) / 2] : ravi
      const [actorId, accountId] = n % 2 ? [ravi.id, wanted?.id ?? ''] : [root.id, ravi.id]
      const type = n % 2 ? 'moderator' : 'blocked'
      return setPermission(db, { actorId, accountId, type, until: null }, now)
    })
    const all = await accounts()
    expect(all.find(({ id }) => id === ravi.id)).toMatchObject({ is_active: 0 })
    const moderators = all.filter(({ role }) => role === 'moderator').length
    expect(won).toHaveLength(10 + moderators)
    expect(refused).toEqual(
      moderators === 10 ? {} : { 'forbidden: Admin access required': 10 - moderators },
    )
    expect(await acts()).toHaveLength(won.length)
    const again = { actorId: ravi.id, accountId: staff[0]?.id ?? '', type: 'client', until: null }
    const late = await race(() =>
      setPermission(db, again as typeof again & { type: 'client' }, now),
    )
    expect(late.refused).toEqual({ 'forbidden: Admin access required': 20 })
  })

  test('a role is granted as often as it is asked for, and revoked once', async () => {
    const { db, signUp, now, accounts, acts } = await openAccounts()
    await signUp({ email: EMAIL })
    const grant = { contact: EMAIL, role: 'moderator', until: secondsAfter(now, 60) } as const
    expect((await race(() => grantRole(db, grant, now))).won).toHaveLength(20)
    const { won, refused } = await race(() => revokeRole(db, EMAIL, now))
    expect(won).toHaveLength(1)
    expect(refused).toEqual({ [`${EMAIL} has no role to revoke`]: 19 })
    expect(await accounts()).toMatchObject([{ role: 'client' }])
    expect(countEach(await acts())).toEqual({ 'role.granted': 20, 'role.revoked': 1 })
  })

  test('an account is blocked once, and unblocked once', async () => {
    const { db, signUp, now, accounts, acts } = await openAccounts()
    await signUp({ email: EMAIL })
    const blocking = await race(() => setBlocked(db, { contact: EMAIL, isBlocked: true }, now))
    expect([blocking.won.length, blocking.refused]).toEqual([
      1,
      { [`${EMAIL} is blocked already`]: 19 },
    ])
    const admitting = await race(() => setBlocked(db, { contact: EMAIL, isBlocked: false }, now))
    expect([admitting.won.length, admitting.refused]).toEqual([
      1,
      { [`${EMAIL} is not blocked`]: 19 },
    ])
    expect(await accounts()).toMatchObject([{ is_active: 1 }])
    expect(await acts()).toEqual(expect.arrayContaining(['account.blocked', 'account.unblocked']))
    expect(await acts()).toHaveLength(2)
  })

  test('an address is verified once', async () => {
    const { db, signUp, now, acts } = await openAccounts()
    await signUp({ email: EMAIL, email_verified_at: null })
    const { won, refused } = await race(() => verifyEmail(db, EMAIL, now))
    expect([won.length, refused]).toEqual([1, { [`${EMAIL} is verified already`]: 19 }])
    expect(await acts()).toEqual(['account.email_verified'])
  })

  test('a temporary role ends once when several notice its end at once', async () => {
    const { db, signUp, now, accounts, acts } = await openAccounts()
    await signUp({ email: EMAIL })
    await grantRole(db, { contact: EMAIL, role: 'admin', until: secondsAfter(now, 60) }, now)
    await race(() => endDuePermissions(db, secondsAfter(now, 61)))
    expect(await accounts()).toMatchObject([{ role: 'client' }])
    expect((await acts()).toSorted()).toEqual(['permission.ended', 'role.granted'])
  })
})
