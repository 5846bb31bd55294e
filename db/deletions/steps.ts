/** The steps by which the rows of an account are removed, for `db/tables`. */

import { type SqlBool, sql } from 'kysely'
import type { Trx } from '#db/client.ts'
import { leaveCodes } from '#db/codes/qr-changes.ts'
import { photoFilesOf } from '#db/conversations/endings.ts'
import { withdrawNotices } from '#db/conversations/notices.ts'
import { toEndingCode } from '#db/deletions/deletions.ts'
import { findUsedCode, unregisterCode } from '#db/families/unregistering.ts'
import { forgetScanTimes } from '#db/scans/earlier-scans.ts'
import type { Tables } from '#db/schema.ts'
import type { Done, Removing, Step } from '#db/tables/table.ts'

/** Rows in one transaction: more would keep finders waiting. */
export const ROWS_AT_ONCE = 500
const FILES_AT_ONCE = 50

type Deleting = { executeTakeFirst(): Promise<{ numDeletedRows: bigint }> }

export async function deleted(deleting: Deleting): Promise<Done> {
  const { numDeletedRows } = await deleting.executeTakeFirst()
  return { count: Number(numDeletedRows) }
}

type WithFiles = 'documents' | 'popup_images' | 'upgrade_requests'

/** Deletes the account's rows of a table, and names the files in these columns. */
export function withFiles<T extends WithFiles>(table: T, ...columns: (keyof Tables[T])[]): Step {
  return async (trx, { account: { id } }) => {
    const rows = await trx
      .selectFrom(table as 'documents')
      .select(['id', ...(columns as 'stored_name'[])])
      .where('account_id', '=', id)
      .limit(FILES_AT_ONCE)
      .execute()
    if (rows.length === 0) return { count: 0 }
    const ids = rows.map((row) => row.id)
    await trx
      .deleteFrom(table as WithFiles)
      .where('id', 'in', ids)
      .execute()
    const names = rows.flatMap((row) => columns.map((column) => row[column as 'stored_name']))
    return { count: rows.length, stored_names: present(names) }
  }
}

export function present(names: (string | null)[]): string[] {
  return names.filter((name) => name !== null)
}

/**
 * Removes the acts of people for the account from the audit log, and names, addresses and numbers from the others,
 * which keep the ids.
 */
export async function forgetInAudit(trx: Trx, { account: { id, name } }: Removing): Promise<Done> {
  const acts = trx.selectFrom('audit_events').select('id').where('owner_id', '=', id)
  const helped = await deleted(
    trx.deleteFrom('audit_events').where('id', 'in', acts.limit(ROWS_AT_ONCE)),
  )
  const own = await trx
    .updateTable('audit_events')
    .set({ actor: id })
    .where('actor_id', '=', id)
    .where('actor', '!=', id)
    .executeTakeFirst()
  const about = await trx
    .updateTable('audit_events')
    .set({ before: null, after: null })
    .where(({ eb, or, and, selectFrom }) =>
      or([
        eb('subject_id', '=', id),
        ...(['upgrade_requests', 'promo_redemptions'] as const).map((table) =>
          eb('subject_id', 'in', selectFrom(table).select('id').where('account_id', '=', id)),
        ),
        eb('subject_id', 'in', selectFrom('qr_codes').select('id').where('owner_id', '=', id)),
        // Codes that this account has transferred or received, which belong to others.
        and([
          eb('action', '=', 'qr_code.transferred'),
          or(
            (['before', 'after'] as const).map(
              (column) => sql<SqlBool>`${sql.ref(column)} like ${likeOwner(name)} escape '!'`,
            ),
          ),
        ]),
      ]),
    )
    .where(({ eb, or }) => or([eb('before', 'is not', null), eb('after', 'is not', null)]))
    .executeTakeFirst()
  return { count: helped.count + Number(own.numUpdatedRows + about.numUpdatedRows) }
}

/** A pattern for JSON that names this owner. */
function likeOwner(name: string): string {
  return `%"owner":${JSON.stringify(name).replace(/[!%_]/g, '!$&')}%`
}

/** Runs the first of the steps for codes that has something to change. */
export async function leaveOrRemoveCode(trx: Trx, removing: Removing): Promise<Done> {
  for (const step of [removeCode, leaveUsedCode, leaveCreated]) {
    const done = await step(trx, removing)
    if (done.count > 0) return done
  }
  return { count: 0 }
}

