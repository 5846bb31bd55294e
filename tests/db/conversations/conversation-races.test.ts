import { describe, expect, test } from 'vitest'
import { aboutFinders, aboutOwners } from '#actions/conversations/notices.ts'
import { blockAccount } from '#db/accounts/permission-types.ts'
import { deleteQrCode } from '#db/codes/qr-changes.ts'
import { answerAsFinder, answerAsOwner } from '#db/conversations/answers.ts'
import { blockSender, unblockSender } from '#db/conversations/blocks.ts'
import { readConversation, setConversationStatus } from '#db/conversations/conversation-changes.ts'
import { startConversation } from '#db/conversations/conversation-start.ts'
import { deleteConversation, stopConversation } from '#db/conversations/endings.ts'
import type { NewMessage } from '#db/conversations/messages.ts'
import { reportConversation } from '#db/conversations/reports.ts'
import { closeOldConversations } from '#db/conversations/retention.ts'
import { countUnread } from '#db/conversations/unread.ts'
import type { Notify } from '#db/outbox.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Sender } from '#domain/conversations/sender.ts'
import { FIRST_MESSAGE, openConversations, senderFrom } from '#tests/support/conversations.ts'
import { countEach, race } from '#tests/support/races.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'

const SMTP = { SMTP_URL: 'smtp://127.0.0.1:25' }

async function openRaces() {
  const opened = await openConversations({ env: SMTP })
  const { db, deps, owner, qr_id } = opened
  const { secretKey } = deps
  const now = deps.clock()
  // The outbox is looked at, and nothing is sent.
  await opened.sender.stop()
  const notify = inTime(aboutFinders(deps))
  const { publicUrl } = deps.config
  const mailBrand = { brand: undefined, publicUrl, site: new URL(publicUrl).host }
  const notifyFinder = inTime(aboutOwners(deps, mailBrand, () => true))
  const rules = { secretKey, now, isLimited: true }
  const start = (name: string, as: Partial<Sender> = {}) => {
    const sender = { ...senderFrom(name), ...as }
    const first = { qrId: qr_id, message: FIRST_MESSAGE, photo: undefined, sender }
    return startConversation(db, { ...first, lang: 'en' }, rules, notify)
  }
  const ownerWrites = (id: string, n: number) =>
    answerAsOwner(db, owner, id, { text: `answer ${n}` }, rules, notifyFinder)
  const finderWrites = (token: string, n: number, sender = 'sender') =>
    answerAsFinder(
      db,
      { token, text: `more ${n}`, sender: senderFrom(sender), lang: 'en' },
      rules,
      notify,
    )
  const conversations = () => db.selectFrom('conversations').selectAll().execute()
  const messages = () =>
    db.selectFrom('conversation_messages').select(['n', 'text']).orderBy('n').execute()
  const outbox = () => db.selectFrom('outbox').select('id').execute()
  const writers = { start, ownerWrites, finderWrites, conversations, messages, outbox }
  return { ...opened, ...writers, now, notifyFinder }
}

/** Fails a message that is written after the act that should have prevented it. */
function inTime(notify: Notify<NewMessage>): Notify<NewMessage> {
  return async (trx, message) => {
    const { id, account_id, sender_hash } = message.conversation
    const { status } = await trx
      .selectFrom('conversations')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const block = await trx
      .selectFrom('blocked_senders')
      .select('expires_at')
      .where('account_id', '=', account_id)
      .where('sender_hash', '=', sender_hash)
      .executeTakeFirst()
    const account = await trx
      .selectFrom('accounts')
      .select('is_active')
      .where('id', '=', account_id)
      .executeTakeFirstOrThrow()
    if (status !== 'open' || block || !account.is_active) throw new Error('A message came too late')
    return notify(trx, message)
  }
}

