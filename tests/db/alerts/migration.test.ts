import { expect, test } from 'vitest'
import * as alerts from '#db/migrations/003-alerts.ts'
import { migrateOver } from '#tests/support/migrating.ts'

const WAITING = `insert into outbox values
  ('one', 'asha@example.in', 'Hi', 'text', 'html', 2, '2026-11-20', '2026-11-21', '2026-11-22'),
  ('two', 'ravi@example.in', 'Hi', 'text', null, 0, '2026-11-20', '2026-11-20', null)`
const ALL = 'select * from outbox order by id'

test('mails that wait during the migration wait afterwards', async () => {
  const [rows] = await migrateOver(alerts, {
    rows: [WAITING],
    queries: [ALL],
    numbers: ['attempts'],
  })
  const mail = {
    kind: 'email',
    event: null,
    account_id: null,
    channel_id: null,
    qr_id: null,
    subject: 'Hi',
    text: 'text',
    sender_name: null,
    created_at: '2026-11-20',
  }
  expect(rows?.map((row) => ({ ...row, attempts: Number(row.attempts) }))).toEqual([
    {
      ...mail,
      id: 'one',
      cause_id: 'one',
      recipient: 'asha@example.in',
      html: 'html',
      attempts: 2,
      next_attempt_at: '2026-11-21',
      expires_at: '2026-11-22',
    },
    {
      ...mail,
      id: 'two',
      cause_id: 'two',
      recipient: 'ravi@example.in',
      html: '',
      attempts: 0,
      next_attempt_at: '2026-11-20',
      expires_at: '2026-11-20',
    },
  ])
})
