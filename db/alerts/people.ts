import {
  type ExpressionBuilder,
  expressionBuilder,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { isAwakeSql } from '#db/people/held-shares.ts'
import { planNowSql } from '#db/plans/plan-now.ts'
import type { Tables } from '#db/schema.ts'
import { accessTo, isAwake } from '#domain/people/share.ts'

/** A person that the owner of a code shares it with. */
export type Person = {
  accountId: string
  shareId: string
  ownerName: string
  /** hears of messages at once, also where the others hear of them one after another */
  isAtOnce: boolean
  /** chose to hear of scans of shared codes */
  wantsScans: boolean
}

/** The people of a code, in the order in which they hear of messages: that many minutes apart, or null at once. */
export type People = { people: Person[]; minutes: number | null; isLost: boolean }

/**
 * Returns the people that an account shares a code with. Without shares it is one probe of an index. Of a child code
 * only its child user hears of scans and messages.
 */
export async function listPeopleOf(
  db: DbOrTrx,
  { account_id, qr_id }: { account_id: string; qr_id: string },
  now: Date,
): Promise<People> {
  const rows = await db
    .selectFrom('shares')
    .innerJoin('accounts', 'accounts.id', 'shares.owner_id')
    .innerJoin('qr_codes', 'qr_codes.owner_id', 'shares.owner_id')
    .leftJoin('escalation_places', 'escalation_places.share_id', 'shares.id')
    .leftJoin('escalations', 'escalations.account_id', 'shares.owner_id')
    .select(['shares.id as share_id', 'person_id', 'shares.role', 'accounts.name as owner_name'])
    .select(['shares.owner_id', 'shares.company_fleet_name', 'shares.code_id'])
    .select(['qr_codes.id', 'child_account_id', 'lost_since', 'place', 'is_at_once', 'minutes'])
    .select(['qr_codes.company_fleet_name as company', 'claimed_at'])
    .select((eb) => [planNowSql(eb, now).as('plan'), wantsScans(eb).as('wants_scans')])
    .where('shares.owner_id', '=', account_id)
    .where('qr_codes.qr_id', '=', qr_id)
    .where('qr_type', '!=', 'child')
    .where('claimed_at', 'is', null)
    .where('accounts.is_active', '=', 1)
    .where('person_id', 'is not', null)
    .orderBy('shares.created_at')
    .orderBy('shares.id')
    .execute()
  const awake = rows.filter((row, older) => {
    const { person_id, share_id, company, ...of } = row
    const shares = [{ ...of, id: share_id }]
    const code = { ...of, company_fleet_name: company }
    return isAwake(row.plan, older) && accessTo({ id: person_id ?? '', shares }, code)
  })
  return {
    people: awake.sort(byPlace).map((row) => ({
      accountId: row.person_id as string,
      shareId: row.share_id,
      ownerName: row.owner_name,
      isAtOnce: row.is_at_once === 1,
      wantsScans: Boolean(row.wants_scans),
    })),
    minutes: rows[0]?.minutes ?? null,
    isLost: Boolean(rows[0]?.lost_since),
  }
}

type Placed = { place: number | null }

/** Compares two people by their places, of which those that were added later have none. */
export function byPlace(a: Placed, b: Placed): number {
  const last = Number.MAX_SAFE_INTEGER
  return (a.place ?? last) - (b.place ?? last)
}

function wantsScans({ exists, selectFrom }: ExpressionBuilder<Tables, 'shares'>) {
  return exists(
    selectFrom('alert_choices')
      .select('alert_choices.kind')
      .whereRef('alert_choices.account_id', '=', 'shares.person_id')
      .where('alert_choices.is_shared', '=', 1)
      .where('alert_choices.event', '=', 'scan')
      .where('alert_choices.is_on', '=', 1),
  )
}

/** Returns whether a waiting alert still reaches its account: its share may have changed or sleep, or its code. */
export function isStillShared(now: Date): RawBuilder<SqlBool> {
  const isAwakeNow = isAwakeSql(expressionBuilder<Tables, 'shares' | 'accounts'>(), now)
  return sql<SqlBool>`(outbox.share_id is null or exists (select 1 from shares
    inner join accounts on accounts.id = shares.owner_id and accounts.is_active = 1
    where shares.id = outbox.share_id
      and ${isAwakeNow}
      and (outbox.qr_id is null or exists (select 1 from qr_codes
        where qr_codes.qr_id = outbox.qr_id and qr_codes.owner_id = shares.owner_id
          and (shares.code_id is null or shares.code_id = qr_codes.id)
          and (shares.company_fleet_name is null
            or shares.company_fleet_name = qr_codes.company_fleet_name)))))`
}
