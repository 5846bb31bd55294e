import { describe, expect, test } from 'vitest'
import { EMAIL, mailedOtp, post, WITH_MAIL, wayBackIn } from '#tests/support/accounts.ts'
import { PASSWORD } from '#tests/support/app.ts'
import { codeOf, wrongCodeOf } from '#tests/support/authenticator.ts'
import { browserOf } from '#tests/support/browser.ts'
import { CHILD_PASSWORD, registeredChild } from '#tests/support/families.ts'
import { openPasskeys, WRONG_PASSKEY as WRONG } from '#tests/support/passkeys.ts'
import { countEach, raceStatuses } from '#tests/support/races.ts'
import { makeSoftwarePasskey } from '#tests/support/software-passkey.ts'

const ASKED = { status: 403, body: { confirm: true } }

async function openWithPasskey(...args: Parameters<typeof openPasskeys>) {
  const installation = await openPasskeys(...args)
  const { status, body } = await installation.add()
  expect(status).toBe(201)
  const login = async () =>
    (await post(installation, 'login', { contact: EMAIL, password: PASSWORD })).body
  const { read, submit: send } = browserOf(installation, installation.owner)
  const turnOnApp = async (): Promise<string> => {
    const { secret } = (await installation.ofAccount('POST', '/totp')).body
    await installation.ofAccount('POST', '/totp/verify', { code: codeOf(secret) })
    installation.advance(30)
    return secret
  }
  const recoveryCodes: string[] = body.recovery_codes
  return { ...installation, id: body.id as string, recoveryCodes, login, send, read, turnOnApp }
}

