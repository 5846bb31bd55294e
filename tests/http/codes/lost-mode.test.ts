import { describe, expect, test } from 'vitest'
import { endLostMode, setLostMode } from '#db/codes/lost-mode.ts'
import type { Scan } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { race } from '#tests/support/races.ts'

type CodeFields = Parameters<typeof insertCode>[2]
type Plan = 'free' | 'premium' | 'enterprise'

async function openLost(fields: CodeFields = {}, plan: Plan = 'premium') {
  const app = await openTestApp()
  const owner = await app.signUp({ subscription_plan: plan })
  const code = await insertCode(app.db, owner.id, fields)
  const put = async (json: object, as: { bearerToken: string } = owner) => {
    const answer = await app.ask('PUT', `/api/qr/${code.qr_id}/lost`, { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const look = async (lang = 'en') =>
    (await app.ask('GET', `/scan/${code.qr_id}?lang=${lang}`)).text()
  const periods = () =>
    app.db.selectFrom('lost_periods').select(['qr_id', 'since', 'until']).execute()
  return { ...app, owner, code, put, look, periods }
}

const SINCE = '2026-11-20T10:00:00.000Z'
const SAID = { note: 'Near the depot', reward: '₹500' }

describe('PUT /api/qr/{qr_id}/lost', () => {
  test('marks a code as lost, says anew what is known of it, and ends it', async () => {
    const { put, periods, advance, ask, owner, code } = await openLost()
    const { status, body } = await put({ lost: true, note: ' Near the\ndepot ', reward: '₹500' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ qr_id: code.qr_id, lost: { since: SINCE, ...SAID } })
    advance(60)
    const again = await put({ lost: true })
    expect(again.body.lost).toEqual({ since: SINCE, note: null, reward: null })
    const scan = await (await ask('GET', `/api/scan/${code.qr_id}`)).json()
    expect(scan.lost).toEqual({ since: SINCE, note: null, reward: null })
    const [mine] = await (await ask('GET', '/api/qr/my-qrs', { as: owner })).json()
    expect(mine.lost).toEqual(again.body.lost)
    expect((await put({ lost: false })).body.lost).toBeNull()
    expect((await put({ lost: false })).body.lost).toBeNull()
    const { qr_id } = code
    expect(await periods()).toEqual([{ qr_id, since: SINCE, until: '2026-11-20T10:01:00.001Z' }])
  })

  test('names the problem of a sent value', async () => {
    const { put } = await openLost()
    const steps = [
      [{}, 'lost must be true or false'],
      [{ lost: 1 }, 'lost must be true or false'],
      [{ lost: true, note: 'x'.repeat(201) }, 'note must be at most 200 characters'],
      [{ lost: true, reward: 'x'.repeat(61) }, 'reward must be at most 60 characters'],
      [{ lost: true, note: 7 }, 'note must be text'],
    ] as const
    for (const [json, detail] of steps) {
      expect(await put(json)).toEqual({ status: 400, body: { detail } })
    }
    const fits = { lost: true, note: 'x'.repeat(200), reward: 'y'.repeat(60) }
    expect((await put(fits)).status).toBe(200)
  })

  test('is refused on the free plan, where it can still be ended', async () => {
    const { put, db } = await openLost({}, 'free')
    const detail = 'Upgrade to Premium to use Loss & Found'
    expect(await put({ lost: true })).toEqual({ status: 403, body: { detail } })
    await db.updateTable('accounts').set({ subscription_plan: 'premium' }).execute()
    expect((await put({ lost: true })).status).toBe(200)
    await db.updateTable('accounts').set({ subscription_plan: 'free' }).execute()
    expect((await put({ lost: true })).status).toBe(403)
    expect((await put({ lost: false })).body.lost).toBeNull()
  })

  test.each([
    ['unclaimed', UNCLAIMED, 'Nobody has claimed or registered this QR code yet'],
    ['unregistered', CHILD, 'Nobody has claimed or registered this QR code yet'],
    ['held by a claimer', HELD, 'This QR code has already been claimed'],
  ] as const)('refuses a code that is %s', async (_, fields, detail) => {
    const { put, periods } = await openLost(fields)
    expect(await put({ lost: true })).toEqual({ status: 409, body: { detail } })
    expect(await periods()).toEqual([])
  })

  test('is for the parent and for the child user of a child code, by the parent’s plan', async () => {
    const { put, owner, signUp, db } = await openLost({ qr_type: 'child', is_child_registered: 1 })
    const child = await signUp({ parent_id: owner.id })
    await db.updateTable('qr_codes').set({ child_account_id: child.id }).execute()
    expect((await put({ lost: true, ...SAID }, child)).body.lost).toMatchObject(SAID)
    expect((await put({ lost: false }, owner)).body.lost).toBeNull()
    expect((await put({ lost: true }, owner)).status).toBe(200)
    expect((await put({ lost: false }, child)).body.lost).toBeNull()
    const stranger = await signUp({ subscription_plan: 'enterprise' })
    expect((await put({ lost: true }, stranger)).status).toBe(404)
  })

  test('keeps a period for each time, however quickly they follow each other', async () => {
    const { put, periods } = await openLost()
    for (let n = 0; n < 3; n++) {
      await put({ lost: true })
      await put({ lost: false })
    }
    const all = await periods()
    expect(all).toHaveLength(3)
    expect(new Set(all.map(({ since }) => since)).size).toBe(3)
    for (const { since, until } of all) expect(since < (until ?? '')).toBe(true)
  })
})

describe('twenty at once', () => {
  test('of calls that mark a code as lost make one period, and as many calls that end it end it once', async () => {
    const { db, owner, code, periods, deps } = await openLost()
    const { qr_id } = code
    const mark = (n: number) =>
      setLostMode(db, owner, qr_id, { lost: true, note: `${n}` }, deps.clock())
    const marked = await race(mark)
    expect(marked.refused).toEqual({})
    expect(await periods()).toMatchObject([{ qr_id, until: null }])
    const ended = await race(
      (n): Promise<unknown> =>
        n % 2
          ? setLostMode(db, owner, qr_id, { lost: false }, deps.clock())
          : inTransaction(db, (trx) => endLostMode(trx, qr_id, deps.clock())),
    )
    expect(ended.refused).toEqual({})
    expect(await periods()).toMatchObject([{ qr_id, until: expect.any(String) }])
    const row = await db.selectFrom('qr_codes').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ lost_since: null, lost_note: null, lost_reward: null })
  })

  test('of calls that mark it and end it leave code and periods consistent', async () => {
    const { db, owner, code, periods, deps } = await openLost()
    const { qr_id } = code
    await race((n) => setLostMode(db, owner, qr_id, { lost: n % 2 === 0 }, deps.clock()))
    const open = (await periods()).filter(({ until }) => until === null)
    const { lost_since } = await db.selectFrom('qr_codes').selectAll().executeTakeFirstOrThrow()
    expect(open.map(({ since }) => since)).toEqual(lost_since ? [lost_since] : [])
  })
})

describe('the page of a lost code', () => {
  test('is the day, the note, the reward, and that nobody is asked to pay, above everything', async () => {
    const { put, look } = await openLost()
    await put({ lost: true, note: '<b>depot</b>', reward: '₹500' })
    const html = await look()
    expect(html).toContain('<title>Reported lost · DriveQR</title>')
    const body = html.slice(html.indexOf('<body>'))
    expect(body).toMatch(/^<body><section class="lost"/)
    const said = body.slice(0, body.indexOf('<header>')).replaceAll(/<[^>]*>/g, ' ')
    expect(said.replaceAll(/\s+/g, ' ').trim()).toBe(
      'Reported lost on 20 Nov 2026 &lt;b&gt;depot&lt;/b&gt; Reward: ₹500 Nobody is asked to pay anything here.',
    )
    const hindi = await look('hi')
    expect(hindi).toContain('20 नवंबर 2026')
    expect(hindi).toContain('यहाँ किसी से पैसे नहीं माँगे जाते।')
  })

  test('has no line for an empty field, and ends with Found again', async () => {
    const { put, look } = await openLost()
    await put({ lost: true })
    const html = await look()
    expect(html).toContain('Nobody is asked to pay anything here.')
    expect(html).not.toContain('Reward')
    await put({ lost: false })
    expect(await look()).not.toMatch(/class="lost"|Reported|pay anything/)
  })

  test('shows the day in the zone of the installation', async () => {
    const { look } = await openLost({ lost_since: '2026-11-17T20:00:00.000Z' })
    expect(await look()).toContain('Reported lost on 18 Nov 2026')
  })
})

describe('the dashboard', () => {
  type App = Awaited<ReturnType<typeof openLost>>
  const post = (app: App, form: Record<string, string>) =>
    browserOf(app, app.owner).submit(`/dashboard/qr/${app.code.qr_id}/lost`, form)
  const list = (app: App, query = '') => browserOf(app, app.owner).read(`/dashboard${query}`)

  test('offers the dialog, shows the badge, and offers Found again', async () => {
    const app = await openLost()
    const before = await list(app)
    expect(before).toContain(`lost=${app.code.qr_id}`)
    expect(before).not.toMatch(/Found again|Lost since/)
    const dialog = await list(app, `?lost=${app.code.qr_id}`)
    for (const text of [
      'What should a finder know?',
      'Reward',
      'Every scan alerts you at once, also in quiet hours, until you choose Found again.',
    ]) {
      expect(dialog).toContain(text)
    }
    const { status, to } = await post(app, { lost: '1', ...SAID })
    expect(status).toBe(303)
    expect(to).toContain('done=lost')
    const after = await list(app)
    expect(after).toContain('Lost since 20 Nov')
    expect(after).toContain('Found again')
    expect(after).not.toContain('Mark as lost')
    expect(after).toMatch(/aria-label="Lost since 20 Nov: [^"]+" data-dialog="lost"/)
    expect(await list(app, `?lost=${app.code.qr_id}`)).toContain('Found again?')
    expect((await post(app, { lost: '0' })).to).toContain('done=found-again')
    expect(await app.periods()).toMatchObject([{ until: expect.any(String) }])
  })

  test('names the account that the scans of a child code alert', async () => {
    const app = await openLost({ qr_type: 'child', is_child_registered: 1 })
    const child = await app.signUp({ name: 'Imran Siddiqui', parent_id: app.owner.id })
    await app.db.updateTable('qr_codes').set({ child_account_id: child.id }).execute()
    const query = `?lost=${app.code.qr_id}`
    expect(await list(app, query)).toContain('Every scan alerts Imran Siddiqui at once')
    expect(await list({ ...app, owner: child }, query)).toContain('Every scan alerts you at once')
  })

  test('keeps what was typed when it is refused', async () => {
    const app = await openLost()
    const { status, html } = await post(app, { lost: '1', note: 'x'.repeat(201), reward: '₹7' })
    expect(status).toBe(400)
    expect(html).toContain('note must be at most 200 characters')
    expect(html).toContain('value="₹7"')
  })

  test('leads the free plan to the paid ones', async () => {
    const html = await list(await openLost({}, 'free'))
    expect(html).toContain('Mark as lost with Premium')
    expect(html).not.toContain('?lost=')
  })
})

describe('the analytics of a code', () => {
  test('count the scans of the lost time apart, in the API and on the tab', async () => {
    const app = await openLost()
    const { db, code, owner, ask } = app
    const at = (day: number, n: number): Scan => {
      const scanned_at = `2026-11-${day}T10:00:00.000Z`
      const kind = { device: 'phone', referrer: 'direct', replaced_id: null } as const
      return { qr_id: code.qr_id, scanned_at, n, ...kind }
    }
    await db
      .insertInto('scans')
      .values([at(10, 1), at(12, 2), at(13, 3), at(14, 4), at(18, 5)])
      .execute()
    const period = (since: number, until: number | null) => ({
      qr_id: code.qr_id,
      since: `2026-11-${since}T10:00:00.000Z`,
      until: until === null ? null : `2026-11-${until}T10:00:00.000Z`,
    })
    await db
      .insertInto('lost_periods')
      .values([period(12, 14), period(17, null)])
      .execute()
    const answer = await ask('GET', `/api/scan/${code.qr_id}/analytics`, { as: owner })
    expect((await answer.json()).lost_periods).toEqual([
      { since: '2026-11-17T10:00:00.000Z', until: null, total_scans: 1 },
      { since: '2026-11-12T10:00:00.000Z', until: '2026-11-14T10:00:00.000Z', total_scans: 2 },
    ])
    const html = await browserOf(app, owner).read('/dashboard?tab=analytics')
    expect(html).toContain('Since 17 Nov 2026: 1 scan')
    expect(html).toContain('12 Nov 2026 to 14 Nov 2026: 2 scans')
  })
})
