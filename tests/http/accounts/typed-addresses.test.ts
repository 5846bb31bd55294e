import { describe, expect, test } from 'vitest'
import { removeDeleted } from '#actions/accounts/deletion.ts'
import { sweepTables } from '#actions/retention.ts'
import { createAccount, freeEmail, getAccountOf } from '#db/accounts/account-changes.ts'
import { getAccount } from '#db/accounts/accounts.ts'
import { grantRole, revokeRole } from '#db/accounts/permissions.ts'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { phoneColumns } from '#domain/codes/phones.ts'
import { cookieOf, EMAIL, mailedOtp, post, WITH_MAIL, wayBackIn } from '#tests/support/accounts.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD } from '#tests/support/families.ts'
import { openProvider } from '#tests/support/openid-provider.ts'
import { countEach } from '#tests/support/races.ts'

const VICTIM = 'meera@example.in'
const LOGIN_ID = /^ID-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/
const GUARDIAN_WAITS = /waits for your guardian.* create an account with your email/

/** An attacker with child codes. `squat` registers one with an address that was only typed. */
async function openAttack(env: Record<string, string> = {}) {
  const app = await openTestApp({ env: { ...WITH_MAIL.env, ...env } })
  const attacker = await app.signUp({ subscription_plan: 'premium' })
  const squat = async (contact: string, adult: boolean, password = PASSWORD) => {
    const { qr_id } = await insertCode(app.db, attacker.id, CHILD)
    const contact_type = contact.includes('@') ? 'email' : 'mobile'
    const json = { qr_id, name: 'Squatter', contact, contact_type, password, adult }
    const { status } = await app.ask('POST', '/api/qr/child-register', { json })
    return { status, qr_id }
  }
  const child = () =>
    app.db
      .selectFrom('accounts')
      .selectAll()
      .where('parent_id', '=', attacker.id)
      .executeTakeFirstOrThrow()
  const login = (contact: string, password = PASSWORD) => post(app, 'login', { contact, password })
  const askOtp = async (email = VICTIM) => {
    expect((await post(app, 'send-otp', { email })).status).toBe(200)
    return mailedOtp(app)
  }
  const verify = (otp: string, email = VICTIM) =>
    post(app, 'verify-otp', { email, name: 'Meera', password: 'the real one', otp })
  const loginByCode = async (contact = VICTIM) => {
    await post(app, 'send-login-otp', { contact })
    return post(app, 'login-otp', { contact, otp: mailedOtp(app) })
  }
  const brand = async () => {
    const enterprise = { subscription_plan: 'enterprise' } as const
    await app.db.updateTable('accounts').set(enterprise).where('id', '=', attacker.id).execute()
    const evil = { name: 'Evil Keys', hides_product: 1, version: '1', updated_at: '2026' } as const
    await app.db
      .insertInto('brands')
      .values({ account_id: attacker.id, ...evil })
      .execute()
  }
  return { ...app, attacker, squat, child, login, askOtp, verify, loginByCode, brand }
}

type Attack = Awaited<ReturnType<typeof openAttack>>

/** A victim whose password an attacker has, who changes the address of the account. */
async function openTakenAccount() {
  const provider = await openProvider()
  provider.behave({ claims: { email: VICTIM, sub: '77' } })
  const app = await openAttack(provider.env)
  const victim = await app.signUp({ email: VICTIM })
  const change = async () => {
    const email = 'thief@example.in'
    await app.ask('POST', '/api/account/email', { as: victim, json: { email } })
    const json = { otp: mailedOtp(app) }
    const changed = await app.ask('POST', '/api/account/email/verify', { as: victim, json })
    expect(changed.status).toBe(200)
    return wayBackIn(app)
  }
  const takeBack = (path: string) => app.ask('POST', path, { headers: { Origin: 'null' } })
  const emailOf = async () => (await getAccount(app.db, victim.id)).email
  return { ...app, provider, victim, change, takeBack, emailOf }
}
type TakenAccount = Awaited<ReturnType<typeof openTakenAccount>>

