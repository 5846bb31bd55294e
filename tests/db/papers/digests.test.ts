import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { remindOfDue } from '#actions/papers/digests.ts'
import { keepReminding } from '#actions/reminders.ts'
import { sweepTables } from '#actions/retention.ts'
import { setBlocked } from '#db/accounts/account-changes.ts'
import { insertAccount } from '#db/accounts/accounts.ts'
import { changeDocument } from '#db/papers/documents.ts'
import { addDays } from '#domain/papers/due.ts'
import { openAlerts } from '#tests/support/alerting.ts'
import { insertCode } from '#tests/support/codes.ts'
import { runMortal } from '#tests/support/mortal.ts'
import { insertPaper } from '#tests/support/papers.ts'
import { RACERS } from '#tests/support/races.ts'
import { makePlace, openPlace, type Place } from '#tests/support/shared-database.ts'

/** In India it is 20 November, half past three in the afternoon. */
const TODAY = '2026-11-20'
const DAY = 86_400

async function openDigests({ now }: { now?: string } = {}) {
  const app = await openAlerts(now ? { now } : {})
  const { db, deps, signUp, mails, sender } = app
  const owner = await signUp()
  async function paper(expires_on: string, of = owner) {
    const { qr_id } = await insertCode(db, of.id, { vehicle_registration: 'MH12QX4827' })
    return insertPaper(db, { qr_id, account_id: of.id }, { expires_on })
  }
  /** Runs the due reminders, and returns the subjects of their mails. */
  async function run() {
    const before = mails.length
    const made = await remindOfDue(deps)
    await sender.settled()
    const subjects = mails.slice(before).map(({ subject }) => subject)
    expect(subjects).toHaveLength(made)
    return subjects
  }
  return { ...app, owner, paper, run }
}

describe('a digest', () => {
  test('lists all that is due for the account, first what it reminds of', async () => {
    const { owner, db, paper, run, mails } = await openDigests()
    await paper(addDays(TODAY, 15))
    await paper(addDays(TODAY, -3))
    await paper(addDays(TODAY, 31))
    await insertCode(db, owner.id, { next_service_due: addDays(TODAY, 3) })
    expect(await run()).toEqual(['PUC ends in 15 days · MH 12 QX 4827 and 2 more'])
    const [mail] = mails
    expect(mail?.to).toBe(owner.email)
    const lines = mail?.text.split('\n').filter((line) => line.includes(' · '))
    expect(lines).toEqual([
      'PUC ends in 15 days · MH 12 QX 4827',
      'PUC expired 3 days ago · MH 12 QX 4827',
      'Service due in 3 days · Ramesh Kulkarni',
    ])
    expect(mail?.text).toContain('/dashboard?tab=documents&sort=due')
  })

  test('comes once a day, on the days of reminders alone', async () => {
    const { paper, run, advance } = await openDigests()
    await paper(addDays(TODAY, 30))
    const sent: number[] = []
    for (let day = 0; day <= 70; day++) {
      for (const _ of ['once', 'again']) if ((await run()).length > 0) sent.push(day)
      advance(DAY)
    }
    expect(sent).toEqual([0, 15, 23, 29, 30, 37, 44, 51, 58])
  })

  test('is not made before 09:00, and is from then on', async () => {
    const { paper, run, advance } = await openDigests({ now: '2026-11-20T03:29:00.000Z' })
    await paper(addDays(TODAY, 30))
    expect(await run()).toEqual([])
    advance(59)
    expect(await run()).toEqual([])
    advance(1)
    expect(await run()).toEqual(['PUC ends in 30 days · MH 12 QX 4827'])
  })

  test('goes by each channel that was chosen, and is one cause', async () => {
    const { owner, paper, connect, choose, rows, deps, sender } = await openDigests()
    await connect(owner, 'telegram')
    await connect(owner, 'ntfy')
    await choose(owner, { event: 'due', kind: 'telegram', isOn: true })
    await paper(addDays(TODAY, 7))
    await sender.stop()
    await remindOfDue(deps)
    const waiting = await rows()
    expect(waiting.map(({ kind }) => kind).toSorted()).toEqual(['email', 'telegram'])
    expect(new Set(waiting.map(({ cause_id }) => cause_id)).size).toBe(1)
    expect(waiting.every(({ event }) => event === 'due')).toBe(true)
  })

  test.each(['a newer date', 'a newer document', 'no end'])('ends with %s', async (way) => {
    const { db, owner, paper, run, advance } = await openDigests()
    const { id, qr_id } = await paper(addDays(TODAY, 15))
    expect(await run()).toHaveLength(1)
    if (way === 'a newer document') {
      const of = { qr_id, account_id: owner.id }
      await insertPaper(db, of, { expires_on: addDays(TODAY, 400) })
    } else {
      const expires_on = way === 'no end' ? null : addDays(TODAY, 400)
      await changeDocument(db, owner, id, { expires_on }, new Date())
    }
    for (let day = 0; day < 60; day++) {
      advance(DAY)
      expect(await run()).toEqual([])
    }
  })

  test('is not for a blocked account', async () => {
    const { db, owner, paper, run, deps } = await openDigests()
    await paper(addDays(TODAY, 15))
    await setBlocked(db, { contact: owner.email ?? '', isBlocked: true }, deps.clock())
    expect(await run()).toEqual([])
  })

  test('of more than a hundred dates says that there are more', async () => {
    const { db, owner, run, mails, paper } = await openDigests()
    for (let n = 0; n < 101; n++) await paper(addDays(TODAY, -100 - n))
    // Those that nobody renews do not keep this one out, of which there is a reminder.
    await insertCode(db, owner.id, { insurance_expiry_date: addDays(TODAY, 1) })
    expect(await run()).toEqual(['Insurance ends tomorrow · Ramesh Kulkarni and 99 or more'])
    expect(mails[0]?.text).toContain('PUC expired 200 days ago')
    expect(mails[0]?.text).toContain('There is more on your dashboard.')
  })
})

