import { describe, expect, test } from 'vitest'
import { sweepTables } from '#actions/retention.ts'
import { EMAIL } from '#tests/support/accounts.ts'
import { openPasskeys, WRONG_PASSKEY as WRONG } from '#tests/support/passkeys.ts'
import { raceStatuses } from '#tests/support/races.ts'
import { makeSoftwarePasskey } from '#tests/support/software-passkey.ts'

describe('a passkey', () => {
  test('is added, named, listed with its last use, and signs in', async () => {
    const { add, call, key, challenge, verify, advance } = await openPasskeys()
    const made = await add()
    expect(made).toMatchObject({ status: 201, body: { name: 'Phone', last_used_at: null } })
    const { id } = made.body
    expect((await call('PATCH', `/${id}`, { name: 'Redmi' })).body.name).toBe('Redmi')
    advance(60)
    const signedIn = await verify(key.get({ challenge: await challenge() }))
    expect(signedIn.body).toMatchObject({
      user: { email: EMAIL },
      session_token: expect.any(String),
    })
    expect((await call('GET', '')).body).toEqual([
      {
        id,
        name: 'Redmi',
        created_at: '2026-11-20T10:00:00.000Z',
        last_used_at: '2026-11-20T10:01:00.000Z',
      },
    ])
  })

  test('must be discoverable, and verify its user', async () => {
    const { call, add, key } = await openPasskeys()
    await add()
    expect((await call('POST', '/options')).body).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: EMAIL },
      excludeCredentials: [{ id: key.id }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  })

  test('signs nobody in after it was removed', async () => {
    const { add, call, key, challenge, verify } = await openPasskeys()
    const { id } = (await add()).body
    const waiting = await challenge()
    expect((await call('DELETE', `/${id}`)).status).toBe(200)
    expect(await verify(key.get({ challenge: waiting }))).toMatchObject(WRONG)
    expect((await call('DELETE', `/${id}`)).status).toBe(404)
  })

  test('without a counter of its uses works again and again', async () => {
    const { add, key, challenge, verify } = await openPasskeys()
    key.setCounter(-1)
    await add()
    for (let n = 0; n < 3; n++) {
      key.setCounter(-1)
      expect((await verify(key.get({ challenge: await challenge() }))).status).toBe(200)
    }
  })

  test('is refused when the account has twenty', async () => {
    const { add } = await openPasskeys({ env: { RATE_LIMITS: 'off' } })
    for (let n = 0; n < 20; n++) expect((await add(makeSoftwarePasskey())).status).toBe(201)
    expect(await add(makeSoftwarePasskey())).toMatchObject({
      status: 409,
      body: { detail: 'There are 20 passkeys already: remove one first' },
    })
  })

  test('belongs to one account alone', async () => {
    const { add, call, signUp } = await openPasskeys()
    const { id } = (await add()).body
    const stranger = await signUp()
    expect((await add(undefined, stranger)).status).toBe(409)
    expect((await call('PATCH', `/${id}`, { name: 'Mine' }, stranger)).status).toBe(404)
    expect((await call('DELETE', `/${id}`, undefined, stranger)).status).toBe(404)
    expect((await call('GET', '', undefined, stranger)).body).toEqual([])
  })
})