describe('an address that a child code was registered with, and nobody has proven', () => {
  test.each([
    ['works', true],
    ['waits for its guardian', false],
  ])('is registered by its owner, while the account with it %s', async (_, adult) => {
    const app = await openAttack()
    expect((await app.squat(VICTIM, adult)).status).toBe(201)
    const otp = await app.askOtp()
    expect(app.mails.at(-1)?.subject).toMatch(/^\d{6} is your DriveQR registration OTP$/)
    const { status, body } = await app.verify(otp)
    expect([status, body.user.email]).toEqual([201, VICTIM])
    const child = await app.child()
    expect(child).toMatchObject({ email: null, email_verified_at: null })
    expect(child.login_id).toMatch(LOGIN_ID)
    expect((await app.login(VICTIM, 'the real one')).status).toBe(200)
    expect((await app.login(VICTIM)).status).toBe(401)
  })

  test('is mailed how to take that account over instead, unless it waits for its guardian', async () => {
    const app = await openAttack()
    await app.squat(VICTIM, true)
    await app.askOtp()
    const textOf = () => app.mails.at(-1)?.text.replace(/\s+/g, ' ')
    expect(textOf()).toContain('choose "Email me a one-time code instead" on the login form')
    await app.squat('other@example.in', false)
    await app.askOtp('other@example.in')
    expect(textOf()).not.toContain('one-time code instead')
  })

  test('is taken over with its account by a one-time code, as is the account of an honest child', async () => {
    const app = await openAttack()
    await app.squat(VICTIM, true)
    const { status, body } = await app.loginByCode()
    expect([status, body.user.id]).toEqual([200, (await app.child()).id])
    expect((await app.login(VICTIM)).status).toBe(401)
  })

  test('opens no account that waits for its guardian, and says the next step of its owner', async () => {
    const app = await openAttack()
    await app.squat(VICTIM, false)
    const { status, body } = await app.loginByCode()
    expect([status, body.detail]).toEqual([403, expect.stringMatching(GUARDIAN_WAITS)])
    await post(app, 'forgot-password', { contact: VICTIM })
    const reset = { contact: VICTIM, otp: mailedOtp(app), password: 'the real one' }
    const refused = await post(app, 'reset-password', reset)
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      expect.stringMatching(GUARDIAN_WAITS),
    ])
    app.advance(3601)
    expect((await app.verify(await app.askOtp())).status).toBe(201)
    expect((await app.loginByCode()).body.user.email).toBe(VICTIM)
  })

  describe('after codes that were refused because its account waits for its guardian', () => {
    async function openRefused(env?: Record<string, string>) {
      const app = await openAttack(env)
      await app.squat(VICTIM, false)
      expect((await app.loginByCode()).status).toBe(403)
      await post(app, 'forgot-password', { contact: VICTIM })
      const reset = { contact: VICTIM, otp: mailedOtp(app), password: 'the real one' }
      expect((await post(app, 'reset-password', reset)).status).toBe(403)
      app.advance(3601)
      const confirm = async () => {
        const path = `/dashboard/guardian/${(await app.child()).id}`
        expect((await browserOf(app, app.attacker).submit(path)).status).toBe(303)
      }
      return { ...app, confirm }
    }

    test('is not proven: its owner registers it although the guardian confirms meanwhile', async () => {
      const app = await openRefused()
      const otp = await app.askOtp()
      await app.confirm()
      const { status, body } = await app.verify(otp)
      expect([status, body.user?.parent_id]).toEqual([201, null])
    })

    test('still belongs to the child and its password once the guardian confirms', async () => {
      const app = await openRefused()
      await app.confirm()
      expect((await app.login(VICTIM)).status).toBe(200)
      expect((await app.child()).email_verified_at).toBeNull()
    })

    test('is named by no brand, and by no command', async () => {
      const app = await openRefused()
      await app.brand()
      await app.askOtp()
      expect(JSON.stringify(app.mails.at(-1))).not.toContain('Evil Keys')
      await expect(getAccountOf(app.db, VICTIM)).rejects.toThrow('free-email')
      const wanted = { name: 'Meera', email: VICTIM, password_hash: null }
      await expect(createAccount(app.db, wanted, COMMAND_LINE, app.deps.clock())).rejects.toThrow(
        'free-email',
      )
    })

    test('lets Google make its owner an account', async () => {
      const provider = await openProvider()
      provider.behave({ claims: { email: VICTIM, sub: '77' } })
      const app = await openRefused(provider.env)
      await app.confirm()
      const begun = await app.ask('GET', '/api/auth/google')
      const back = provider.signIn(begun.headers.get('Location') ?? '')
      await app.ask('GET', back, { headers: { Cookie: cookieOf(begun) } })
      const [holder] = await app.db
        .selectFrom('accounts')
        .selectAll()
        .where('email', '=', VICTIM)
        .execute()
      expect(holder).toMatchObject({ parent_id: null, email_verified_at: expect.any(String) })
    })
  })

  test('is proven by one of twenty codes at once with the guardian’s answer, or by none', async () => {
    const app = await openAttack()
    await app.squat(VICTIM, false)
    await post(app, 'send-login-otp', { contact: VICTIM })
    const otp = mailedOtp(app)
    const { id } = await app.child()
    const [confirmed, ...tries] = await Promise.all([
      browserOf(app, app.attacker).submit(`/dashboard/guardian/${id}`),
      ...Array.from({ length: 19 }, () => post(app, 'login-otp', { contact: VICTIM, otp })),
    ])
    expect(confirmed.status).toBe(303)
    const all = countEach(tries.map(({ status }) => status))
    expect(Object.keys(all).every((status) => ['200', '400', '403', '429'].includes(status))).toBe(
      true,
    )
    const proven = (await app.child()).email_verified_at !== null
    expect(proven).toBe(all[200] === 1)
  })

  test('becomes the new email of an account that proves it', async () => {
    const app = await openAttack()
    await app.squat(VICTIM, false)
    const owner = await app.signUp({ email: 'old@example.in' })
    await app.ask('POST', '/api/account/email', { as: owner, json: { email: VICTIM } })
    const json = { otp: mailedOtp(app) }
    const { status } = await app.ask('POST', '/api/account/email/verify', { as: owner, json })
    expect(status).toBe(200)
    expect((await getAccount(app.db, owner.id)).email).toBe(VICTIM)
    expect((await app.child()).email).toBeNull()
  })

  test('is still the child’s while somebody else types it', async () => {
    const app = await openAttack()
    await app.squat(VICTIM, true)
    expect((await app.squat(VICTIM, true)).status).toBe(201)
    await app.askOtp()
    expect((await app.login(VICTIM)).status).toBe(200)
  })

  test.each([
    ['a registration', (app: Attack) => app.askOtp()],
    ['a login', (app: Attack) => post(app, 'send-login-otp', { contact: VICTIM })],
    ['a new password', (app: Attack) => post(app, 'forgot-password', { contact: VICTIM })],
    [
      'a change to it by the child',
      async (app: Attack) => {
        await app.db
          .updateTable('accounts')
          .set({ email: null, login_id: 'ID-1' })
          .where('id', '=', (await app.child()).id)
          .execute()
        const as = await app.deps.sessions.start(await app.child())
        return app.ask('POST', '/api/account/email', { as, json: { email: VICTIM } })
      },
    ],
  ])('names no brand in the mails to its owner about %s', async (_, ask) => {
    const app = await openAttack()
    await app.brand()
    await app.squat(VICTIM, true)
    const { length } = app.mails
    await ask(app)
    expect(app.mails.slice(length)).toMatchObject([{ to: VICTIM }])
    expect(JSON.stringify(app.mails.at(-1))).not.toContain('Evil Keys')
  })

  describe('does not keep the child to whom it belongs from registering, which', () => {
    async function openHonest() {
      const app = await openAttack()
      await app.squat(VICTIM, true)
      const parent = await app.signUp({ subscription_plan: 'premium' })
      const { qr_id } = await insertCode(app.db, parent.id, CHILD)
      const json = { qr_id, name: 'Meera', contact: VICTIM, contact_type: 'email', adult: true }
      const registered = await app.ask('POST', '/api/qr/child-register', {
        json: { ...json, password: 'the real one' },
      })
      const { login_id } = await registered.json()
      expect([registered.status, login_id]).toEqual([201, expect.stringMatching(LOGIN_ID)])
      const honest = () =>
        app.db
          .selectFrom('accounts')
          .selectAll()
          .where('parent_id', '=', parent.id)
          .executeTakeFirstOrThrow()
      return { ...app, login_id, honest }
    }

    test('signs in with a login id meanwhile, and is told it for its password', async () => {
      const app = await openHonest()
      expect((await app.child()).email).toBe(VICTIM)
      expect((await app.login(app.login_id, 'the real one')).status).toBe(200)
      const { status, body } = await app.login(VICTIM, 'the real one')
      expect([status, body.detail]).toEqual([401, expect.stringContaining(app.login_id)])
      expect((await app.login(VICTIM)).status).toBe(200)
    })

    test('gets the address once it proves it, and the other account loses it', async () => {
      const app = await openHonest()
      const as = await app.deps.sessions.start(await app.honest())
      await app.ask('POST', '/api/account/email', { as, json: { email: VICTIM } })
      const json = { otp: mailedOtp(app) }
      expect((await app.ask('POST', '/api/account/email/verify', { as, json })).status).toBe(200)
      expect(await app.honest()).toMatchObject({ email: VICTIM, login_id: null, lost_email: null })
      expect(await app.child()).toMatchObject({ email: null, lost_email: VICTIM })
    })

    test('is shown the login id by the page after the form', async () => {
      const app = await openAttack()
      await app.squat(VICTIM, true)
      for (const adult of ['yes', 'no']) {
        const { qr_id } = await insertCode(app.db, app.attacker.id, CHILD)
        const form = { name: 'Meera', contact: VICTIM, contact_type: 'email', adult }
        const passwords = { password: 'the real one', confirm_password: 'the real one' }
        const sent = await browserOf(app, {}).submit(`/child-register?qr=${qr_id}`, {
          ...form,
          ...passwords,
        })
        expect(sent.status).toBe(303)
        const cookie = sent.headers
          .getSetCookie()
          .map((line) => line.split(';')[0] ?? '')
          .find((line) => line.startsWith('driveqr_contact='))
        const page = await browserOf(app, { cookie: cookie ?? '' }).read(sent.to ?? '')
        expect(page).toMatch(/login id <code class="any-break">ID-[0-9A-Z-]{14}<\/code>/)
      }
    })
  })
})