describe('with a passkey', () => {
  test('the password alone opens a ticket, which a recovery code passes', async () => {
    const installation = await openWithPasskey()
    const { ticket, ...half } = await installation.login()
    expect(half).toEqual({ second_factor: true, ways: ['passkey'] })
    expect(installation.recoveryCodes).toHaveLength(10)
    const json = { ticket, recovery_code: installation.recoveryCodes[0] }
    expect((await post(installation, 'second-factor', json)).body).toHaveProperty('session_token')
  })

  test('the passkey signs in without password and ticket, and counts as a fresh sign-in', async () => {
    const { key, challenge, verify, ofAccount, advance } = await openWithPasskey()
    advance(3600)
    const { body } = await verify(key.get({ challenge: await challenge() }))
    const as = { bearerToken: body.session_token }
    expect((await ofAccount('POST', '/totp', undefined, as)).status).toBe(200)
  })

  test('recovery codes come with the first factor alone', async () => {
    const { add, turnOnApp, ofAccount, recoveryCodes } = await openWithPasskey()
    expect((await add(makeSoftwarePasskey())).body.recovery_codes).toEqual([])
    await turnOnApp()
    const renewed = (await ofAccount('POST', '/recovery-codes')).body.recovery_codes
    expect(renewed.some((code: string) => recoveryCodes.includes(code))).toBe(false)
  })

  test('the app can be removed, and the recovery codes stay', async () => {
    const installation = await openWithPasskey()
    const secret = await installation.turnOnApp()
    expect((await installation.login()).ways).toEqual(['code', 'passkey'])
    expect((await installation.ofAccount('DELETE', '/totp')).status).toBe(200)
    const { ticket, ways } = await installation.login()
    expect(ways).toEqual(['passkey'])
    const wrong = await post(installation, 'second-factor', { ticket, code: codeOf(secret) })
    expect(wrong.status).toBe(401)
    const codes = await installation.db.selectFrom('recovery_codes').selectAll().execute()
    expect(codes).toHaveLength(10)
    expect((await installation.ofAccount('DELETE', '/totp')).status).toBe(404)
  })

  test('the last factor goes with its recovery codes and trusted devices', async () => {
    const { id, call, db, login, ofAccount, owner } = await openWithPasskey()
    const device = { account_id: owner.id, device_id: 'd', trusted_until: '2027' }
    await db.insertInto('trusted_devices').values(device).execute()
    expect((await call('DELETE', `/${id}`)).status).toBe(200)
    expect(await login()).toHaveProperty('session_token')
    for (const table of ['recovery_codes', 'trusted_devices'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
    }
    expect((await ofAccount('POST', '/recovery-codes')).status).toBe(404)
  })

  test('a blocked account is not signed in to', async () => {
    const { key, challenge, verify, db, owner } = await openWithPasskey()
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', owner.id).execute()
    const { status, body } = await verify(key.get({ challenge: await challenge() }))
    expect([status, body.detail]).toEqual([403, expect.stringContaining('blocked')])
  })

  test('its account goes, and the passkey with it', async () => {
    const { key, challenge, verify, db, owner } = await openWithPasskey()
    await db.deleteFrom('accounts').where('id', '=', owner.id).execute()
    expect(await verify(key.get({ challenge: await challenge() }))).toMatchObject(WRONG)
  })

  test('wrong answers are counted like wrong passwords', async () => {
    const { key, challenge, verify } = await openWithPasskey()
    const statuses: number[] = []
    for (let n = 0; n < 32; n++) {
      const answer = key.get({ challenge: await challenge(), origin: 'https://evil.example' })
      statuses.push((await verify(answer)).status)
    }
    expect(countEach(statuses)).toEqual({ 401: 30, 429: 2 })
  })

  test('mails say what was added and removed, and that a new password does not end it', async () => {
    const { mails, id, call, ofAccount } = await openWithPasskey(WITH_MAIL)
    expect(mails.at(-1)).toMatchObject({
      to: EMAIL,
      subject: 'Your DriveQR account has a new passkey',
      text: expect.stringContaining('/settings/security'),
    })
    const change = { current_password: PASSWORD, password: PASSWORD }
    expect((await ofAccount('POST', '/password', change)).status).toBe(200)
    expect(mails.at(-1)?.text).toContain('Your passkeys still sign in without the password.')
    expect((await call('DELETE', `/${id}`)).status).toBe(200)
    expect(mails.at(-1)?.subject).toBe('A DriveQR passkey was removed')
    expect((await ofAccount('POST', '/password', change)).status).toBe(200)
    expect(mails.at(-1)?.text).not.toContain('passkeys')
  })

  test('the keys are public, and nothing of an answer is in the log', async () => {
    const { key, challenge, verify, logged } = await openWithPasskey()
    const answer = key.get({ challenge: await challenge() })
    await verify(answer)
    await verify(answer)
    for (const secret of [answer.response.signature, answer.response.clientDataJSON]) {
      expect(logged.join()).not.toContain(secret)
    }
  })
})

describe('an account that must have a second factor', () => {
  test('has everything with a passkey, and nothing again without it', async () => {
    const env = { REQUIRE_SECOND_FACTOR: 'all' }
    const { add, call, ask, owner } = await openPasskeys({ env })
    const statusOf = async () => (await ask('GET', '/api/auth/me', { as: owner })).status
    expect(await statusOf()).toBe(403)
    const { body } = await add()
    expect(await statusOf()).toBe(200)
    expect((await call('DELETE', `/${body.id}`)).status).toBe(200)
    expect(await statusOf()).toBe(403)
  })

  test('can begin with a passkey on the page of the set-up', async () => {
    const env = { REQUIRE_SECOND_FACTOR: 'all' }
    const { key, owner, ...app } = await openPasskeys({ env })
    const { open, read, submit } = browserOf(app, owner)
    const page = await read('/settings/security/authenticator')
    expect(page).toContain('action="/settings/security/passkeys/new"')
    const { html } = await submit('/settings/security/passkeys/new')
    const options = JSON.parse(
      (/data-options="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"'),
    )
    const passkey = JSON.stringify(key.create(options))
    const add = () => submit('/settings/security/passkeys', { name: 'Redmi', passkey })
    const added = await add()
    expect(added.html.match(/<span>[0-9A-Z]{4}-[0-9A-Z]{4}<\/span>/g)).toHaveLength(10)
    expect((await open('/dashboard')).status).toBe(200)
    // A browser that lost that answer.
    const again = await read((await add()).to ?? '')
    expect(again).toContain('Make new recovery codes if you have not seen any.')
  })
})

describe('a confirmation by a passkey', () => {
  test('opens the ten minutes of its session', async () => {
    const { ofAccount, confirmChallenge, key, advance } = await openWithPasskey()
    advance(3600)
    expect(await ofAccount('POST', '/totp')).toMatchObject(ASKED)
    const passkey = key.get({ challenge: await confirmChallenge() })
    expect(await ofAccount('POST', '/confirm', { passkey })).toEqual({
      status: 200,
      body: { message: 'Confirmed' },
    })
    expect((await ofAccount('POST', '/totp')).status).toBe(200)
  })

  test('takes no challenge of a sign-in or of another account, and no passkey of another account', async () => {
    const installation = await openWithPasskey()
    const { ofAccount, confirmChallenge, challenge, key, add, signUp, advance } = installation
    const stranger = await signUp()
    const theirs = makeSoftwarePasskey()
    await add(theirs, stranger)
    advance(3600)
    const wrongs = [
      key.get({ challenge: await challenge() }),
      key.get({ challenge: await confirmChallenge(stranger) }),
      theirs.get({ challenge: await confirmChallenge() }),
      theirs.get({ challenge: await confirmChallenge(stranger) }),
    ]
    for (const passkey of wrongs) {
      expect(await ofAccount('POST', '/confirm', { passkey })).toEqual(WRONG)
    }
    const own = key.get({ challenge: await confirmChallenge() })
    expect(await installation.verify(own)).toMatchObject(WRONG)
    advance(300)
    expect(await ofAccount('POST', '/confirm', { passkey: own })).toEqual(WRONG)
    expect(await ofAccount('POST', '/totp')).toMatchObject(ASKED)
  })

  test('of twenty with one challenge, one is taken', async () => {
    const { ofAccount, confirmChallenge, key } = await openWithPasskey({
      env: { RATE_LIMITS: 'off' },
    })
    const passkey = key.get({ challenge: await confirmChallenge() })
    expect(await raceStatuses(() => ofAccount('POST', '/confirm', { passkey }))).toEqual({
      200: 1,
      401: 19,
    })
  })

  test('has nothing to ask an account without a passkey for', async () => {
    const { ofAccount } = await openPasskeys()
    expect(await ofAccount('POST', '/confirm/options')).toMatchObject({ status: 404 })
  })

  test('is offered by the dialog, and goes on with the form that waits', async () => {
    const { send, id, advance, key, confirmChallenge, db } = await openWithPasskey()
    advance(3600)
    const { html } = await send(`/settings/security/passkeys/${id}/remove`)
    expect(html).toContain('Then the passkey is removed.')
    expect(html).toContain('data-passkey="confirm"')
    expect(html).toContain('Using a passkey needs JavaScript.')
    const held = /name="held" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const foreign = makeSoftwarePasskey().get({ challenge: await confirmChallenge() })
    const wrong = await send('/confirm', { held, passkey: JSON.stringify(foreign) })
    expect(wrong.status).toBe(401)
    expect(wrong.html).toContain('That passkey could not be checked')
    expect((await send('/confirm', { held, passkey: '{' })).status).toBe(400)
    const passkey = JSON.stringify(key.get({ challenge: await confirmChallenge() }))
    const done = await send('/confirm', { held, passkey })
    expect(done.to).toBe('/settings/security?done=passkey-removed')
    expect(await db.selectFrom('passkeys').selectAll().execute()).toEqual([])
  })
})

describe('a new password', () => {
  const NEXT = 'another horse'
  test('is set by a passkey or a code in place of the present one, once for each', async () => {
    const { ofAccount, key, confirmChallenge, turnOnApp } = await openWithPasskey()
    const secret = await turnOnApp()
    const passkey = key.get({ challenge: await confirmChallenge() })
    for (const shown of [{ passkey }, { code: codeOf(secret) }]) {
      const json = { password: NEXT, ...shown }
      expect((await ofAccount('POST', '/password', json)).status).toBe(200)
      expect((await ofAccount('POST', '/password', json)).status).toBe(401)
    }
  })

  test('needs one of them, and the right one', async () => {
    const { ofAccount, turnOnApp, confirmChallenge, db } = await openWithPasskey()
    const secret = await turnOnApp()
    const before = await db.selectFrom('accounts').select('password_hash').execute()
    expect(await ofAccount('POST', '/password', { password: NEXT })).toMatchObject({
      status: 400,
      body: { detail: 'Please enter your old password' },
    })
    const passkey = makeSoftwarePasskey().get({ challenge: await confirmChallenge() })
    for (const shown of [{ passkey }, { code: wrongCodeOf(secret) }]) {
      expect((await ofAccount('POST', '/password', { password: NEXT, ...shown })).status).toBe(401)
    }
    expect(await db.selectFrom('accounts').select('password_hash').execute()).toEqual(before)
  })

  test('is set on a page that accepts the ways to replace the present one', async () => {
    const { read, send, turnOnApp, key, confirmChallenge } = await openWithPasskey()
    const secret = await turnOnApp()
    const html = await read('/settings/security')
    expect(html).toContain('Forgot it?')
    const wrong = await send('/settings/security/password', {
      password: NEXT,
      code: wrongCodeOf(secret),
    })
    expect(wrong.status).toBe(401)
    expect(wrong.html).toContain('That code is not right')
    const passkey = JSON.stringify(key.get({ challenge: await confirmChallenge() }))
    const done = await send('/settings/security/password', { password: NEXT, passkey })
    expect(done.to).toBe('/settings/security?done=password-changed')
  })
})

describe('an address that is verified', () => {
  test('for the first time ends the passkeys of the person who registered it', async () => {
    const installation = await openWithPasskey({
      ...WITH_MAIL,
      account: { email_verified_at: null },
    })
    const { key, challenge, verify, mails } = installation
    await post(installation, 'send-login-otp', { contact: EMAIL })
    const signedIn = await post(installation, 'login-otp', {
      contact: EMAIL,
      otp: mailedOtp({ mails }),
    })
    expect(signedIn.body).toHaveProperty('session_token')
    expect(await verify(key.get({ challenge: await challenge() }))).toMatchObject(WRONG)
  })

  test('and taken back ends the passkeys that were added since, and no others', async () => {
    const installation = await openWithPasskey(WITH_MAIL)
    const { ofAccount, mails, add, ask, advance, key, challenge, verify } = installation
    advance(60)
    await ofAccount('POST', '/email', { email: 'thief@example.in' })
    await ofAccount('POST', '/email/verify', { otp: mailedOtp({ mails }) })
    const thiefs = makeSoftwarePasskey()
    await add(thiefs)
    expect((await ask('POST', wayBackIn({ mails }), { headers: { Origin: 'null' } })).status).toBe(
      303,
    )
    expect(mails.at(-1)).toMatchObject({
      to: EMAIL,
      text: expect.stringMatching(
        /passkeys still sign in without the password(.|\n)*\/settings\/security/,
      ),
    })
    expect(await verify(thiefs.get({ challenge: await challenge() }))).toMatchObject(WRONG)
    expect((await verify(key.get({ challenge: await challenge() }))).status).toBe(200)
  })
})

describe('a child user', () => {
  test('adds a passkey that is called by the brand alone, and signs in with it', async () => {
    const installation = await openPasskeys({
      env: { RATE_LIMITS: 'off' },
      account: { subscription_plan: 'enterprise' },
    })
    const { owner, ask, call, challenge, verify } = installation
    const { child_account_id } = await registeredChild(installation, owner.id)
    const contact = '+919814012345'
    const child = await post(installation, 'login', { contact, password: CHILD_PASSWORD })
    const as = { bearerToken: child.body.session_token }
    const optionsOf = async (who?: typeof as) =>
      (await call('POST', '/options', undefined, who)).body
    expect((await optionsOf(as)).rp.name).toBe('DriveQR')
    const brand = { brand_name: 'NeelRath Cabs', colour: null, footer: null }
    const json = { ...brand, hide_product_name: true }
    expect((await ask('PUT', '/api/branding', { as: owner, json })).status).toBe(200)
    expect((await optionsOf()).rp.name).toBe('DriveQR')
    const options = await optionsOf(as)
    expect(options).toMatchObject({ rp: { name: 'NeelRath Cabs' }, user: { name: contact } })
    expect(JSON.stringify(options)).not.toContain('DriveQR')
    const key = makeSoftwarePasskey()
    const made = await call('POST', '', { name: 'Phone', ...key.create(options) }, as)
    expect(made.status).toBe(201)
    const signedIn = await verify(key.get({ challenge: await challenge() }))
    expect(signedIn.body.user.id).toBe(child_account_id)
  })
})

describe('without script', () => {
  test('the pages say that passkeys need it, list them, rename and remove them', async () => {
    const { ask, read, send, id } = await openWithPasskey()
    const login = await (await ask('GET', '/login')).text()
    expect(login).toContain('Signing in with a passkey needs JavaScript')
    const html = await read('/settings/security')
    expect(html).toContain('Adding a passkey needs JavaScript.')
    expect(html).toContain('Added 20 Nov 2026, never used')
    const dialog = await read(`/settings/security?rename=${id}`)
    expect(dialog).toContain('value="Phone"')
    const path = `/settings/security/passkeys/${id}`
    expect((await send(`${path}/name`, { name: ' ' })).status).toBe(400)
    const renamed = await send(`${path}/name`, { name: 'Redmi <b>' })
    expect(renamed.to).toBe('/settings/security?done=passkey-renamed')
    expect(await read('/settings/security')).toContain('Redmi &lt;b&gt;')
    const removed = await send(`${path}/remove`)
    expect(removed.to).toBe('/settings/security?done=passkey-removed')
    expect((await send(`${path}/remove`)).status).toBe(404)
    expect((await ask('GET', `/settings/security?rename=${id}`)).status).toBe(303)
  })

  test('the list of settings says which factor is on', async () => {
    const { read, turnOnApp } = await openWithPasskey()
    const html = await read('/settings')
    expect(html).toContain('Passkey on, signed in')
    expect(html).not.toContain('Authenticator app')
    await turnOnApp()
    expect(await read('/settings')).toContain('Authenticator app and passkey on, signed in')
  })

  test('the second step keeps its ways after a wrong code', async () => {
    const { submit } = browserOf(await openWithPasskey())
    const first = await submit('/login?mode=password', { contact: EMAIL, password: PASSWORD })
    const ticket = /name="ticket" value="([^"]+)"/.exec(first.html)?.[1] ?? ''
    const typed = { ticket, ways: 'passkey', recovery_code: '0000-0000' }
    for (const { html } of [first, await submit('/login?mode=second', typed)]) {
      expect(html.split('<template')[0]).toContain('Use a passkey')
      expect(html.split('<template')[0]).not.toContain('6-digit code')
    }
  })
})
