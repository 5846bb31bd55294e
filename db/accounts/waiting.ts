import type { NotNull } from 'kysely'
import { endedAccess } from '#db/accounts/ended-access.ts'
import type { DbOrTrx } from '#db/client.ts'
import { offersOf } from '#db/codes/claim-offers.ts'
import { unreadOf } from '#db/conversations/unread.ts'
import { wardsOf } from '#db/families/guardians.ts'
import { pendingResets } from '#db/families/password-resets.ts'
import type { Holder } from '#domain/people/share.ts'

/**
 * `ended` is how often something ended that the account has not read of, `wards` how many child users wait
 * for their guardian, `offers` how many codes were claimed with its address.
 */
export type Waiting = {
  resets: number
  conversations: number
  ended: number
  wards: number
  offers: number
}

/** Counts the items that wait for an account. Every tab of the dashboard asks, so it is one statement. */
export async function countWaiting(db: DbOrTrx, viewer: Holder): Promise<Waiting> {
  const { id: accountId } = viewer
  return db
    .selectNoFrom([
      pendingResets(db, accountId).as('resets'),
      unreadOf(db, viewer).as('conversations'),
      endedAccess(db, accountId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('ended'),
      wardsOf(db, accountId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('wards'),
      offersOf(db, accountId)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('offers'),
    ])
    .$narrowType<{
      resets: NotNull
      conversations: NotNull
      ended: NotNull
      wards: NotNull
      offers: NotNull
    }>()
    .executeTakeFirstOrThrow()
}
