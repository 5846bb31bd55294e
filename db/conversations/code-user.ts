import type { DbOrTrx } from '#db/client.ts'
import type { FinderConversationRow, QrCode } from '#db/schema.ts'
import { firstWord } from '#domain/codes/visibility.ts'
import { userOfCode } from '#domain/conversations/rules.ts'

const COLUMNS = [
  'qr_type',
  'owner_id',
  'child_account_id',
  'is_claimed',
  'is_child_registered',
  'claimed_at',
] as const

export const CODE_USER_COLUMNS = COLUMNS.map((name) => `qr_codes.${name}` as const)
export type CodeUserColumns = Pick<QrCode, (typeof COLUMNS)[number]>

/**
 * Returns the account that finders of a code write to, as `userOfCode`; undefined for an inactive or unknown
 * code too, and when the account is blocked.
 */
export async function findUserOfCode(db: DbOrTrx, qrId: string): Promise<string | undefined> {
  const code = await db
    .selectFrom('qr_codes')
    .select(CODE_USER_COLUMNS)
    .where('qr_id', '=', qrId)
    .where('is_active', '=', 1)
    .executeTakeFirst()
  const userId = code && userOfCode(code)
  return userId && (await canAnswer(db, userId)) ? userId : undefined
}

/**
 * Returns whether an account can read and answer messages: a blocked one cannot sign in, nor one that waits for
 * its guardian.
 */
export async function canAnswer(db: DbOrTrx, accountId: string): Promise<boolean> {
  const account = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('is_active', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('guardian_waits')
            .select('account_id')
            .whereRef('guardian_waits.account_id', '=', 'accounts.id'),
        ),
      ),
    )
    .executeTakeFirst()
  return account !== undefined
}

type CodeInConversation = Pick<
  QrCode,
  | 'qr_id'
  | 'thing'
  | 'vehicle_registration'
  | 'owner_name'
  | 'contact_phone'
  | 'contact_number'
  | 'lost_since'
>

/** Returns the code of a conversation while the code still belongs to the account of the conversation. */
export async function findCodeOf(
  db: DbOrTrx,
  { qr_id, account_id }: Pick<FinderConversationRow, 'qr_id' | 'account_id'>,
): Promise<CodeInConversation | undefined> {
  const code = await db
    .selectFrom('qr_codes')
    .select(CODE_USER_COLUMNS)
    .select(['qr_id', 'thing', 'vehicle_registration', 'owner_name', 'contact_phone'])
    .select(['contact_number', 'lost_since'])
    .where('qr_id', '=', qr_id)
    .executeTakeFirst()
  return code && userOfCode(code) === account_id ? code : undefined
}

export const SHOWN_COLUMNS = [
  ...CODE_USER_COLUMNS,
  'qr_codes.vehicle_registration',
  'qr_codes.owner_name',
  'qr_codes.show_vehicle',
] as const
type ShownColumns = CodeUserColumns &
  Pick<QrCode, 'vehicle_registration' | 'owner_name' | 'show_vehicle'>

/** Stands for the thing with a code that belongs to another account now. */
export const THING_OF_OTHERS = 'other'

export const NOTHING_SHOWN = { owner_name: null, vehicle_registration: null }

/**
 * Returns the id by which the account of a conversation knows its code. One that was given after somebody else got
 * the code is none of its business.
 */
export function knownIdOf(
  { qr_id, replaced_id }: Pick<FinderConversationRow, 'qr_id' | 'replaced_id'>,
  isOwn: boolean,
): string {
  return isOwn ? qr_id : (replaced_id ?? qr_id)
}

/**
 * Returns the parts of the code that the finder of a conversation sees: none when it belongs to
 * another account now.
 */
export function shownOfCode(code: ShownColumns, account_id: string) {
  if (userOfCode(code) !== account_id) return NOTHING_SHOWN
  return {
    owner_name: firstWord(code.owner_name),
    vehicle_registration: code.show_vehicle ? code.vehicle_registration : null,
  }
}

/** A code whose user can be alerted, and how they know it. */
export type AlertedCode = Pick<QrCode, 'qr_id' | 'vehicle_registration' | 'owner_name'> & {
  accountId: string
}

/** Finds the user of a code like `findUserOfCode`, with the code's name for alerts. */
export async function findAlertedCode(db: DbOrTrx, qrId: string): Promise<AlertedCode | undefined> {
  const accountId = await findUserOfCode(db, qrId)
  const code = await db
    .selectFrom('qr_codes')
    .select(['qr_id', 'vehicle_registration', 'owner_name'])
    .where('qr_id', '=', qrId)
    .executeTakeFirst()
  return accountId && code ? { ...code, accountId } : undefined
}