/** Removes one of the account's codes: first its scans, then the code. */
async function removeCode(trx: Trx, { account, now, notify }: Removing): Promise<Done> {
  const code = await trx
    .selectFrom('qr_codes')
    .select(['id', 'qr_id', 'owner_id', 'child_account_id', 'claim_email', 'claim_lang'])
    .where('owner_id', '=', account.id)
    .limit(1)
    .executeTakeFirst()
  if (!code) return { count: 0 }
  const { id, qr_id } = code
  const scans = await trx
    .selectFrom('scans')
    .select('scanned_at')
    .where('qr_id', '=', qr_id)
    .orderBy('scanned_at')
    .limit(ROWS_AT_ONCE)
    .execute()
  if (scans.length === ROWS_AT_ONCE) {
    return { count: await forgetScanTimes(trx, code, scans.at(-1)?.scanned_at) }
  }
  const stored_names = await leaveCodes(trx, [qr_id], now)
  await trx.deleteFrom('qr_codes').where('id', '=', id).execute()
  for (const ended of toEndingCode(code)) await notify(trx, ended)
  return { count: 1, stored_names }
}

/** Returns a code that the account used as a child user to its owner, empty, without its conversations. */
async function leaveUsedCode(trx: Trx, { account, now, contactMode }: Removing): Promise<Done> {
  const code = await findUsedCode(trx, account.id)
  if (!code) return { count: 0 }
  const stored_names = await leaveCodes(trx, [code.qr_id], now)
  await trx.deleteFrom('conversations').where('qr_id', '=', code.qr_id).execute()
  await unregisterCode(trx, code, { now, contactMode })
  return { count: 1, stored_names }
}

/** Counts codes that the account created and others own against their owners. */
async function leaveCreated(trx: Trx, { account: { id } }: Removing): Promise<Done> {
  const { numUpdatedRows } = await trx
    .updateTable('qr_codes')
    .set(({ ref }) => ({ created_by: ref('owner_id') }))
    .where('created_by', '=', id)
    .executeTakeFirst()
  return { count: Number(numUpdatedRows) }
}

/** Removes the account's name from its answers in tickets and conversations of others. */
export async function leaveAnswers(trx: Trx, { account: { id } }: Removing): Promise<Done> {
  const helped = await trx
    .updateTable('conversation_messages')
    .set({ author: '', author_id: null })
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('conversation_messages as answer')
        .select('answer.id')
        .where('answer.author_id', '=', id)
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirst()
  const count = Number(helped.numUpdatedRows)
  return count > 0 ? { count } : leaveTicketAnswers(trx, id)
}

/** The audit log, from which old entries are deleted, says which answers of an admin these are. */
async function leaveTicketAnswers(trx: Trx, id: string): Promise<Done> {
  const { numUpdatedRows } = await trx
    .updateTable('conversation_messages')
    .set({ author: null })
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('audit_events')
        .innerJoin('conversation_messages as answer', (join) =>
          join
            .onRef('answer.conversation_id', '=', 'subject_id')
            .onRef('answer.sent_at', '=', 'happened_at'),
        )
        .select('answer.id')
        .where('actor_id', '=', id)
        .where('action', '=', 'ticket.answered')
        .where('answer.author', 'is not', null)
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirst()
  return { count: Number(numUpdatedRows) }
}

/** Removes tickets, and conversations about codes that others have since. */
export async function removeConversations(trx: Trx, { account: { id } }: Removing): Promise<Done> {
  const rows = await trx
    .selectFrom('conversations')
    .select(['id', 'photo_name', 'photo_thumbnail_name'])
    .where('account_id', '=', id)
    .limit(FILES_AT_ONCE)
    .execute()
  if (rows.length === 0) return { count: 0 }
  const ids = rows.map((row) => row.id)
  const attached = await trx
    .selectFrom('conversation_attachments')
    .innerJoin('conversation_messages', 'conversation_messages.id', 'message_id')
    .select(['stored_name', 'thumbnail_name'])
    .where('conversation_id', 'in', ids)
    .execute()
  await withdrawNotices(trx, ids)
  await trx.deleteFrom('conversations').where('id', 'in', ids).execute()
  const more = attached.flatMap((each) => [each.stored_name, each.thumbnail_name])
  return {
    count: rows.length,
    stored_names: [...rows.flatMap(photoFilesOf), ...present(more)],
  }
}