describe('the account that loses an unproven address', () => {
  async function openLoser(contact = VICTIM) {
    const provider = await openProvider()
    provider.behave({ claims: { email: VICTIM, sub: '77' } })
    const app = await openAttack(provider.env)
    await app.squat(contact, true)
    const { body } = await app.login(contact)
    const { cookieToken } = await app.deps.sessions.start(await app.child())
    const cookie = `driveqr=${cookieToken}`
    const browser = browserOf(app, { cookie })
    /** Signs in by the provider in the browser of the account. Returns where that leads. */
    const pressGoogle = async () => {
      const begun = await app.ask('GET', '/api/auth/google', { headers: { Cookie: cookie } })
      const back = provider.signIn(begun.headers.get('Location') ?? '')
      const headers = { Cookie: `${cookie}; ${cookieOf(begun)}` }
      return (await app.ask('GET', back, { headers })).headers.get('Location')
    }
    const note = async () => {
      const page = await browser.read('/dashboard')
      const [, until = ''] = page.match(/name="until" value="([^"]+)"/) ?? []
      expect((await browser.submit('/dashboard/lost-address', { until })).status).toBe(303)
    }
    const loser = { bearerToken: body.session_token as string }
    return { ...app, loser, browser, pressGoogle, note }
  }

  test('stays signed in where Google proved its address, and its page says so at once', async () => {
    const app = await openLoser()
    expect(await app.pressGoogle()).toBe('/dashboard')
    const login_id = (await app.child()).login_id ?? ''
    expect(await app.browser.read('/dashboard')).toContain(login_id)
    await app.note()
    expect(await app.pressGoogle()).toMatch(/^\/dashboard#session_id=/)
  })

  test('is told its login id for the lost address with its own password alone, until it has noted it', async () => {
    const app = await openLoser()
    await app.verify(await app.askOtp())
    const { login_id } = await app.child()
    const detailOf = async (password: string) => (await app.login(VICTIM, password)).body.detail
    expect(await detailOf('a guess')).toBe('Invalid email or password')
    expect(await detailOf(PASSWORD)).toBe(
      `Another account has this email now. Log in with your login id ${login_id} and your password.`,
    )
    expect((await app.login(VICTIM, 'the real one')).body.user.email).toBe(VICTIM)
    await app.note()
    expect(await detailOf(PASSWORD)).toBe('Invalid email or password')
    expect((await app.child()).lost_email).toBeNull()
  })

  test('is forgotten with the address when the account that proved it is removed', async () => {
    const app = await openLoser()
    const { body } = await app.verify(await app.askOtp())
    const as = { bearerToken: body.session_id }
    await app.ask('POST', '/api/account/deletion', { as, json: { email: VICTIM } })
    app.advance(8 * 86_400)
    await removeDeleted(app.deps)
    expect((await app.child()).lost_email).toBeNull()
  })

  test('is shown a random login id at its next page until it was noted, and signs in with it', async () => {
    const app = await openLoser()
    expect((await app.verify(await app.askOtp())).status).toBe(201)
    const login_id = (await app.child()).login_id ?? ''
    expect(await app.browser.read('/dashboard')).toContain(login_id)
    // The answer may have been lost.
    expect(await app.browser.read('/dashboard')).toContain(login_id)
    await app.note()
    expect(await app.browser.read('/dashboard')).not.toContain('your account lost its email')
    for (const page of ['profile', 'security', 'data?delete=1']) {
      expect(await app.browser.read(`/settings/${page}`)).toContain(login_id)
    }
    const me = await app.ask('GET', '/api/auth/me', { as: app.loser })
    expect((await me.json()).user).toMatchObject({ email: null, login_id })
    for (const typed of [login_id, login_id.toLowerCase(), login_id.replaceAll('-', ' ')]) {
      expect((await app.login(typed)).status).toBe(200)
    }
  })

  test('goes on with its mobile number, if it has one', async () => {
    const app = await openLoser()
    const mobile = '9814012399'
    const json = { mobile }
    expect((await app.ask('PATCH', '/api/account', { as: app.loser, json })).status).toBe(200)
    await app.verify(await app.askOtp())
    expect(await app.child()).toMatchObject({ email: null, login_id: null })
    expect(await app.browser.read('/dashboard')).toContain('you sign in with your mobile number')
    expect((await app.login(mobile)).status).toBe(200)
  })

  test('has no login id any more once it has proven another address', async () => {
    const app = await openLoser()
    await app.verify(await app.askOtp())
    const json = { email: 'child@example.in' }
    const as = app.loser
    expect((await app.ask('POST', '/api/account/email', { as, json })).status).toBe(200)
    const typed = { otp: mailedOtp(app) }
    const moved = await app.ask('POST', '/api/account/email/verify', { as, json: typed })
    expect(moved.status).toBe(200)
    expect(await app.child()).toMatchObject({ email: json.email, login_id: null })
    expect(await app.browser.read('/dashboard')).not.toContain('your account lost its email')
  })
})

