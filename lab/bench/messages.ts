import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { compare, type Fleet, type Fleets, openFleet } from './dashboard.ts'
import type { Row } from './support/report.ts'

const MANY = 10_000
const FEW = 10
const MESSAGES = 3

/** The Messages tab of an account to which very many finders wrote, beside one with few. */
export async function benchMessages({ large, small }: Fleets): Promise<Row[]> {
  addConversations(large, MANY)
  addConversations(small, FEW)
  const [much, little] = [await openFleet(large), await openFleet(small)]
  try {
    const times = await compare(much, little, '/dashboard?tab=messages')
    return [
      {
        what: 'Messages, 10,000 conversations ÷ 10',
        measured: `${times.much.toFixed(1)} ms`,
        limit: `${times.little.toFixed(1)} ms`,
        ratio: times.much / times.little,
        budget: { atMost: 1.5 },
      },
    ]
  } finally {
    await Promise.all([much.stop(), little.stop()])
  }
}

/** One a minute about the company's codes in turn, every tenth closed and every other one unread. */
function addConversations({ folder, contact }: Fleet, count: number): void {
  const database = new Sqlite(join(folder, 'driveqr.db'))
  const codes = database
    .prepare(
      `select q.qr_id, a.id as account_id from qr_codes q join accounts a on a.id = q.owner_id
       where a.email = ?`,
    )
    .all(contact) as { qr_id: string; account_id: string }[]
  const conversation = database.prepare(
    `insert into conversations (id, kind, qr_id, account_id, token_hash, reason, status, is_muted, is_unread,
       is_deleted, first_line, show_contact, created_at, last_message_at, closed_at)
     values (@id, 'finder', @qr_id, @account_id, @id, 'parking', @status, 0, @is_unread, 0, @text, 0, @at, @at,
       @closed_at)`,
  )
  const message = database.prepare(
    `insert into conversation_messages (id, conversation_id, n, sender, kind, text, sent_at)
     values (?, ?, ?, 'finder', 'text', ?, ?)`,
  )
  const text = 'White Creta across our gate. Could you move it before 6?'
  database.transaction(() => {
    for (let i = 0; i < count; i++) {
      const id = randomBytes(12).toString('hex')
      const at = new Date(Date.now() - i * 60_000).toISOString()
      const state =
        i % 10 === 9 ? { status: 'closed', closed_at: at } : { status: 'open', closed_at: null }
      conversation.run({ ...codes[i % codes.length], ...state, id, text, at, is_unread: i % 2 })
      for (let n = 1; n <= MESSAGES; n++) message.run(`${id}${n}`, id, n, text, at)
    }
  })()
  database.close()
}
