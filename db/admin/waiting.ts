import type { NotNull } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { openReports } from '#db/conversations/moderated-reports.ts'
import { pendingOf } from '#db/plans/decisions.ts'
import { countOpenTickets } from '#db/tickets/tickets.ts'

export type WaitingForAdmins = {
  redemptions: number
  upgrades: number
  reports: number
  tickets: number
}

/** Counts the items that wait for admins. Every tab of the management page asks, so it is one statement. */
export async function countWaitingForAdmins(db: DbOrTrx): Promise<WaitingForAdmins> {
  return db
    .selectNoFrom([
      pendingOf(db, 'promo_redemptions').as('redemptions'),
      pendingOf(db, 'upgrade_requests').as('upgrades'),
      openReports(db).as('reports'),
      countOpenTickets(db).as('tickets'),
    ])
    .$narrowType<{ redemptions: NotNull; upgrades: NotNull; reports: NotNull; tickets: NotNull }>()
    .executeTakeFirstOrThrow()
}