describe('a run that was missed', () => {
  test('at 09:00 is done afterwards, once', async () => {
    const { paper, run, advance } = await openDigests({ now: '2026-11-19T10:00:00.000Z' })
    await paper(addDays(TODAY, 30))
    expect(await run()).toEqual([])
    // The server is off until the evening of the next day.
    advance(DAY + 6 * 3600)
    expect(await run()).toEqual(['PUC ends in 30 days · MH 12 QX 4827'])
    expect(await run()).toEqual([])
  })

  test('for a whole day is made up for on the next, in one digest', async () => {
    const { paper, run, advance } = await openDigests({ now: '2026-11-18T10:00:00.000Z' })
    await paper(addDays(TODAY, 29))
    await paper(addDays(TODAY, 15))
    expect(await run()).toEqual([])
    advance(2 * DAY)
    expect(await run()).toEqual(['PUC ends in 15 days · MH 12 QX 4827 and 1 more'])
  })

  test('is done within a minute of the start', async () => {
    const { deps, paper, mails, sender } = await openDigests()
    await paper(addDays(TODAY, 30))
    const stop = keepReminding(deps)
    await vi.waitFor(async () => {
      await sender.settled()
      expect(mails).toHaveLength(1)
    }, 15_000)
    await stop()
  })

  test('for many papers is another thread’s', async () => {
    const { deps, owner, signUp, paper, mails, sender } = await openDigests()
    for (let n = 0; n < 12; n++) await paper(addDays(TODAY, 30), await signUp())
    for (let n = 12; n < 51; n++) await paper(addDays(TODAY, 30), owner)
    const beside = vi.fn(async () => {})
    expect(await remindOfDue(deps, undefined, beside)).toBe(0)
    expect(beside).toHaveBeenCalledOnce()
    // It is not done before that thread has noted it.
    expect(await remindOfDue(deps)).toBe(13)
    await sender.settled()
    expect(mails).toHaveLength(13)
  })

  test('for a few is not', async () => {
    const { deps, paper } = await openDigests()
    for (let n = 0; n < 50; n++) await paper(addDays(TODAY, 30))
    const beside = vi.fn(async () => {})
    expect(await remindOfDue(deps, undefined, beside)).toBe(1)
    expect(beside).not.toHaveBeenCalled()
  })

  test('for a few accounts needs none', async () => {
    const { deps, paper } = await openDigests()
    await paper(addDays(TODAY, 30))
    const refuse = () => Promise.reject(new Error('There is no thread'))
    expect(await remindOfDue(deps, undefined, refuse)).toBe(1)
  })

  test('that a stop interrupts is gone on with', async () => {
    const { deps, signUp, paper, mails, sender } = await openDigests()
    for (let n = 0; n < 12; n++) await paper(addDays(TODAY, 30), await signUp())
    const stopping = new AbortController()
    const { outbox } = deps
    const alert: typeof outbox.alert = async (...args) => {
      stopping.abort()
      return outbox.alert(...args)
    }
    const first = await remindOfDue({ ...deps, outbox: { ...outbox, alert } }, stopping.signal)
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThan(12)
    expect(first + (await remindOfDue(deps))).toBe(12)
    await sender.settled()
    expect(new Set(mails.map(({ to }) => to)).size).toBe(12)
    expect(mails).toHaveLength(12)
  })
})

