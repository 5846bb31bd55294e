import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import type { Account, QrCode, Tables } from '#db/schema.ts'
import type { Right } from '#domain/people/roles.ts'
import {
  type HeldShare,
  type Holder,
  type Scope,
  sharesFor,
  type Whose,
} from '#domain/people/share.ts'

/** The account that looks at codes, with the shares of other owners. With a parent it can be a child user. */
export type Viewer = Pick<Account, 'id' | 'parent_id'> & { shares?: readonly HeldShare[] }

type Builder = ExpressionBuilder<Tables, 'qr_codes'>

/**
 * Codes of the account: as owner, as the child user who registered them, or by a share of their
 * owner; only those without a share, or only those with one, if `whose` says so.
 */
export function seenBy(viewer: Viewer, whose?: Whose | null) {
  const { id, parent_id, shares } = viewer
  return (eb: Builder): Expression<SqlBool> => {
    if (whose === 'shared') return sharedWith(viewer, 'look')(eb)
    const { owners, others } = sharedCodes(
      { ...viewer, shares: whose ? [] : (shares ?? []) },
      'look',
    )
    const owned =
      owners.length > 0 ? eb('owner_id', 'in', [id, ...owners]) : eb('owner_id', '=', id)
    const child = parent_id === null ? [] : [eb('child_account_id', '=', id)]
    const either = [owned, ...child, ...others(eb)]
    return either.length === 1 ? owned : eb.or(either)
  }
}

/** Codes of other owners on which a share gives the account a right. */
export function sharedWith(viewer: Holder, right: Right) {
  return (eb: Builder): Expression<SqlBool> => {
    const { owners, others } = sharedCodes(viewer, right)
    const ofAll = owners.length > 0 ? [eb('qr_codes.owner_id', 'in', owners)] : []
    return eb.or([...ofAll, ...others(eb)])
  }
}

/** The owners who share all their codes, and conditions for the codes of other owners. */
function sharedCodes(viewer: Holder, right: Right) {
  const shares = sharesFor(viewer, right)
  const ofAll = shares.filter(({ company_fleet_name, code_id }) => !company_fleet_name && !code_id)
  return {
    owners: ofAll.map(({ owner_id }) => owner_id),
    others: (eb: Builder) => [
      ...ofScopes(eb, shares, { scope: 'company_fleet_name', column: 'company_fleet_name' }),
      ...ofScopes(eb, shares, { scope: 'code_id', column: 'id' }),
    ],
  }
}

type Named = { scope: keyof Scope; column: keyof QrCode }

/** Codes of the companies, or with the ids, of these shares. With another owner a code is not shared any more. */
function ofScopes(eb: Builder, shares: readonly HeldShare[], { scope, column }: Named) {
  const among = shares.filter((share) => share[scope] !== null)
  if (among.length === 0) return []
  // While a claimer holds a code, its company is the claimer's word.
  const known = scope === 'company_fleet_name' ? [eb('qr_codes.claimed_at', 'is', null)] : []
  const [owner, named] = [eb.ref('qr_codes.owner_id'), eb.ref(`qr_codes.${column}`)]
  const [one, ...others] = among as [HeldShare, ...HeldShare[]]
  if (others.length === 0)
    return [eb.and([eb(owner, '=', one.owner_id), eb(named, '=', one[scope]), ...known])]
  const share = eb
    .selectFrom('shares')
    .select('shares.id')
    .where(
      'shares.id',
      'in',
      among.map(({ id }) => id),
    )
    .whereRef('shares.owner_id', '=', 'qr_codes.owner_id')
    .whereRef(`shares.${scope}`, '=', `qr_codes.${column}`)
  const owners = among.map(({ owner_id }) => owner_id)
  return [
    eb.and([
      eb(owner, 'in', owners),
      eb(
        named,
        'in',
        among.map((each) => each[scope]),
      ),
      eb.exists(share),
      ...known,
    ]),
  ]
}

/** Some of the codes that an account sees, with their owners where it sees them by a share. */
export type Part = { sharedBy: string[]; isIn: (eb: Builder) => Expression<SqlBool> }

/** Parts of one owner each; the codes of more owners are one part, because SQLite joins at most 500. */
const MOST_PARTS = 40

/**
 * Returns the codes of an account in parts without a code in common. An index has each part in order, so that the
 * first codes of all are found without reading and sorting the others.
 */
export function partsOf({ shares = [], ...viewer }: Viewer): Part[] {
  const { id, parent_id } = viewer
  const isOwn: Part['isIn'] = (eb) => eb('qr_codes.owner_id', '=', id)
  const isChild: Part['isIn'] = (eb) =>
    eb.and([eb('child_account_id', '=', id), eb('qr_codes.owner_id', '<>', id)])
  const own = parent_id === null ? [isOwn] : [isOwn, isChild]
  const each = shares.slice(0, MOST_PARTS).map((share) => [share])
  const groups = [...each, shares.slice(MOST_PARTS)].filter(({ length }) => length > 0)
  const shared = groups.map((group) => {
    const isShared = sharedWith({ ...viewer, shares: group }, 'look')
    const isOther: Part['isIn'] = (eb) => eb('child_account_id', 'is distinct from', id)
    return {
      sharedBy: group.map(({ owner_id }) => owner_id),
      isIn: parent_id ? (eb: Builder) => eb.and([isShared(eb), isOther(eb)]) : isShared,
    }
  })
  return [...own.map((isIn) => ({ sharedBy: [], isIn })), ...shared]
}

/** Returns the codes of an account to select from, as the table of codes. */
export function seenCodes(db: DbOrTrx, viewer: Viewer, whose?: Whose | null) {
  const isMine = ({ sharedBy }: Part) => sharedBy.length === 0
  const parts = partsOf(viewer).filter((part) => !whose || isMine(part) === (whose === 'mine'))
  const isNothing: Part['isIn'] = (eb) => eb.or([])
  const [first, ...others] = (parts.length > 0 ? parts : [{ isIn: isNothing }]).map(({ isIn }) =>
    db.selectFrom('qr_codes').selectAll('qr_codes').where(isIn),
  ) as [SelectQueryBuilder<Tables, 'qr_codes', QrCode>]
  const all = others.reduce((before, next) => before.unionAll(next), first)
  return all.as('qr_codes') as unknown as 'qr_codes'
}
