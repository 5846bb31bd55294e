import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openOutbox } from '#db/outbox.ts'
import { describeOutbox } from '#db/outbox-waiting.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Mail } from '#domain/mail.ts'
import { createMailer } from '#mail/mailer.ts'
import { startSender } from '#mail/sender.ts'
import { openTestApp } from '#tests/support/app.ts'
import { deadMailServer, openMailServer } from '#tests/support/mail-server.ts'
import { headersOf, type Mood, textOf } from '#tests/support/smtp.ts'

const TO = 'asha@example.in'
const mail = (n = 1): Mail => ({
  to: TO,
  subject: `Mail ${n}`,
  text: `secret ${n}\n`,
  html: `<p>secret ${n}</p>\n`,
})

/** An outbox with a sender and a real mail server; pauses are in milliseconds instead of seconds. */
async function openPost(url: string) {
  const app = await openTestApp({ env: { SMTP_URL: url } })
  app.deps.mailer = createMailer(app.deps.config)
  const { db, deps } = app
  await app.sender.stop()
  const outbox = openOutbox(db, deps.secretKey, deps.clock, true)
  function begin(queue = outbox) {
    const sender = startSender({ ...deps, outbox: queue, secondMs: 1 })
    // Otherwise it would look each millisecond for as long as the process lives.
    onTestFinished(() => sender.stop())
    return sender
  }
  const sender = begin()
  const put = (...mails: Parameters<typeof outbox.put>[1][]) =>
    inTransaction(db, async (trx) => {
      for (const each of mails) await outbox.put(trx, each)
    })
  const waiting = async () => (await describeOutbox(db)).waiting
  /** Moves the clock for waiting mails, not for one being sent. */
  const pass = async (seconds: number) => {
    await sender.settled()
    app.advance(seconds)
  }
  return { ...app, outbox, sender, begin, put, waiting, pass }
}

async function openBoth(mood: Mood = {}) {
  const server = await openMailServer(mood)
  return { server, ...(await openPost(server.url)) }
}