describe('of 20 first messages at once', () => {
  test('three of a browser about a code begin a conversation', async () => {
    const { start, conversations } = await openRaces()
    const { won, refused } = await race(() => start('sender'))
    expect(won).toHaveLength(3)
    expect(refused).toEqual({
      'too_many: 3 conversations about a QR code can be begun in an hour. Try again in 60 minutes.': 17,
    })
    expect(await conversations()).toHaveLength(3)
  })

  test('as many of a network begin one as it has left', async () => {
    const { start, conversations, db, owner, qr_id, now } = await openRaces()
    const created_at = now.toISOString()
    for (let n = 0; n < 115; n++) {
      const row = { created_at, network_hash: 'network' }
      await insertConversation(db, { account_id: owner.id, qr_id }, row)
    }
    const { won, refused } = await race((n) => start(`sender ${n}`, { networks: ['network'] }))
    expect(won).toHaveLength(5)
    expect(refused).toEqual({
      'too_many: 120 conversations can be begun in an hour. Try again in 60 minutes.': 15,
    })
    expect(await conversations()).toHaveLength(120)
  })

  test('all about a code begin one: ten with a mail each, and one mail for the others', async () => {
    const { start, conversations, messages, outbox, db, owner } = await openRaces()
    const { won } = await race((n) => start(`sender ${n}`))
    expect(won).toHaveLength(20)
    expect(await conversations()).toHaveLength(20)
    expect(await messages()).toHaveLength(20)
    expect(await outbox()).toHaveLength(11)
    expect(await db.selectFrom('message_bundles').select('messages').execute()).toEqual([
      { messages: 10 },
    ])
    expect(await countUnread(db, owner)).toBe(20)
    expect(await db.selectFrom('conversation_changes').select('n').execute()).toHaveLength(20)
  })

  test('none is kept once their sender is blocked', async () => {
    const { start, conversations, db, owner, now } = await openRaces()
    const { id } = await start('sender')
    const { won, refused } = await race(async (n): Promise<string> => {
      if (n !== 10) return (await start('sender')).id
      await blockSender(db, owner, id, now)
      return 'blocked'
    })
    expect(won).toContain('blocked')
    const words = Object.keys(refused)
    for (const each of words) expect(each).toMatch(/takes no messages from here|can be begun/)
    expect(await conversations()).toHaveLength(won.length)
    await expect(start('sender')).rejects.toThrow('The owner takes no messages from here')
  })

  test('during the deletion of their code, all are refused or deleted with it', async () => {
    const { start, conversations, outbox, db, owner, qr_id, now } = await openRaces()
    const { refused } = await race(
      async (n): Promise<unknown> =>
        n === 10 ? deleteQrCode(db, owner, qr_id, now) : start(`sender ${n}`),
    )
    for (const words of Object.keys(refused)) {
      expect(words).toMatch(/not_found: QR code not found|too_many/)
    }
    expect(await conversations()).toEqual([])
    expect(await outbox()).toEqual([])
  })
})

