import type { ExpressionBuilder } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import type { Instant, Tables } from '#db/schema.ts'
import type { ChannelKind } from '#domain/alerts/alert.ts'

/** Returns how many mails and alerts wait by channel, and since when the oldest that nothing holds back. */
export async function measureOutbox(
  db: DbOrTrx,
): Promise<{ kind: ChannelKind; waiting: number; oldest: Instant | null }[]> {
  return db
    .selectFrom('outbox')
    .select(({ fn }) => [
      'kind',
      fn.countAll<number>().as('waiting'),
      fn.min<Instant | null>('created_at').filterWhere(isHeldBackByNothing).as('oldest'),
    ])
    .groupBy('kind')
    .execute()
}

type OutboxBuilder = ExpressionBuilder<Tables, 'outbox'>

/** Checks whether a row was tried already, or was not to wait when it was put in. */
function isHeldBackByNothing({ eb, ref, or }: OutboxBuilder) {
  return or([eb('attempts', '>', 0), eb('next_attempt_at', '<=', ref('created_at'))])
}

export type WaitingMails = { waiting: number; oldest: Instant | null }

/** Returns how many mails wait, and since when the oldest that nothing holds back. */
export async function describeOutbox(db: DbOrTrx): Promise<WaitingMails> {
  return (await describeWaiting(db)).mails
}

/** Describes the outbox like `describeOutbox`, with the numbers of waiting alerts and of unreachable channels. */
export async function describeWaiting(
  db: DbOrTrx,
): Promise<{ mails: WaitingMails; alerts: { waiting: number; unreachable: number } }> {
  const { mails, oldest, alerts, unreachable } = await db
    .selectFrom('outbox')
    .select(({ fn, selectFrom }) => [
      fn.countAll<number>().filterWhere('kind', '=', 'email').as('mails'),
      fn
        .min<Instant | null>('created_at')
        .filterWhere('kind', '=', 'email')
        .filterWhere(isHeldBackByNothing)
        .as('oldest'),
      fn.countAll<number>().filterWhere('kind', '!=', 'email').as('alerts'),
      selectFrom('alert_channels')
        .select(({ fn: of }) => of.countAll<number>().as('count'))
        .where('unreachable_since', 'is not', null)
        .as('unreachable'),
    ])
    .executeTakeFirstOrThrow()
  return {
    mails: { waiting: mails, oldest },
    alerts: { waiting: alerts, unreachable: unreachable ?? 0 },
  }
}