describe('the way back of an email', () => {
  test('is open although the freed address was typed elsewhere, which is refused meanwhile', async () => {
    const app = await openTakenAccount()
    const path = await app.change()
    for (const adult of [false, true]) expect((await app.squat(VICTIM, adult)).status).toBe(409)
    expect((await app.takeBack(path)).status).toBe(303)
    expect(await app.emailOf()).toBe(VICTIM)
    expect((await app.loginByCode()).status).toBe(200)
  })

  test.each([
    ['works', true],
    ['waits for its guardian', false],
  ])('takes the address from an account that typed it and %s', async (_, adult) => {
    const app = await openTakenAccount()
    // Typed before the change that it takes back: addresses of ways back are kept.
    const path = await app.change()
    await app.db.updateTable('email_ways_back').set({ email: 'kept@example.in' }).execute()
    expect((await app.squat(VICTIM, adult)).status).toBe(201)
    await app.db.updateTable('email_ways_back').set({ email: VICTIM }).execute()
    expect((await app.takeBack(path)).status).toBe(303)
    expect(await app.emailOf()).toBe(VICTIM)
    expect((await app.child()).login_id).toMatch(LOGIN_ID)
    expect((await app.loginByCode()).body.user.id).toBe(app.victim.id)
  })

  test('and twenty registrations of child codes at once: it works, and nobody gets the address', async () => {
    const app = await openTakenAccount()
    const path = await app.change()
    const [taken, ...typed] = await Promise.all([
      app.takeBack(path),
      ...Array.from({ length: 19 }, (_, n) => app.squat(VICTIM, n % 2 === 0)),
    ])
    expect(taken?.status).toBe(303)
    // Above the limits of taken contacts it is 429.
    expect(typed.every(({ status }) => status === 409 || status === 429)).toBe(true)
    expect(await app.emailOf()).toBe(VICTIM)
  })

  /** Proofs of the address by the victim, who has not noticed the link in the mail. */
  const PROVEN_ANEW: Record<string, (app: TakenAccount) => Promise<unknown>> = {
    'registered with it': async (app) =>
      expect((await app.verify(await app.askOtp())).status).toBe(201),
    'pressed Google': async (app) => {
      const begun = await app.ask('GET', '/api/auth/google')
      const back = app.provider.signIn(begun.headers.get('Location') ?? '')
      await app.ask('GET', back, { headers: { Cookie: cookieOf(begun) } })
    },
    'gave it to another account of theirs': async (app) => {
      const as = await app.signUp({ email: 'second@example.in' })
      await app.ask('POST', '/api/account/email', { as, json: { email: VICTIM } })
      const json = { otp: mailedOtp(app) }
      await app.ask('POST', '/api/account/email/verify', { as, json })
    },
  }

  test.each(Object.keys(PROVEN_ANEW))(
    'takes the address from the account of a person who %s meanwhile; that account goes on by a login id',
    async (how) => {
      const app = await openTakenAccount()
      const path = await app.change()
      await PROVEN_ANEW[how]?.(app)
      const holder = () =>
        app.db.selectFrom('accounts').selectAll().where('email', '=', VICTIM).executeTakeFirst()
      const { id = '', password_hash } = (await holder()) ?? {}
      expect(id).not.toBe(app.victim.id)
      expect(await (await app.ask('GET', path)).text()).toContain(
        'A newer account with this address loses it',
      )
      expect((await app.takeBack(path)).status).toBe(303)
      expect(await app.emailOf()).toBe(VICTIM)
      const later = await getAccount(app.db, id)
      expect(later).toMatchObject({ email: null, email_verified_at: null, password_hash })
      expect(later.login_id).toMatch(LOGIN_ID)
      expect(app.mails.at(-1)).toMatchObject({ to: VICTIM })
      expect(app.mails.at(-1)?.text).toContain(later.login_id)
      const { cookieToken } = await app.deps.sessions.start(later)
      const page = await browserOf(app, { cookie: `driveqr=${cookieToken}` }).read('/dashboard')
      expect(page).toContain(later.login_id)
      expect(page.includes('set one</a>')).toBe(password_hash === null)
      expect((await app.loginByCode()).body.user.id).toBe(app.victim.id)
    },
  )

  test('and ten registrations with the address at once: it is the account’s again', async () => {
    const app = await openTakenAccount()
    const path = await app.change()
    const otp = await app.askOtp()
    const [taken, ...others] = await Promise.all([
      app.takeBack(path),
      ...Array.from({ length: 10 }, () => app.verify(otp)),
    ])
    expect(taken.status).toBe(303)
    const made = others.filter(({ status }) => status === 201)
    expect(made.length).toBeLessThanOrEqual(1)
    expect(await app.emailOf()).toBe(VICTIM)
    expect((await app.loginByCode()).body.user.id).toBe(app.victim.id)
  })

  test('ends after 72 hours, and the address can be typed again', async () => {
    const app = await openTakenAccount()
    await app.change()
    app.advance(72 * 3600)
    expect((await app.squat(VICTIM, true)).status).toBe(201)
  })
})