describe('of 20 messages at once in a conversation', () => {
  test('each has a number of its own, and as many are kept as may', async () => {
    const { start, finderWrites, messages, outbox } = await openRaces()
    const { token } = await start('sender')
    const { won, refused } = await race((n) => finderWrites(token, n))
    expect(won).toHaveLength(19)
    expect(refused).toEqual({
      'too_many: 20 messages can be sent in an hour. Try again in 60 minutes.': 1,
    })
    const all = await messages()
    expect(all.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    // One mail waits for all of them.
    expect(await outbox()).toHaveLength(1)
  })

  test.each([
    ['closed', 'conflict: This conversation is closed'],
    ['stopped', 'conflict: This conversation has ended'],
    ['deleted', 'conflict: This conversation has ended'],
    ['swept', 'conflict: This conversation is closed'],
  ] as const)('none is kept that comes after it was %s', async (how, words) => {
    const opened = await openRaces()
    const { start, ownerWrites, messages, conversations, db, owner, now, notifyFinder } = opened
    const { id, token } = await start('sender')
    const end = async () => {
      if (how === 'closed')
        await setConversationStatus(db, owner, id, 'closed', { now, isLimited: true }, notifyFinder)
      if (how === 'stopped') await stopConversation(db, token, now)
      if (how === 'deleted') await deleteConversation(db, owner, id, now)
      if (how === 'swept') {
        await closeOldConversations(db, new Date(now.getTime() + 31 * 86_400_000))
      }
      return 'ended'
    }
    const { won, refused } = await race(
      async (n): Promise<unknown> => (n === 10 ? end() : ownerWrites(id, n)),
    )
    const answered = won.length - 1
    expect(won).toContain('ended')
    expect(refused).toEqual(answered === 19 ? {} : { [words]: 19 - answered })
    expect(await messages()).toHaveLength(how === 'deleted' ? 0 : answered + 1)
    expect((await conversations())[0]).toMatchObject({ status: 'closed' })
    await expect(ownerWrites(id, 99)).rejects.toThrow(words.replace(/^\w+: /, ''))
  })

  test('the finder’s are refused once they are blocked or have stopped, or the account is blocked', async () => {
    const { start, finderWrites, messages, db, owner, now } = await openRaces()
    const ends = {
      block: (id: string) => blockSender(db, owner, id, now),
      stop: (_: string, token: string) => stopConversation(db, token, now),
      'block the account': () =>
        inTransaction(db, (trx) => blockAccount(trx, undefined, owner.id, now)),
    }
    for (const [end, act] of Object.entries(ends)) {
      const { id, token } = await start(`sender ${end}`)
      const before = (await messages()).length
      const { won, refused } = await race(async (n): Promise<unknown> => {
        return n === 10 ? act(id, token) : finderWrites(token, n)
      })
      expect((await messages()).length - before).toBe(won.length - 1)
      for (const words of Object.keys(refused)) {
        expect(words).toMatch(
          /^not_found: This conversation has ended$|^forbidden: The owner takes|^conflict: Messages to the owner/,
        )
      }
    }
  })
})

test('of 20 that say the keys are back one thanks the finder', async () => {
  const { start, db, owner, now, messages, notifyFinder } = await openRaces()
  const { id } = await start('sender')
  const { won } = await race(() =>
    setConversationStatus(db, owner, id, 'returned', { now, isLimited: true }, notifyFinder),
  )
  expect(countEach(won.map(({ status }) => status))).toEqual({ returned: 20 })
  expect(await messages()).toHaveLength(2)
})

test('of 20 that stop a conversation one does', async () => {
  const { start, db, now } = await openRaces()
  const { token } = await start('sender')
  const { won, refused } = await race(() => stopConversation(db, token, now))
  expect([won.length, refused]).toEqual([1, { 'not_found: This conversation has ended': 19 }])
})

test('of 20 that report a conversation one does', async () => {
  const { start, db, owner, now } = await openRaces()
  const { id } = await start('sender')
  const report = { reason: 'spam', text: null } as const
  const { won, refused } = await race(() => reportConversation(db, owner, id, report, now))
  expect([won.length, refused]).toEqual([
    1,
    { 'conflict: You have reported this conversation already': 19 },
  ])
  expect(await db.selectFrom('reports').select('id').execute()).toHaveLength(1)
})

test('a sender is blocked whole or not at all, however often that is done and undone at once', async () => {
  const { start, conversations, db, owner, now } = await openRaces()
  const { id } = await start('sender')
  const { refused } = await race(async (n): Promise<unknown> => {
    const act = n % 2 === 0 ? blockSender : unblockSender
    return act(db, owner, id, now)
  })
  expect(refused).toEqual({})
  const [conversation] = await conversations()
  const blocks = await db.selectFrom('blocked_senders').select('sender_hash').execute()
  const { blocked_at, status } = conversation ?? {}
  expect([
    [now.toISOString(), 'closed', true],
    [null, 'open', false],
  ]).toContainEqual([blocked_at, status, blocks.length > 0])
})

test('a conversation that is read while messages come is unread when one came after', async () => {
  const { start, finderWrites, db, owner, now } = await openRaces()
  const { id, token } = await start('sender')
  const { won } = await race(async (n): Promise<number> => {
    if (n % 2 === 0) return (await readConversation(db, owner, id, now)).messages.length
    await finderWrites(token, n)
    return 0
  })
  expect(won).toHaveLength(20)
  const seenMost = Math.max(...won)
  const { count } = await db
    .selectFrom('conversation_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBe(11)
  // The last reader saw all, or there is something unread.
  expect(await countUnread(db, owner)).toBe(seenMost === count ? 0 : 1)
})
