import type { Db } from '#db/client.ts'
import type { Tables, TicketRow } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { NOT_OF_A_FINDER } from '#db/tickets/ticket-changes.ts'

type Said = Partial<Pick<Tables['conversation_messages'], 'sender' | 'author' | 'text' | 'sent_at'>>
type Fields = Partial<TicketRow> & { messages?: Said[] }

/**
 * Stores a ticket of an account on any plan. Its messages are the customer's unless they say otherwise,
 * a minute after one another.
 */
export async function insertTicket(
  db: Db,
  account_id: string,
  { messages = [{ text: 'They print 2 mm too low.' }], ...fields }: Fields = {},
): Promise<TicketRow> {
  const { last } = await db
    .selectFrom('conversations')
    .select(({ fn }) => fn.max<number | null>('ticket_number').as('last'))
    .executeTakeFirstOrThrow()
  const created_at = fields.created_at ?? new Date().toISOString()
  const sent = messages.map((message, n) => ({
    sender: 'customer' as const,
    author: null,
    kind: 'text' as const,
    text: '',
    sent_at: new Date(Date.parse(created_at) + n * 60_000).toISOString(),
    ...message,
  }))
  const row: TicketRow = {
    ...NOT_OF_A_FINDER,
    id: randomId(),
    kind: 'support',
    account_id,
    subject: 'Labels print too low',
    ticket_number: (last ?? 1_000) + 1,
    status: 'open',
    first_line: sent[0]?.text ?? '',
    created_at,
    last_message_at: sent.at(-1)?.sent_at ?? created_at,
    closed_at: fields.status === 'closed' ? created_at : null,
    ended_at: null,
    ...fields,
  }
  const rows = sent.map((message, n) => {
    return { id: randomId(), conversation_id: row.id, n: n + 1, ...message }
  })
  await db.insertInto('conversations').values(row).execute()
  await db.insertInto('conversation_messages').values(rows).execute()
  return row
}
