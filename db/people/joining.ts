import type { Db } from '#db/client.ts'
import { type Accepting, insertInvited } from '#db/invitations/acceptance.ts'
import { spendInvitation } from '#db/invitations/invitations.ts'
import type { Notify } from '#db/outbox.ts'
import { type Answered, getShareInvitation, joinPerson } from '#db/people/invitations.ts'
import type { Account } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { assertAdmitted } from '#domain/accounts/admission.ts'

/**
 * Creates the account of an invited person, who helps with it at once. A mailed link verifies the address. Throws
 * not_found for a link that does not work, conflict for a taken address, plan_limit above the number of people of
 * the owner, and forbidden where the operator's rule refuses.
 */
export async function joinWithAccount(
  db: Db,
  { token, rule, ...registration }: Accepting,
  now: Date,
  notify: Notify<Answered>,
): Promise<Account> {
  return inTransaction(db, async (trx) => {
    const invitation = await getShareInvitation(trx, token, now)
    assertAdmitted(rule, 'share', invitation.email)
    const person = await insertInvited(trx, invitation, registration, now)
    await spendInvitation(trx, undefined, { id: person.id, email: invitation.email }, now)
    await joinPerson(trx, { invitation, person }, token, now)
    await notify(trx, { invitation, person })
    return person
  })
}