describe('an answer is refused', () => {
  test('from another origin than that of the service', async () => {
    const place = { origin: 'https://keys.example.in', rpId: 'keys.example.in' }
    const key = makeSoftwarePasskey(place)
    const app = await openPasskeys({ env: { PUBLIC_URL: place.origin }, key })
    expect((await app.add()).status).toBe(201)
    const right = key.get({ challenge: await app.challenge() })
    expect((await app.verify(right)).status).toBe(200)
    for (const origin of [
      'https://keys.example.in:8443',
      'http://keys.example.in',
      'https://evil.keys.example.in',
      'https://keys.example.in.evil.example',
    ]) {
      const answer = key.get({ challenge: await app.challenge(), origin })
      expect([origin, await app.verify(answer)]).toMatchObject([origin, WRONG])
    }
  })

  const wrongs: [string, object][] = [
    ['of another site', { origin: 'https://evil.example' }],
    ['for another site', { rpId: 'evil.example' }],
    ['without the holder verified', { flags: 0x01 }],
    ['without the holder present', { flags: 0x04 }],
    ['of another ceremony', { type: 'webauthn.create' }],
  ]
  test.each(wrongs)('at a sign-in: %s', async (_, told) => {
    const { add, key, challenge, verify } = await openPasskeys()
    await add()
    expect(await verify(key.get({ challenge: await challenge(), ...told }))).toMatchObject(WRONG)
  })

  test.each(wrongs.slice(0, 4))('for a new passkey: %s', async (_, told) => {
    const { call, key } = await openPasskeys()
    const { challenge } = (await call('POST', '/options')).body
    expect(
      await call('POST', '', { name: 'Phone', ...key.create({ challenge, ...told }) }),
    ).toEqual(WRONG)
  })

  test('that was used before, so that one of twenty at once signs in', async () => {
    const { add, key, challenge, verify } = await openPasskeys({ env: { RATE_LIMITS: 'off' } })
    await add()
    const answer = key.get({ challenge: await challenge() })
    expect(await raceStatuses(() => verify(answer))).toEqual({ 200: 1, 401: 19 })
    expect(await verify(answer)).toMatchObject(WRONG)
  })

  test('that was used before, also after its challenge was deleted five minutes later', async () => {
    const { add, key, challenge, verify, advance, db, deps } = await openPasskeys()
    await add()
    const answer = key.get({ challenge: await challenge() })
    expect((await verify(answer)).status).toBe(200)
    for (const [seconds, kept] of [
      [299, 2],
      [1, 0],
    ] as const) {
      advance(seconds)
      await sweepTables(deps)
      expect(await db.selectFrom('spent_challenges').select('ends_at').execute()).toHaveLength(kept)
      expect(await verify(answer)).toMatchObject(WRONG)
    }
  })

  test('for a new passkey that was used before, so that one of twenty at once adds it', async () => {
    const { call, key, db } = await openPasskeys({ env: { RATE_LIMITS: 'off' } })
    const json = { name: 'Phone', ...key.create((await call('POST', '/options')).body) }
    expect(await raceStatuses(() => call('POST', '', json))).toEqual({ 201: 1, 401: 19 })
    expect(await db.selectFrom('passkeys').select('name').execute()).toEqual([{ name: 'Phone' }])
  })

  test('to a challenge that is five minutes old, made up, of another purpose or of another account', async () => {
    const { add, key, challenge, verify, advance, call, signUp } = await openPasskeys()
    await add()
    const old = await challenge()
    const forNew = (await call('POST', '/options')).body.challenge
    const stranger = await signUp()
    const theirs = (await call('POST', '/options', undefined, stranger)).body.challenge
    const other = makeSoftwarePasskey()
    for (const foreign of [theirs, old]) {
      const json = { name: 'Phone', ...other.create({ challenge: foreign }) }
      expect(await call('POST', '', json)).toEqual(WRONG)
    }
    for (const foreign of [forNew, Buffer.from('made up').toString('base64url')]) {
      expect(await verify(key.get({ challenge: foreign }))).toMatchObject(WRONG)
    }
    advance(300)
    expect(await verify(key.get({ challenge: old }))).toMatchObject(WRONG)
    advance(-900)
    expect(await verify(key.get({ challenge: old }))).toMatchObject(WRONG)
  })

  test('of a passkey that was copied: its counter is behind', async () => {
    const { add, key, challenge, verify } = await openPasskeys()
    await add()
    key.setCounter(7)
    expect((await verify(key.get({ challenge: await challenge() }))).status).toBe(200)
    key.setCounter(5)
    expect(await verify(key.get({ challenge: await challenge() }))).toMatchObject(WRONG)
  })

  test('that names another account', async () => {
    const { add, key, challenge, verify, signUp, owner } = await openPasskeys()
    await add()
    const { id } = await signUp()
    const handleOf = (account: string) => Buffer.from(account).toString('base64url')
    const foreign = key.get({ challenge: await challenge(), userHandle: handleOf(id) })
    expect(await verify(foreign)).toMatchObject(WRONG)
    const own = key.get({ challenge: await challenge(), userHandle: handleOf(owner.id) })
    expect((await verify(own)).status).toBe(200)
  })

  test('of another key under the same id', async () => {
    const { add, key, challenge, verify } = await openPasskeys()
    await add()
    const forged = makeSoftwarePasskey().get({ challenge: await challenge() })
    expect(await verify({ ...forged, id: key.id, rawId: key.id })).toMatchObject(WRONG)
  })

  test.each([
    null,
    [],
    {},
    { id: 'x' },
    { id: 'x', rawId: 'x', type: 'public-key', response: 7 },
    { id: 'x'.repeat(9000) },
  ])('for %j, which has another form', async (json) => {
    const { verify } = await openPasskeys()
    expect((await verify(json)).status).toBe(400)
  })
})