test('an address that is typed and registered twenty times at once has one account that proved it', async () => {
  const app = await openAttack()
  const otp = await app.askOtp()
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? app.verify(otp) : app.squat(VICTIM, n % 4 > 1))),
  )
  const all = countEach(statuses.map(({ status }) => status))
  expect(Object.keys(all).every((status) => ['201', '400', '409', '429'].includes(status))).toBe(
    true,
  )
  const { id } = await app.db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', VICTIM)
    .where('email_verified_at', 'is not', null)
    .executeTakeFirstOrThrow()
  expect((await app.login(VICTIM, 'the real one')).body.user.id).toBe(id)
})

describe('a guardian who does not answer', () => {
  const DAY = 86_400

  test('has the registration undone after seven days: the contact is free, the code unregistered', async () => {
    const app = await openAttack()
    const { qr_id } = await app.squat(VICTIM, false)
    const code = () =>
      app.db.selectFrom('qr_codes').selectAll().where('qr_id', '=', qr_id).executeTakeFirstOrThrow()
    app.advance(7 * DAY - 1)
    await sweepTables(app.deps)
    expect(await app.child()).toMatchObject({ email: VICTIM })
    app.advance(1)
    await sweepTables(app.deps)
    await expect(app.child()).rejects.toThrow()
    expect(await code()).toMatchObject({
      child_account_id: null,
      is_child_registered: 0,
      is_claimed: 0,
      owner_name: null,
      email: null,
    })
    const json = { qr_id, name: 'Meera', contact: VICTIM, contact_type: 'email' }
    const again = { ...json, password: PASSWORD, adult: true }
    expect((await app.ask('POST', '/api/qr/child-register', { json: again })).status).toBe(201)
  })

  test('has the fields of the code back as they were, but those that its owner has edited since', async () => {
    const app = await openAttack()
    const earlier = {
      ...CHILD,
      owner_name: 'Gurleen Kaur',
      contact_phone: '98765 43210',
      city_area: 'Indiranagar',
      emergency_contact_name: 'Harpreet Kaur',
      public_message: 'Please call my mother',
      show_city: 0,
      contact_mode: 'relay',
    } as const
    const { qr_id } = await insertCode(app.db, app.attacker.id, {
      ...earlier,
      ...phoneColumns({ contact_phone: earlier.contact_phone }),
    })
    const code = () =>
      app.db.selectFrom('qr_codes').selectAll().where('qr_id', '=', qr_id).executeTakeFirstOrThrow()
    const before = await code()
    const json = {
      ...{ qr_id, name: 'Squatter', contact: VICTIM, contact_type: 'email', password: PASSWORD },
      ...{ city_area: 'Pune', public_message: 'Mine', show_vehicle: false, show_city: true },
      ...{ emergency_contact_phone: '98765 43211', adult: false },
    }
    expect((await app.ask('POST', '/api/qr/child-register', { json })).status).toBe(201)
    expect(await code()).toMatchObject({ owner_name: 'Squatter', city_area: 'Pune', show_city: 1 })
    const edit = { public_message: 'Please call me' }
    const edited = await app.ask('PUT', `/api/qr/${qr_id}`, { as: app.attacker, json: edit })
    expect(edited.status).toBe(200)
    app.advance(7 * DAY)
    await sweepTables(app.deps)
    expect(await code()).toEqual({ ...before, ...edit, updated_at: expect.any(String) })
  })

  test('has every registration undone but one that cannot be, which is logged', async () => {
    const app = await openAttack()
    await app.squat(VICTIM, false)
    const { id } = await app.child()
    // No account is deleted that owns codes.
    await insertCode(app.db, id)
    app.advance(1)
    for (const contact of ['second@example.in', 'third@example.in']) await app.squat(contact, false)
    app.advance(8 * DAY)
    await sweepTables(app.deps)
    const waits = await app.db.selectFrom('guardian_waits').select('account_id').execute()
    expect(waits).toEqual([{ account_id: id }])
    expect(app.logged.join()).toContain(`the registration of account ${id} stays`)
  })

  test('keeps the account when the answer came in time', async () => {
    const app = await openAttack()
    await app.squat(VICTIM, false)
    const { id } = await app.child()
    await browserOf(app, app.attacker).submit(`/dashboard/guardian/${id}`)
    app.advance(8 * DAY)
    await sweepTables(app.deps)
    expect((await app.login(VICTIM)).status).toBe(200)
  })
})

