import type { Db } from '#db/client.ts'
import { write } from '#db/conversations/answers.ts'
import { noteChanges } from '#db/conversations/changes.ts'
import type { FinderConversationRow, Tables } from '#db/schema.ts'
import { hashToken, randomId, randomToken } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'

type Said = Partial<Pick<Tables['conversation_messages'], 'sender' | 'kind' | 'text' | 'sent_at'>>
type Fields = Partial<FinderConversationRow> & { messages?: Said[] }

/**
 * Stores a conversation about a code of the account, as if a finder had begun it at `created_at`. Its
 * messages are the finder's unless they say otherwise, a minute after one another.
 */
export async function insertConversation(
  db: Db,
  { account_id, qr_id }: { account_id: string; qr_id: string },
  { messages = [{ text: 'They were on the counter.' }], ...fields }: Fields = {},
): Promise<FinderConversationRow> {
  const created_at = fields.created_at ?? new Date().toISOString()
  const sent = messages.map((message, n) => ({
    sender: 'finder' as const,
    kind: 'text' as const,
    text: '',
    sent_at: new Date(Date.parse(created_at) + n * 60_000).toISOString(),
    ...message,
  }))
  const row: FinderConversationRow = {
    id: randomId(),
    kind: 'finder',
    qr_id,
    replaced_id: null,
    subject: null,
    ticket_number: null,
    account_id,
    token_hash: hashToken(randomToken()),
    reason: 'found',
    status: 'open',
    is_muted: 0,
    is_unread: 1,
    is_deleted: 0,
    first_line: sent[0]?.text ?? '',
    name: null,
    place: null,
    latitude: null,
    longitude: null,
    accuracy: null,
    photo_name: null,
    photo_thumbnail_name: null,
    reply_to: null,
    show_contact: 0,
    sender_hash: null,
    browser_hash: null,
    network_hash: null,
    created_at,
    last_message_at: sent.at(-1)?.sent_at ?? created_at,
    closed_at: fields.status && fields.status !== 'open' ? created_at : null,
    ended_at: null,
    blocked_at: null,
    lang: 'en',
    ...fields,
  }
  const rows = sent.map((message, n) => {
    return {
      id: randomId(),
      conversation_id: row.id,
      n: n + 1,
      author: null,
      author_id: null,
      ...message,
    }
  })
  await inTransaction(db, async (trx) => {
    await trx.insertInto('conversations').values(row).execute()
    if (rows.length > 0) await trx.insertInto('conversation_messages').values(rows).execute()
    await noteChanges(trx, [row], new Date(created_at))
  })
  return row
}

/** Adds what a finder writes, without a mail. */
export async function writeAsFinder(
  db: Db,
  conversation: FinderConversationRow,
  text: string,
  now: Date,
): Promise<void> {
  const written = { from: 'finder', kind: 'text', text } as const
  await inTransaction(db, (trx) => write(trx, conversation, written, now, async () => {}))
}
