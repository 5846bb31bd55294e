import { toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { randomId } from '#db/secrets.ts'

/** Who acts when nobody is signed in: whoever has a shell on the machine. */
export const COMMAND_LINE = { actor_id: null, actor: 'command line' } as const

export type Act = {
  actor_id: string | null
  actor: string
  action: string
  subject_type: string
  subject_id: string | null
  before?: Record<string, unknown>
  after?: Record<string, unknown>
}

export type Actor = Pick<Act, 'actor_id' | 'actor'>

/** Notes an administrative act; belongs into the transaction of the act itself. */
export async function recordAct(
  db: DbOrTrx,
  { before, after, ...act }: Act,
  now: Date,
): Promise<void> {
  const row = {
    id: randomId(),
    happened_at: toInstant(now),
    ...act,
    before: before ? JSON.stringify(before) : null,
    after: after ? JSON.stringify(after) : null,
  }
  await db.insertInto('audit_events').values(row).execute()
}
