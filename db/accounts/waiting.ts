import type { NotNull } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { selectUnread } from '#db/conversations/conversations.ts'
import { pendingResets } from '#db/families/password-resets.ts'

export type Waiting = { resets: number; conversations: number }

/** What waits for an account. Every tab of the dashboard asks, so it is one statement. */
export async function countWaiting(db: DbOrTrx, accountId: string): Promise<Waiting> {
  const unread = selectUnread(db, [accountId]).select(({ fn }) => fn.countAll<number>().as('count'))
  return db
    .selectNoFrom([pendingResets(db, accountId).as('resets'), unread.as('conversations')])
    .$narrowType<{ resets: NotNull; conversations: NotNull }>()
    .executeTakeFirstOrThrow()
}