describe('an operator', () => {
  test('frees an address that nobody proved, and is told the login id of its account', async () => {
    const app = await openAttack()
    await app.squat(VICTIM, true)
    const now = app.deps.clock()
    await expect(getAccountOf(app.db, VICTIM)).rejects.toThrow(`user free-email ${VICTIM}`)
    const { id, login_id } = await freeEmail(app.db, VICTIM, now)
    expect(login_id).toMatch(LOGIN_ID)
    expect((await getAccountOf(app.db, login_id ?? '')).id).toBe(id)
    await expect(freeEmail(app.db, VICTIM, now)).rejects.toThrow('No account signs in with')
    expect((await app.login(login_id ?? '')).status).toBe(200)
  })

  test('frees addresses alone: by a login id or a number nothing changes', async () => {
    const app = await openAttack()
    await app.squat(VICTIM, true)
    const now = app.deps.clock()
    const { id, login_id } = await freeEmail(app.db, VICTIM, now)
    const mobile = '+919814012399'
    const other = await app.signUp({ email: EMAIL, email_verified_at: null, mobile })
    for (const typed of [login_id ?? '', mobile]) {
      await expect(freeEmail(app.db, typed, now)).rejects.toThrow('is not an email address')
    }
    expect((await getAccount(app.db, id)).login_id).toBe(login_id)
    expect((await getAccount(app.db, other.id)).email).toBe(EMAIL)
  })

  test('gives and takes no role by an address that nobody proved, but by the login id of its account', async () => {
    const app = await openAttack()
    await app.squat(VICTIM, true)
    const now = app.deps.clock()
    const grant = { contact: VICTIM, role: 'premium', until: null } as const
    await expect(grantRole(app.db, grant, now)).rejects.toThrow(`user free-email ${VICTIM}`)
    await expect(revokeRole(app.db, VICTIM, now)).rejects.toThrow(`user free-email ${VICTIM}`)
    expect((await app.child()).role).toBe('client')
    const contact = (await freeEmail(app.db, VICTIM, now)).login_id ?? ''
    expect((await grantRole(app.db, { ...grant, contact }, now)).role).toBe('premium')
    expect((await revokeRole(app.db, contact, now)).role).toBe('client')
    await expect(revokeRole(app.db, contact, now)).rejects.toThrow(
      `${contact} has no role to revoke`,
    )
  })

  test('does not take a proven address off its account', async () => {
    const app = await openAttack()
    const { id } = await app.signUp({ email: EMAIL })
    await expect(freeEmail(app.db, EMAIL, app.deps.clock())).rejects.toThrow('is verified')
    expect((await getAccount(app.db, id)).email).toBe(EMAIL)
  })
})
