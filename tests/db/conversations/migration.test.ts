import { expect, test } from 'vitest'
import * as languages from '#db/migrations/004-conversation-language.ts'
import { migrateOver } from '#tests/support/migrating.ts'

const NOW = "'2026-11-20T10:00:00.000Z'"

/** A conversation, a claim and a request of the version before languages were stored. */
const FILLED = [
  `insert into accounts (id, name, email, role, subscription_plan, qr_limit, child_qr_quota, is_active,
    created_at) values ('a', 'Asha', 'asha@example.in', 'client', 'free', 1, 0, 1, ${NOW})`,
  `insert into qr_codes (id, qr_id, qr_type, owner_id, created_by, is_active, is_claimed,
    is_child_registered, owner_name, claim_email, pin_tries, created_at, updated_at) values
    ('q', 'Q', 'normal', 'a', 'a', 1, 1, 0, 'Ravi', 'ravi@example.in', 0, ${NOW}, ${NOW})`,
  `insert into password_reset_requests (id, qr_id, child_account_id, status, requested_at)
    values ('r', 'Q', 'a', 'pending', ${NOW})`,
  `insert into conversations (id, qr_id, account_id, token_hash, reason, status, is_muted, is_unread,
    is_deleted, first_line, show_contact, created_at, last_message_at) values
    ('c', 'Q', 'a', 'h', 'found', 'open', 0, 1, 0, '', 0, ${NOW}, ${NOW})`,
]

test('what is there before languages are stored is in English', async () => {
  const query = `select c.lang as conversation, r.lang as request, q.claim_lang as claim
    from conversations c, password_reset_requests r, qr_codes q`
  const [rows] = await migrateOver(languages, { rows: FILLED, queries: [query], numbers: [] })
  expect(rows).toEqual([{ conversation: 'en', request: 'en', claim: null }])
})
