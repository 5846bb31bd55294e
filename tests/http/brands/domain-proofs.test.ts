import { describe, expect, test } from 'vitest'
import { proveDomain, proveDomainsAgain } from '#actions/brands/domains.ts'
import { blockAccount } from '#db/accounts/permission-types.ts'
import { getOwnDomain, nameDomain, removeDomain } from '#db/brands/domains.ts'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import { inTransaction } from '#db/transaction.ts'
import type { ProofPlace } from '#domain/brands/domain-name.ts'
import { WITH_MAIL } from '#tests/support/accounts.ts'
import { PASSWORD } from '#tests/support/app.ts'
import { HOST, openBrand, PUBLIC_URL } from '#tests/support/brands.ts'
import { newCaller } from '#tests/support/callers.ts'

const NAMED = { domain: HOST }
const DAY = 86_400
const PROOF = '/.well-known/driveqr-domain'

/** An installation with mail, where the proof of each text is at a place. */
async function openProofs() {
  const places = new Map<string, ProofPlace>()
  const app = await openBrand({
    env: { PUBLIC_URL, ...WITH_MAIL.env },
    domainProof: async ({ text }) => places.get(text),
  })
  const { db, deps, owner, ask, signUp } = app

  /** Names the domain for an account, and puts the proof somewhere. */
  async function nameIt(as = owner, place: ProofPlace = 'dns') {
    const { body } = await app.call('POST', '/domain', { as, json: NAMED })
    places.set(body.proof, place)
    return body.proof as string
  }
  const verify = (as = owner) => app.call('POST', '/domain/verify', { as })
  const read = (as = owner) => getOwnDomain(db, as.id)
  const lookAgain = () => proveDomainsAgain(deps, new AbortController().signal)
  async function sent() {
    await app.sender.settled()
    return app.mails
  }
  const subjects = async () => (await sent()).map(({ subject }) => subject)
  const rival = () => signUp({ subscription_plan: 'enterprise' })
  const addressOfOwner = async () => (await resolveAccountBrand(db, owner.id, deps.clock())).address
  const setPassword = async (password = 'second horse') => {
    const json = { current_password: PASSWORD, password }
    return (await ask('POST', '/api/account/password', { as: owner, json })).status
  }
  return {
    ...app,
    places,
    nameIt,
    verify,
    read,
    lookAgain,
    sent,
    subjects,
    rival,
    addressOfOwner,
    setPassword,
  }
}

describe('the proof of an own address', () => {
  test('is looked for every 30 days, and one that is there keeps it', async () => {
    const { nameIt, verify, lookAgain, places, read, advance, deps } = await openProofs()
    const proof = await nameIt()
    await verify()
    const first = deps.clock().toISOString()
    places.delete(proof)
    advance(30 * DAY - 1)
    await lookAgain()
    expect(await read()).toMatchObject({ proven_at: first, missing_since: null })
    places.set(proof, 'file')
    advance(1)
    await lookAgain()
    expect(await read()).toMatchObject({
      proven_at: deps.clock().toISOString(),
      missing_since: null,
    })
  })

  test('that is missing for seven days ends it, with a mail before and after', async () => {
    const { nameIt, verify, lookAgain, places, read, advance, subjects, look } = await openProofs()
    const proof = await nameIt()
    await verify()
    places.delete(proof)
    advance(30 * DAY)
    await lookAgain()
    await lookAgain()
    advance(7 * DAY - 1)
    await lookAgain()
    expect(await read()).toMatchObject({ verified_at: expect.any(String) })
    expect((await look(PROOF, { Host: HOST })).status).toBe(200)
    advance(1)
    await lookAgain()
    expect(await read()).toMatchObject({ verified_at: null, missing_since: null })
    expect((await look(PROOF, { Host: HOST })).status).toBe(404)
    expect(await subjects()).toEqual([
      'Your DriveQR account has an own address',
      'The proof of your own address is missing',
      'Your own address has ended',
    ])
  })

  test('that comes back in time keeps it, by the worker or by its owner', async () => {
    const { nameIt, verify, lookAgain, places, read, advance, deps, owner } = await openProofs()
    const proof = await nameIt()
    await verify()
    for (const again of [
      lookAgain,
      async () => proveDomain(deps, await newCaller({ deps }, owner.id)),
    ]) {
      places.delete(proof)
      advance(30 * DAY)
      await lookAgain()
      expect((await read()).missing_since).toEqual(expect.any(String))
      places.set(proof, 'dns')
      await again()
      expect((await read()).missing_since).toBeNull()
    }
  })

  test('that was looked for while the address was removed changes nothing', async () => {
    const { nameIt, verify, read, advance, deps, db, owner } = await openProofs()
    await nameIt()
    await verify()
    const caller = await newCaller({ deps }, owner.id)
    advance(30 * DAY)
    const domainProof = async () => {
      await removeDomain(db, owner.id)
      await nameDomain(db, caller, HOST, deps.clock())
      return 'dns' as const
    }
    await proveDomainsAgain({ ...deps, domainProof }, new AbortController().signal)
    expect(await read()).toMatchObject({ verified_at: null, proven_at: null })
  })

  test('is answered here with the text of its holder, and of nobody else', async () => {
    const { nameIt, verify, look, rival, places } = await openProofs()
    const proof = await nameIt()
    const at = () => look(PROOF, { Host: HOST })
    expect((await at()).status).toBe(404)
    await verify()
    expect(await at()).toMatchObject({ status: 200, html: proof })
    expect((await look(PROOF)).status).toBe(404)
    const other = await rival()
    const theirs = await nameIt(other)
    expect((await at()).html).toBe(proof)
    await verify(other)
    expect((await at()).html).toBe(theirs)
    expect(places.size).toBe(2)
  })

  test('does not come too late for a session that ended during the look', async () => {
    const { nameIt, call, ask, owner, deps, db } = await openProofs()
    await nameIt()
    const answer = await (async () => {
      const { domainProof } = deps
      deps.domainProof = async (proof) => {
        await ask('POST', '/api/auth/logout', { as: owner })
        return domainProof(proof)
      }
      return call('POST', '/domain/verify')
    })()
    expect(answer.status).toBe(401)
    const { verified_at } = await db
      .selectFrom('brand_domains')
      .select('verified_at')
      .executeTakeFirstOrThrow()
    expect(verified_at).toBeNull()
  })
})