describe('a clock', () => {
  test('that goes back makes none a second time', async () => {
    const { paper, run, advance } = await openDigests()
    await paper(addDays(TODAY, 30))
    expect(await run()).toHaveLength(1)
    advance(-DAY)
    expect(await run()).toEqual([])
    advance(DAY)
    expect(await run()).toEqual([])
  })

  test('that was a year ahead for a while skips no day afterwards', async () => {
    const { paper, run, advance } = await openDigests()
    await paper(addDays(TODAY, 31))
    advance(365 * DAY)
    expect(await run()).toEqual([])
    advance(-365 * DAY)
    expect(await run()).toEqual([])
    advance(DAY)
    expect(await run()).toEqual(['PUC ends in 30 days · MH 12 QX 4827'])
  })
})

test('of twenty processes at once makes each digest once', async () => {
  const { deps, signUp, paper, mails, sender } = await openDigests()
  for (let n = 0; n < 10; n++) await paper(addDays(TODAY, 7), await signUp())
  const made = await Promise.all(Array.from({ length: RACERS }, () => remindOfDue(deps)))
  expect(made.reduce((sum, each) => sum + each)).toBe(10)
  await sender.settled()
  expect(new Set(mails.map(({ to }) => to)).size).toBe(10)
  expect(mails).toHaveLength(10)
})

test('which accounts got digests is forgotten after 400 days', async () => {
  const { db, deps, paper, run, advance } = await openDigests()
  await paper(addDays(TODAY, 30))
  expect(await run()).toHaveLength(1)
  const known = () => db.selectFrom('due_digests').selectAll().execute()
  advance(400 * DAY)
  await sweepTables(deps)
  expect(await known()).toHaveLength(1)
  advance(DAY)
  await sweepTables(deps)
  expect(await known()).toEqual([])
})

describe('a kill -9 in the middle', () => {
  const ACCOUNTS = 9
  const NOW = '2026-11-20T10:00:00.000Z'

  async function openAccounts() {
    const { place, remove } = await makePlace()
    onTestFinished(remove)
    const { db, close } = await openPlace(place)
    for (let n = 0; n < ACCOUNTS; n++) {
      const email_verified_at = NOW
      const who = {
        name: `A${n}`,
        email: `a${n}@example.in`,
        email_verified_at,
        password_hash: null,
      }
      const { id } = await insertAccount(db, who, new Date(NOW))
      const { qr_id } = await insertCode(db, id)
      await insertPaper(db, { qr_id, account_id: id }, { expires_on: addDays(TODAY, 30) })
    }
    await close()
    return place
  }

  /** Resolves with whether the process lived to the end. */
  async function write(place: Place, ...args: string[]): Promise<boolean> {
    return (await runMortal('digest-writer', [...place, NOW, ...args])) === 'done'
  }

  /** Counts the waiting mails of each account after the next start has done the rest. */
  async function mailsAfter(step: string, at: number, way = ''): Promise<number[]> {
    const place = await openAccounts()
    expect(await write(place, step, String(at), way)).toBe(false)
    expect(await write(place, '', '0', way)).toBe(true)
    const { db, close } = await openPlace(place)
    const rows = await db
      .selectFrom('accounts')
      .leftJoin('outbox', 'outbox.account_id', 'accounts.id')
      .select(({ fn }) => ['accounts.id', fn.count<number>('outbox.id').as('mails')])
      .groupBy('accounts.id')
      .execute()
    await close()
    return rows.map(({ mails }) => mails).toSorted()
  }

  const once = Array.from({ length: ACCOUNTS }, () => 1)

  test.each([
    ['before', 1],
    ['after', 1],
    ['before', 3],
    ['after', 4],
    ['before', 5],
    ['after', 9],
  ] as const)('of the run, %s the row of digest %i, sends everybody one', async (step, at) => {
    expect(await mailsAfter(step, at)).toEqual(once)
  })

  test('shows in a run without one transaction for both rows', async () => {
    const half = await mailsAfter('committed', 3, 'naive')
    expect(half).not.toEqual(once)
  })
})
