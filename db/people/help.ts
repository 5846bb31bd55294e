import { recordAct } from '#db/admin/audit-events.ts'
import type { DbOrTrx, Trx } from '#db/client.ts'
import { assertShared } from '#db/people/held-shares.ts'
import type { Instant } from '#db/schema.ts'
import type { Acting } from '#domain/people/acting.ts'
import type { Holder } from '#domain/people/share.ts'

/** An act for an owner. The id of a code is that of its row, which it keeps when it gets a new `qr_id`. */
type Help = {
  owner_id: string
  action: string
  subject_type: 'account' | 'conversation' | 'document' | 'popup_image' | 'qr_code'
  subject_id: string | null
}

/**
 * Notes what a person does for an owner who shares codes with them, and nothing for acts of others. Call it in the
 * transaction of the act.
 */
export async function recordHelp(
  trx: Trx,
  { id, shares = [] }: Holder,
  help: Help,
  now: Date,
): Promise<void> {
  if (!shares.some(({ owner_id }) => owner_id === help.owner_id)) return
  const { name } = await trx
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await recordAct(trx, { ...help, actor_id: id, actor: name }, now)
}

/**
 * Checks again that a person's share stands, and notes the act; does nothing for an owner's own act. A step of the
 * act's transaction. Throws not_found.
 */
export async function assertHelps(
  trx: Trx,
  help: Acting['help'],
  act: Omit<Help, 'owner_id'>,
  now: Date,
): Promise<void> {
  if (!help) return
  const { helper, share } = help
  await assertShared(trx, share)
  await recordHelp(trx, helper, { ...act, owner_id: share.owner_id }, now)
}

export type ListedHelp = {
  id: string
  happened_at: Instant
  action: string
  subject_type: string
  /** null for an account that is deleted since */
  actor: string | null
  /** the code that the act was about, null for one that the owner no longer has */
  qr_id: string | null
}

const SHOWN = 50

/** Returns the newest acts of people for an owner. */
export async function listHelp(db: DbOrTrx, ownerId: string): Promise<ListedHelp[]> {
  return db
    .selectFrom('audit_events as act')
    .leftJoin('accounts', 'accounts.id', 'act.actor_id')
    .leftJoin('documents', 'documents.id', 'act.subject_id')
    .leftJoin('conversations', 'conversations.id', 'act.subject_id')
    .leftJoin('qr_codes', (join) =>
      join
        .on(({ eb, or, ref }) =>
          or([
            eb('qr_codes.id', '=', ref('act.subject_id')),
            eb('qr_codes.qr_id', '=', ref('documents.qr_id')),
            eb('qr_codes.qr_id', '=', ref('conversations.qr_id')),
          ]),
        )
        .onRef('qr_codes.owner_id', '=', 'act.owner_id'),
    )
    .select(['act.id', 'act.happened_at', 'act.action', 'act.subject_type'])
    .select(['accounts.name as actor', 'qr_codes.qr_id'])
    .where('act.owner_id', '=', ownerId)
    .orderBy('act.happened_at', 'desc')
    .orderBy('act.id')
    .limit(SHOWN)
    .execute()
}
