import { expect, test } from 'vitest'
import * as tickets from '#db/migrations/007-tickets.ts'
import { migrateOver } from '#tests/support/migrating.ts'

const AT = '2026-11-20'
const ACCOUNT = `insert into accounts (id, name, email, role, subscription_plan, qr_limit, child_qr_quota,
    is_active, created_at)
  values ('a', 'Asha', 'asha@example.in', 'client', 'free', 1, 0, 1, '${AT}')`
const CODE = `insert into qr_codes (id, qr_id, qr_type, owner_id, created_by, is_active, is_claimed, owner_name,
    is_child_registered, pin_tries, created_at, updated_at)
  values ('q', 'AAAA2222', 'normal', 'a', 'a', 1, 1, 'Asha', 0, 0, '${AT}', '${AT}')`
const CONVERSATION = `insert into conversations (id, qr_id, account_id, token_hash, reason, status,
    is_muted, is_unread, is_deleted, first_line, name, latitude, longitude, photo_name, show_contact,
    created_at, last_message_at, closed_at)
  values ('c', 'AAAA2222', 'a', 'hash', 'found', 'returned', 1, 1, 0, 'line', 'Ravi', 1.5, -2.5,
    'p.webp', 0, '${AT}', '${AT}', '${AT}')`
const MESSAGES = `insert into conversation_messages (id, conversation_id, n, sender, kind, text, sent_at)
  values ('m1', 'c', 1, 'finder', 'text', 'one', '${AT}'), ('m2', 'c', 2, 'owner', 'number', 'two', '${AT}')`
const MAIL = `insert into conversation_mails (conversation_id, side, due_at, outbox_id, first_n)
  values ('c', 'finder', '${AT}', 'o', 2)`
const REPORT = `insert into reports (id, kind, reason, qr_id, account_id, conversation_id, snapshot,
    status, created_at)
  values ('r', 'conversation', 'spam', 'AAAA2222', 'a', 'c', '{}', 'open', '${AT}'),
    ('r2', 'page', 'spam', 'AAAA2222', 'a', null, '{}', 'open', '${AT}')`

test('conversations, their messages, mails and reports are what they were', async () => {
  const [conversations, messages, mails, reports] = await migrateOver(tickets, {
    rows: [ACCOUNT, CODE, CONVERSATION, MESSAGES, MAIL, REPORT],
    queries: [
      'select * from conversations',
      'select * from conversation_messages order by n',
      'select * from conversation_mails',
      'select id, conversation_id from reports order by id',
    ],
    numbers: ['n', 'first_n', 'is_muted', 'is_unread', 'is_deleted', 'show_contact'],
  })
  expect(conversations).toEqual([
    {
      id: 'c',
      kind: 'finder',
      qr_id: 'AAAA2222',
      replaced_id: null,
      account_id: 'a',
      token_hash: 'hash',
      reason: 'found',
      subject: null,
      ticket_number: null,
      status: 'returned',
      is_muted: 1,
      is_unread: 1,
      is_deleted: 0,
      first_line: 'line',
      name: 'Ravi',
      place: null,
      latitude: 1.5,
      longitude: -2.5,
      accuracy: null,
      photo_name: 'p.webp',
      photo_thumbnail_name: null,
      reply_to: null,
      show_contact: 0,
      sender_hash: null,
      created_at: AT,
      last_message_at: AT,
      closed_at: AT,
      ended_at: null,
      lang: 'en',
    },
  ])
  const message = { conversation_id: 'c', author: null, sent_at: AT }
  expect(messages).toEqual([
    { ...message, id: 'm1', n: 1, sender: 'finder', kind: 'text', text: 'one' },
    { ...message, id: 'm2', n: 2, sender: 'owner', kind: 'number', text: 'two' },
  ])
  expect(mails).toEqual([
    { conversation_id: 'c', side: 'finder', due_at: AT, outbox_id: 'o', first_n: 2 },
  ])
  expect(reports).toEqual([
    { id: 'r', conversation_id: 'c' },
    { id: 'r2', conversation_id: null },
  ])
})
