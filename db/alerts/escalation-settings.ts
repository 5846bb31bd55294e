import { byPlace } from '#db/alerts/people.ts'
import { toFlag } from '#db/cast.ts'
import type { DbOrTrx, Trx } from '#db/client.ts'
import type { StepMinutes } from '#domain/alerts/escalation.ts'
import { DomainError } from '#domain/error.ts'
import type { ShareRole } from '#domain/people/roles.ts'

/** A person in the order in which messages are told. */
export type OrderedPerson = {
  account_id: string
  name: string
  role: ShareRole
  /** of the share, if it is of some codes only */
  company_fleet_name: string | null
  qr_id: string | null
  is_at_once: boolean
}

/** The people of an owner in order, that many minutes apart; null while all are told at once. */
export type Escalation = { minutes: StepMinutes | null; people: OrderedPerson[] }

/** A part that is not named stays as it is. People that `order` leaves out stand behind the others. */
export type EscalationChange = {
  minutes?: StepMinutes | null | undefined
  order?: string[] | undefined
  at_once?: string[] | undefined
}

/** Returns the order in which an owner's people are told. Those that were added last stand at its end. */
export async function getEscalation(db: DbOrTrx, ownerId: string): Promise<Escalation> {
  const people = await listOrder(db, ownerId)
  if (people.length === 0) return { minutes: null, people: [] }
  const row = await db
    .selectFrom('escalations')
    .select('minutes')
    .where('account_id', '=', ownerId)
    .executeTakeFirst()
  return {
    minutes: (row?.minutes as StepMinutes | undefined) ?? null,
    people: people.map(({ share_id: _, place: __, person_id, is_at_once, ...person }) => ({
      ...person,
      account_id: person_id as string,
      is_at_once: is_at_once === 1,
    })),
  }
}

async function listOrder(db: DbOrTrx, ownerId: string) {
  const rows = await db
    .selectFrom('shares')
    .innerJoin('accounts', 'accounts.id', 'shares.person_id')
    .leftJoin('escalation_places', 'escalation_places.share_id', 'shares.id')
    .leftJoin('qr_codes', 'qr_codes.id', 'shares.code_id')
    .select(['shares.id as share_id', 'person_id', 'accounts.name', 'shares.role'])
    .select(['shares.company_fleet_name', 'qr_codes.qr_id', 'place', 'is_at_once'])
    .where('shares.owner_id', '=', ownerId)
    .orderBy('shares.created_at')
    .orderBy('shares.id')
    .execute()
  return rows.sort(byPlace)
}

/**
 * Changes the order as a step of a transaction. Throws invalid for an account that is none of the owner's people,
 * or is named twice.
 */
export async function changeEscalation(
  trx: Trx,
  ownerId: string,
  { minutes, order, at_once }: EscalationChange,
): Promise<void> {
  if (minutes !== undefined) await putMinutes(trx, ownerId, minutes)
  if (!order && !at_once) return
  const people = await listOrder(trx, ownerId)
  const ids = people.map(({ person_id }) => person_id)
  for (const named of [order ?? [], at_once ?? []]) {
    const isRight = named.every((id) => ids.includes(id)) && new Set(named).size === named.length
    if (!isRight) throw new DomainError('invalid.escalation_people')
  }
  // Those that are left out keep their order behind the named ones.
  const named = (order ?? []).map((id) => people.find(({ person_id }) => person_id === id))
  const ordered = [...new Set([...named, ...people])].filter((person) => person !== undefined)
  for (const [place, { share_id, person_id, is_at_once }] of ordered.entries()) {
    const isAtOnce = at_once ? at_once.includes(person_id ?? '') : is_at_once === 1
    const row = { place, is_at_once: toFlag(isAtOnce) }
    await trx
      .insertInto('escalation_places')
      .values({ share_id, ...row })
      .onConflict((each) => each.column('share_id').doUpdateSet(row))
      .execute()
  }
}

async function putMinutes(
  trx: Trx,
  account_id: string,
  minutes: StepMinutes | null,
): Promise<void> {
  await trx.deleteFrom('escalations').where('account_id', '=', account_id).execute()
  if (minutes === null) return
  await trx.insertInto('escalations').values({ account_id, minutes }).execute()
}

/** Returns whether anybody helps an owner. */
export async function hasPeople(db: DbOrTrx, ownerId: string): Promise<boolean> {
  const found = await db
    .selectFrom('shares')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('person_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
