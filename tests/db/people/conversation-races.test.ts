import { expect, test } from 'vitest'
import { answerAsOwner, writtenBy } from '#db/conversations/answers.ts'
import { readConversation } from '#db/conversations/conversation-changes.ts'
import { noteTyping } from '#db/conversations/reads.ts'
import { getOwnConversation } from '#db/conversations/seen-conversations.ts'
import { listHeldShares } from '#db/people/held-shares.ts'
import { openSharedConversations } from '#tests/support/people-conversations.ts'
import { race } from '#tests/support/races.ts'

const NOBODY = async () => {}

async function openRaces() {
  const opened = await openSharedConversations()
  const { db, deps, owner, person, insert } = opened
  const now = deps.clock()
  const helper = { ...person, shares: await listHeldShares(db, person.id, now) }
  const { id, token } = await insert()
  const rules = { now, isLimited: true }
  const answer = (as: typeof helper | typeof owner, text: string) =>
    answerAsOwner(db, as, id, { text }, rules, NOBODY)
  const messages = () =>
    db.selectFrom('conversation_messages').select(['n', 'author_id']).orderBy('n').execute()
  const reads = () => db.selectFrom('conversation_reads').selectAll().execute()
  return { ...opened, now, helper, id, token, answer, messages, reads }
}

test('an owner and a person who answer at once both are heard, within one limit', async () => {
  const { answer, owner, helper, messages } = await openRaces()
  const { won } = await race((n) => answer(n % 2 ? owner : helper, `answer ${n}`))
  expect(won).toHaveLength(20)
  const written = await messages()
  expect(written.map(({ n }) => n)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1))
  expect(written.filter(({ author_id }) => author_id === helper.id)).toHaveLength(10)
  const { refused } = await race(() => answer(helper, 'one more'))
  expect(Object.values(refused)).toEqual([20])
})

test('nobody answers for an owner after the share has ended or its role has changed', async () => {
  const { answer, helper, messages, db, share, become } = await openRaces()
  const { won, refused } = await race(async (n) => {
    if (n !== 10) return (await answer(helper, `answer ${n}`)).id
    await become({ role: 'viewer' })
    return 'changed'
  })
  expect(won).toContain('changed')
  expect(await messages()).toHaveLength(won.length)
  for (const each of Object.keys(refused)) expect(each).toMatch(/not_found/)
  await expect(answer(helper, 'late')).rejects.toMatchObject({ kind: 'not_found' })
  await db.deleteFrom('shares').where('id', '=', share.id).execute()
  await expect(answer(helper, 'late')).rejects.toMatchObject({ kind: 'not_found' })
  expect(await messages()).toHaveLength(won.length)
})

test('a conversation opened twenty times at once is read once by each', async () => {
  const { db, owner, helper, id, now, reads } = await openRaces()
  const before = await countChanges()
  const { won } = await race((n) => readConversation(db, n % 2 ? owner : helper, id, now))
  expect(won).toHaveLength(20)
  expect(await reads()).toEqual([{ conversation_id: id, account_id: helper.id, typed_at: null }])
  expect((await countChanges()) - before).toBe(2)

  async function countChanges() {
    return (await db.selectFrom('conversation_changes').select('n').execute()).length
  }
})

test('a person who reads while the finder writes has not read what came after', async () => {
  const { db, helper, id, token, now, seen, ask } = await openRaces()
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const { won } = await race(async (n) => {
    if (n % 2 === 0) return (await readConversation(db, helper, id, now)).messages.length
    const body = new URLSearchParams({ text: `more ${n}` })
    return (await ask('POST', `/c/${token}`, { body, headers })).status
  })
  const seenMost = Math.max(...won.filter((_, n) => n % 2 === 0))
  const view = await seen(token)
  const share = await readLater()
  expect(share.unread).toBe(false)
  expect(view?.is_read).toBe(seenMost === view?.messages.length)

  function readLater() {
    return readConversation(db, helper, id, now)
  }
})

test('keys pressed at once by two people are noted once each', async () => {
  const { db, owner, helper, id, now, reads } = await openRaces()
  const later = new Date(now.getTime() + 1000)
  const { won } = await race((n) => noteTyping(db, n % 2 ? owner : helper, id, later))
  expect(won).toHaveLength(20)
  expect(new Set((await reads()).map(({ account_id }) => account_id))).toEqual(
    new Set([owner.id, helper.id]),
  )
})

test('the author of an answer is the person, and nobody for the owner', async () => {
  const { db, owner, helper, id } = await openRaces()
  const conversation = await getOwnConversation(db, helper, id)
  expect(writtenBy(helper, conversation)).toEqual({
    from: 'owner',
    author: 'Meera',
    author_id: helper.id,
  })
  expect(writtenBy(owner, conversation)).toEqual({ from: 'owner' })
})