describe('a mail in the outbox', () => {
  test('is sent at once, and then is kept nowhere', async () => {
    const { server, put, waiting, db } = await openBoth()
    await put(mail())
    await expect.poll(waiting).toBe(0)
    expect(server.received).toHaveLength(1)
    const [arrived] = server.received
    if (!arrived) throw new Error('nothing arrived')
    expect(arrived.to).toEqual([TO])
    expect(textOf(arrived)).toBe('secret 1\n')
    expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  test('of a transaction that is rolled back is never sent', async () => {
    const { server, outbox, db, put, waiting } = await openBoth()
    const failing = inTransaction(db, async (trx) => {
      await outbox.put(trx, mail(1))
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    await put(mail(2))
    await expect.poll(waiting).toBe(0)
    expect(server.received.map(textOf)).toEqual(['secret 2\n'])
  })

  test('cannot be read in a copy of the database, nor with another key', async () => {
    const { sender, outbox, put, db, deps } = await openPost(await deadMailServer())
    await sender.stop()
    await put(mail())
    const row = JSON.stringify(await db.selectFrom('outbox').selectAll().execute())
    expect(row).toContain(TO)
    expect(row).not.toContain(mail().subject)
    for (const sealed of ['secret', Buffer.from('secret').toString('base64').slice(0, 7)]) {
      expect(row).not.toContain(sealed)
    }
    const other = openOutbox(db, Buffer.alloc(32), deps.clock, true)
    expect(await other.claim()).toMatchObject({ mail: undefined })
    await db.updateTable('outbox').set({ next_attempt_at: '2000' }).execute()
    expect((await outbox.claim())?.mail).toEqual(mail())
  })

  test('that was encrypted with a lost key waits for the key', async () => {
    const { server, sender, begin, db, deps, put, waiting, logged } = await openBoth()
    await sender.stop()
    await put(mail())
    const other = openOutbox(db, Buffer.alloc(32), deps.clock, true)
    const withoutKey = begin(other)
    await expect.poll(() => logged.join()).toContain('encrypted with another secret.key')
    await withoutKey.stop()
    expect([await waiting(), server.received]).toEqual([1, []])
  })

  test('that soon is worthless goes before those that are not', async () => {
    const { server, put, waiting } = await openBoth()
    const soon = new Date(Date.now() + 600_000).toISOString()
    await put(mail(1), mail(2), { ...mail(3), expiresAt: soon })
    await expect.poll(waiting).toBe(0)
    expect(server.received.map(textOf)[0]).toBe('secret 3\n')
  })

  test('is not accepted where no mail server is configured', async () => {
    const { db, deps } = await openTestApp()
    await inTransaction(db, (trx) => deps.outbox.put(trx, mail()))
    expect(await describeOutbox(db)).toEqual({ waiting: 0, oldest: null })
  })
})

describe('a mail server', () => {
  test('that is down delays mails, and when it is back all of them arrive once', async () => {
    const url = await deadMailServer()
    const { put, waiting, pass, logged } = await openPost(url)
    for (const n of [1, 2, 3]) await put(mail(n))
    await expect.poll(() => logged.join()).toContain('mail failed')
    expect(await waiting()).toBe(3)
    const { received } = await openMailServer({}, Number(new URL(url).port))
    await pass(61)
    await expect.poll(waiting).toBe(0)
    expect(received.map(textOf).sort()).toEqual(['secret 1\n', 'secret 2\n', 'secret 3\n'])
  })

  test('that is slow does not delay those who put a mail into the outbox', async () => {
    const { server, put, waiting } = await openBoth({ slowMs: 500 })
    const before = performance.now()
    await put(mail(1), mail(2))
    expect(performance.now() - before).toBeLessThan(250)
    server.behave({})
    await expect.poll(waiting).toBe(0)
    expect(server.received).toHaveLength(2)
  })

  test('that says later (4xx) gets that mail later, and the others now', async () => {
    const later = { refuse: 'later', responseCode: 451 }
    const { server, put, waiting, pass, logged } = await openBoth(later)
    await put(mail(1))
    await expect.poll(() => logged.join()).toContain('mail failed')
    server.behave({})
    await put(mail(2))
    await expect.poll(() => server.received.map(textOf)).toEqual(['secret 2\n'])
    await expect.poll(waiting).toBe(1)
    await pass(29)
    await put(mail(3))
    await expect.poll(() => server.received.length).toBe(2)
    await pass(2)
    await expect.poll(waiting).toBe(0)
    expect(server.received.map(textOf).at(-1)).toBe('secret 1\n')
  })

  test('that breaks on one mail gets the others before it gets that one again', async () => {
    const { deps, put, waiting, pass } = await openPost('smtp://127.0.0.1:25')
    const tried: string[] = []
    deps.mailer.send = async ({ subject }) => {
      tried.push(subject)
      if (subject === 'Mail 1') throw new Error('the connection was closed')
    }
    await put(mail(1))
    await expect.poll(() => tried).toEqual(['Mail 1'])
    const dueAt = new Date(Date.now() + 30_000).toISOString()
    await put({ ...mail(2), dueAt }, { ...mail(3), dueAt })
    await pass(30)
    await expect.poll(waiting).toBe(1)
    expect(tried.slice(0, 2)).toEqual(['Mail 1', 'Mail 2'])
    expect(tried).toContain('Mail 3')
  })

  test('that says never (5xx) is not asked again, and the log has no recipient', async () => {
    const { server, put, waiting, logged } = await openBoth({ refuse: `no mailbox ${TO}` })
    await put(mail(1))
    await expect.poll(waiting).toBe(0)
    expect(server.received).toEqual([])
    const line = logged.find((each) => each.includes('mail refused')) ?? ''
    expect(JSON.parse(line)).toMatchObject({ responseCode: 550, command: 'RCPT TO', attempts: 1 })
    expect(logged.join()).not.toContain(TO)
    expect(logged.join()).not.toContain('secret')
  })

  test('that dies in the middle of a mail gets it again', async () => {
    const { server, put, waiting, pass, logged } = await openBoth({ dies: 'halfway' })
    await put(mail())
    await expect.poll(() => logged.join()).toContain('mail failed')
    server.behave({})
    await pass(61)
    await expect.poll(waiting).toBe(0)
    expect(server.received.map(textOf)).toEqual(['secret 1\n'])
  })

  test('that dies before it confirms a mail gets it twice, with the same Message-ID', async () => {
    const { server, put, waiting, pass, logged } = await openBoth({ dies: 'unthanked' })
    await put(mail())
    await expect.poll(() => logged.join()).toContain('mail failed')
    server.behave({})
    await pass(61)
    await expect.poll(waiting).toBe(0)
    const ids = server.received.map((each) => headersOf(each)['message-id'])
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })
})

describe('a mail is given up', () => {
  test('after two days, an OTP with its end, and until then is tried many times', async () => {
    const { deps, put, waiting, pass, logged } = await openPost('smtp://127.0.0.1:25')
    const later = { code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }
    deps.mailer.send = () => Promise.reject(Object.assign(new Error(`not now, ${TO}`), later))
    await put({ ...mail(1), expiresAt: new Date(Date.now() + 600_000).toISOString() }, mail(2))
    const tries = () => logged.filter((each) => each.includes('mail failed')).length
    for (let second = 0; second < 570; second += 30) {
      await pass(30)
      await expect.poll(tries).toBeGreaterThan(second / 30 + 2)
    }
    await pass(30)
    await expect.poll(waiting).toBe(1)
    await pass(2 * 86_400)
    await expect.poll(waiting).toBe(0)
    const given = logged.filter((each) => each.includes('mail given up'))
    expect(given).toHaveLength(2)
    expect(given.join()).not.toContain(TO)
  })
})

describe('two senders', () => {
  test('never send the same mail, and an unfinished attempt is free again after a minute', async () => {
    const { server, outbox, sender, begin, put, waiting, pass } = await openBoth()
    await sender.stop()
    await put(...Array.from({ length: 6 }, (_, n) => mail(n)))
    // A process that was killed while sending leaves this.
    const lost = await outbox.claim()
    const senders = [begin(), begin(), begin()]
    await expect.poll(waiting).toBe(1)
    expect(new Set(server.received.map(textOf)).size).toBe(5)
    expect(server.received).toHaveLength(5)
    await pass(61)
    await expect.poll(waiting).toBe(0)
    expect(server.received.map(textOf).at(-1)).toBe(lost?.mail?.text)
    for (const each of senders) await each.stop()
  })

  test('that stop finish the mail that is on its way, and begin no other', async () => {
    const { server, sender, put, waiting, db } = await openBoth({ slowMs: 300 })
    await put(mail(1), mail(2))
    const begun = db.selectFrom('outbox').select('id').where('attempts', '>', 0)
    await expect.poll(async () => (await begun.execute()).length).toBe(1)
    await sender.stop()
    expect(server.received).toHaveLength(1)
    expect(await waiting()).toBe(1)
  })
})

test('a mail outlives a process that is killed while it sends it', async () => {
  const server = await openMailServer({ slowMs: 5_000 })
  const { dataDir, db, deps, sender, begin, waiting } = await openPost(server.url)
  await sender.stop()
  const { databaseUrl: DATABASE_URL = '' } = deps.config
  const env = { ...process.env, DATA_DIR: dataDir, SMTP_URL: server.url, DATABASE_URL }
  const child = spawn(process.execPath, ['tests/support/mail-sender.ts'], { env })
  await expect.poll(server.clients).toBe(1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await waiting()).toBe(1)
  expect(server.received).toEqual([])
  server.behave({})
  // The killed process used the machine's clock, not the test's.
  const later = () => new Date(performance.timeOrigin + performance.now() + 61_000)
  const again = begin(openOutbox(db, deps.secretKey, later, true))
  await expect.poll(waiting).toBe(0)
  await again.stop()
  expect(server.received.map(textOf)).toEqual(['secret 1\n'])
})
