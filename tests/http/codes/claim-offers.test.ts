import { describe, expect, test } from 'vitest'
import { undoClaim } from '#db/codes/claims.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { countEach } from '#tests/support/races.ts'

const EMAIL = 'asha@example.in'

/** Codes of an issuer that strangers claimed with the address of an account. */
async function openClaimed(codes = 3, account: object = {}) {
  const app = await openTestApp()
  const issuer = await app.signUp()
  const asha = await app.signUp({ email: EMAIL, ...account })
  const held = []
  for (let n = 0; n < codes; n++) {
    held.push(await insertCode(app.db, issuer.id, { ...HELD, claim_email: EMAIL }))
  }
  const ids = held.map(({ qr_id }) => qr_id)
  const call = async (act: 'take' | 'refuse', qr_ids: string[], as = asha) => {
    const answer = await app.ask('POST', `/api/claims/${act}`, { as, json: { qr_ids } })
    return { status: answer.status, body: await answer.json() }
  }
  const offered = async (as = asha) => {
    const { codes } = await (await app.ask('GET', '/api/claims', { as })).json()
    return codes.map(({ qr_id }: { qr_id: string }) => qr_id).toSorted()
  }
  const ownerOf = async (qr_id: string) => {
    const query = app.db.selectFrom('qr_codes').selectAll().where('qr_id', '=', qr_id)
    return (await query.executeTakeFirstOrThrow()).owner_id
  }
  return { ...app, issuer, asha, ids, call, offered, ownerOf }
}

describe('codes that were claimed with an address', () => {
  test('are offered to the account that has proven it, and are in no account before it takes them', async () => {
    const app = await openClaimed()
    const { read, submit } = browserOf(app, app.asha)
    expect(await read('/dashboard')).toContain('3 codes were claimed with your address')
    expect(await app.offered()).toEqual(app.ids.toSorted())
    expect(await app.offered(app.issuer)).toEqual([])
    const [first = '', ...others] = app.ids
    const sent = await submit('/dashboard/claims', { [first]: 'on', act: 'take' })
    expect(sent.to).toContain('done=taken')
    expect(await app.ownerOf(first)).toBe(app.asha.id)
    for (const qr_id of others) expect(await app.ownerOf(qr_id)).toBe(app.issuer.id)
    expect(await read('/dashboard')).toContain('2 codes were claimed with your address')
    const [second = '', third = ''] = others
    // Nothing was ticked.
    expect((await submit('/dashboard/claims', { act: 'take' })).to).not.toContain('done=')
    const both = { [second]: 'on', [third]: 'on' }
    const refused = await submit('/dashboard/claims', { ...both, act: 'refuse' })
    expect(await read(refused.to ?? '')).toContain('The QR codes stay with their issuers.')
  })

  test('are taken or refused one by one, and refused ones stay with their issuer', async () => {
    const app = await openClaimed()
    const [first = '', second = '', third = ''] = app.ids
    expect(await app.call('refuse', [first])).toEqual({ status: 200, body: { answered: 1 } })
    expect(await app.call('take', [first, second])).toEqual({ status: 200, body: { answered: 1 } })
    expect([await app.ownerOf(first), await app.ownerOf(second)]).toEqual([
      app.issuer.id,
      app.asha.id,
    ])
    expect(await app.offered()).toEqual([third])
    // The answer was lost.
    expect(await app.call('take', [second])).toEqual({ status: 200, body: { answered: 0 } })
    expect(await app.ownerOf(second)).toBe(app.asha.id)
  })

  test('are offered to nobody who only typed the address', async () => {
    const app = await openClaimed(1, { email_verified_at: null })
    expect(await app.offered()).toEqual([])
    expect((await app.call('take', app.ids)).body).toEqual({ answered: 0 })
    expect(await app.ownerOf(app.ids[0] ?? '')).toBe(app.issuer.id)
    expect(await browserOf(app, app.asha).read('/dashboard')).not.toContain('claimed with your')
  })

  test('of other addresses are not taken by their ids', async () => {
    const app = await openClaimed(1)
    const stranger = await app.signUp()
    expect((await app.call('take', app.ids, stranger)).body).toEqual({ answered: 0 })
    expect((await app.call('refuse', app.ids, stranger)).body).toEqual({ answered: 0 })
    expect(await app.offered()).toEqual(app.ids)
  })

  test('are taken once by twenty at once, or the claim is undone', async () => {
    const app = await openClaimed(1)
    const [qr_id = ''] = app.ids
    const making = { now: app.deps.clock(), contactMode: 'public' } as const
    const [undone, ...answers] = await Promise.all([
      undoClaim(app.db, app.issuer, qr_id, making, async () => {}).then(
        () => true,
        () => false,
      ),
      ...Array.from({ length: 19 }, (_, n) => app.call(n % 2 ? 'take' : 'refuse', [qr_id])),
    ])
    const counts = countEach(answers.map(({ body }) => body.answered))
    const isAshas = (await app.ownerOf(qr_id)) === app.asha.id
    expect(isAshas && undone).toBe(false)
    expect(counts['1'] ?? 0).toBeLessThanOrEqual(1)
  })
})
