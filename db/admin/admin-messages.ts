import { sql } from 'kysely'
import { type Act, type Actor, recordAdminAct } from '#db/admin/audit-events.ts'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { RowOf } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import {
  adminMessageProblem,
  type MessageTexts,
  type NewAdminMessage,
} from '#domain/admin/admin-message.ts'
import { DomainError } from '#domain/error.ts'
import { toLang } from '#locales/languages.ts'

type Row = RowOf<'admin_messages'>

export type AdminMessage = Omit<Row, 'is_active'> & { is_active: boolean; texts: MessageTexts }

/** Returns all messages, newest first. */
export async function listAdminMessages(db: DbOrTrx): Promise<AdminMessage[]> {
  const rows = await db
    .selectFrom('admin_messages')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return withTexts(db, rows)
}

/** Throws not_found. */
export async function getAdminMessage(db: DbOrTrx, id: string): Promise<AdminMessage> {
  const row = await db
    .selectFrom('admin_messages')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(noMessage)
  return withText(db, row)
}

/**
 * Adds a message that finders see from now on, or answers the one with this `id`: the same form, sent again
 * because its answer was lost, has added it. Throws invalid.
 */
export async function addAdminMessage(
  db: Db,
  typed: NewAdminMessage,
  actor: Actor,
  now: Date,
  id = randomId(),
): Promise<AdminMessage> {
  const problem = adminMessageProblem(typed)
  if (problem) throw new DomainError(problem)
  const { title, content } = typed as { title: string; content: string }
  const row: Row = {
    id,
    title,
    content,
    is_active: toFlag(true),
    created_at: toInstant(now),
  }
  return inTransaction(db, async (trx) => {
    const earlier = await trx
      .selectFrom('admin_messages')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    if (earlier) return withText(trx, earlier)
    await trx.insertInto('admin_messages').values(row).execute()
    await note(trx, row, { ...actor, action: 'message.added', after: { title, content } }, now)
    return withText(trx, row)
  })
}

/**
 * Sets the text of a message for readers of a language, or removes it when title and content are empty. Throws
 * not_found and invalid.
 */
export async function setMessageText(
  db: Db,
  id: string,
  { lang, ...typed }: NewAdminMessage & { lang?: string | undefined },
  actor: Actor,
  now: Date,
): Promise<AdminMessage> {
  const language = toLang(lang)
  if (!language) throw new DomainError('invalid.language')
  const { title, content } = typed
  const problem = title || content ? adminMessageProblem(typed) : undefined
  if (problem) throw new DomainError(problem)
  return inTransaction(db, async (trx) => {
    const message = await trx
      .selectFrom('admin_messages')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow(noMessage)
    const text = { message_id: id, lang: language }
    if (title && content) {
      await trx
        .insertInto('admin_message_texts')
        .values({ ...text, title, content })
        .onConflict((same) => same.columns(['message_id', 'lang']).doUpdateSet({ title, content }))
        .execute()
    } else {
      await trx
        .deleteFrom('admin_message_texts')
        .where('message_id', '=', id)
        .where('lang', '=', language)
        .execute()
    }
    const after = { lang: language, title, content }
    await note(trx, message, { ...actor, action: 'message.translated', after }, now)
    return withText(trx, message)
  })
}

/** Hides a visible message, or shows a hidden one; `to` names the new state explicitly. Throws not_found. */
export async function toggleAdminMessage(
  db: Db,
  id: string,
  actor: Actor,
  now: Date,
  to?: boolean,
): Promise<AdminMessage> {
  return inTransaction(db, async (trx) => {
    const found = await getAdminMessage(trx, id)
    if (found.is_active === to) return found
    const row = await trx
      .updateTable('admin_messages')
      .set({ is_active: sql`1 - is_active` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const { title } = row
    const after = { title, is_active: fromFlag(row.is_active) }
    const before = { title, is_active: !after.is_active }
    await note(trx, row, { ...actor, action: 'message.toggled', before, after }, now)
    return withText(trx, row)
  })
}

/** Throws not_found. */
export async function deleteAdminMessage(
  db: Db,
  id: string,
  actor: Actor,
  now: Date,
): Promise<AdminMessage> {
  return inTransaction(db, async (trx) => {
    const message = await getAdminMessage(trx, id)
    const { numDeletedRows } = await trx
      .deleteFrom('admin_messages')
      .where('id', '=', id)
      .executeTakeFirst()
    if (!numDeletedRows) throw noMessage()
    const { title, content } = message
    await note(
      trx,
      message,
      { ...actor, action: 'message.deleted', before: { title, content } },
      now,
    )
    return message
  })
}

type Noted = Omit<Act, 'subject_type' | 'subject_id'>

function note(trx: Trx, { id }: { id: string }, act: Noted, now: Date): Promise<void> {
  return recordAdminAct(trx, { ...act, subject_type: 'admin_message', subject_id: id }, now)
}

async function withText(db: DbOrTrx, row: Row): Promise<AdminMessage> {
  const [message] = await withTexts(db, [row])
  return message as AdminMessage
}

async function withTexts(db: DbOrTrx, rows: Row[]): Promise<AdminMessage[]> {
  const all = await db.selectFrom('admin_message_texts').selectAll().orderBy('lang').execute()
  return rows.map(({ is_active, ...row }) => {
    const own = all.filter(({ message_id }) => message_id === row.id)
    const texts = own.map(({ lang, title, content }) => [lang, { title, content }])
    return { ...row, is_active: fromFlag(is_active), texts: Object.fromEntries(texts) }
  })
}

function noMessage(): DomainError {
  return new DomainError('not_found.admin_message')
}