describe('an own address that somebody holds', () => {
  test('goes to an account that proves it by the DNS, and its holder is told and cannot take it back by the old record', async () => {
    const { nameIt, verify, rival, read, subjects } = await openProofs()
    await nameIt()
    await verify()
    const other = await rival()
    await nameIt(other)
    expect((await verify(other)).status).toBe(200)
    expect(await read()).toMatchObject({ domain: HOST, verified_at: null })
    expect((await verify()).status).toBe(400)
    expect(await read(other)).toMatchObject({ verified_at: expect.any(String) })
    expect(await subjects()).toContain('Your own address belongs to another account now')
  })

  test('is not taken over by a file', async () => {
    const { nameIt, verify, rival, read } = await openProofs()
    await nameIt()
    await verify()
    const other = await rival()
    await nameIt(other, 'file')
    expect(await verify(other)).toEqual({
      status: 409,
      body: { detail: 'Another account has this domain. Prove by the DNS that it is yours.' },
    })
    expect(await read()).toMatchObject({ verified_at: expect.any(String) })
  })

  test('ends with its account being blocked, and not with its deletion being asked for', async () => {
    const { nameIt, verify, rival, db, deps, owner, ask, read } = await openProofs()
    await nameIt()
    await verify()
    await inTransaction(db, (trx) => blockAccount(trx, undefined, owner.id, deps.clock()))
    const holders = db.selectFrom('brand_domains').where('verified_at', 'is not', null)
    expect(await holders.selectAll().execute()).toEqual([])
    const other = await rival()
    await nameIt(other, 'file')
    expect((await verify(other)).status).toBe(200)
    expect(await read(other)).toMatchObject({ verified_at: expect.any(String) })
    const json = { email: other.email }
    expect((await ask('POST', '/api/account/deletion', { as: other, json })).status).toBe(200)
    expect(await holders.select('account_id').execute()).toEqual([{ account_id: other.id }])
  })
})

describe('a new password', () => {
  test('takes the own address out of new links until it is confirmed, and its mail says so', async () => {
    const { nameIt, verify, setPassword, addressOfOwner, read, sent, look, qr_id, advance, call } =
      await openProofs()
    await nameIt()
    await verify()
    expect(await addressOfOwner()).toBe(`https://${HOST}`)
    expect(await setPassword()).toBe(200)
    expect(await addressOfOwner()).toBeUndefined()
    expect(await read()).toMatchObject({ is_unconfirmed: 1, verified_at: expect.any(String) })
    const mail = (await sent()).find(
      ({ subject }) => subject === 'Your DriveQR password was changed',
    )
    expect(mail?.text).toContain('New links leave your own address')
    // Codes that were printed with it are found as before.
    expect((await look(`/scan/${qr_id}`, { Host: HOST })).status).toBe(200)
    advance(601)
    expect((await call('POST', '/domain/verify')).body).toMatchObject({ confirm: true })
    advance(-601)
    expect((await verify()).body).toMatchObject({ is_confirmed: true, ends_at: null })
    expect(await addressOfOwner()).toBe(`https://${HOST}`)
  })

  test('is not outlived by a proof that is looked for again', async () => {
    const { nameIt, verify, setPassword, lookAgain, advance, db } = await openProofs()
    await nameIt()
    await verify()
    await setPassword()
    advance(30 * DAY)
    await lookAgain()
    const row = await db
      .selectFrom('brand_domains')
      .select('is_unconfirmed')
      .executeTakeFirstOrThrow()
    expect(row.is_unconfirmed).toBe(1)
  })
})
