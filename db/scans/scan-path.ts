import { BRAND_BY_CODE, BRAND_COLUMNS, topOf } from '#db/brands/resolve-brand.ts'
import type { Answer, Popup } from '#db/scans/popups.ts'
import type { Flag, QrCode, Scan } from '#db/schema.ts'
import type { BrandOwnerColumns } from '#domain/brands/brand.ts'
import { NO_QR_FIELDS } from '#domain/codes/qr.ts'

/** A code, with everything else that its scan page needs. */
export type ScannedCode = QrCode &
  BrandOwnerRow & {
    /** the account of the issuer, or the one above it */
    issuer_id: string | null
    /** how many active images finders see; none while a claimer holds the code */
    popup_images: number
    /** of the account of its child user, or of its owner */
    user_is_active: Flag | null
    /** whether its child user waits for the guardian */
    awaits_guardian: Flag
    /** whether anybody may want to hear of its scans */
    alerts_of_scans: Flag
    /** set for a code that was found by an id that it had before: the one that it has now */
    replaced_by?: string
  }
/** The brand of a code and the account that has it; null while a claimer without an account holds the code. */
export type BrandOwnerRow = BrandOwnerColumns & { brand_owner_id: string | null }
export type NewScan = Pick<Scan, 'qr_id' | 'device' | 'referrer'> & {
  /** the replaced id that was scanned */
  replaced_id?: string | undefined
}

/** The database access of strangers' scans: prepared statements, without Kysely. */
export type ScanPath = {
  /** The code of a well-formed id, also when it is inactive. */
  find(qrId: string): Answer<ScannedCode | undefined>
  /** The code that had a well-formed id before, as `asReplaced`. Only asked when `find` finds none. */
  findReplaced(qrId: string): Answer<ScannedCode | undefined>
  /** Finds the account whose verified domain is this host, on any plan. */
  findHost(host: string): Answer<BrandOwnerRow | undefined>
  /** Checks whether a picture or label of a code was made with an account's domain. */
  isPrinted(qrId: string, accountId: string): Answer<boolean>
  /**
   * Lists the popup in front of the contact page: the owner's active images, unless the owner is
   * blocked, and the active messages. Changes by other processes are seen after five seconds.
   */
  listPopup(code: ScannedCode): Promise<Popup>
  /** Makes the next `listPopup` query the database. */
  forgetPopups(): void
  /** Resolves when the scan is on the disk; rejects when it is not counted. */
  record(scan: NewScan): Promise<void>
  /** Writes the waiting scans. */
  close(): Answer<void>
}

/** The statement of a `ScannedCode`, up to its condition. */
export const SELECT_CODE = `
  select qr_codes.*,
    (select count(*) from popup_images
      where account_id = qr_codes.owner_id and is_active = 1
        and qr_codes.claimed_at is null) as popup_images,
    (select is_active from accounts
      where id = coalesce(qr_codes.child_account_id, qr_codes.owner_id)) as user_is_active,
    case when exists (select 1 from guardian_waits
      where account_id = qr_codes.child_account_id) then 1 else 0 end as awaits_guardian,
    case when lost_since is not null or exists (select 1 from alert_choices
      where account_id = coalesce(qr_codes.child_account_id, qr_codes.owner_id)
        and is_shared = 0 and event = 'scan' and is_on = 1)
      or exists (select 1 from shares
        inner join alert_choices on alert_choices.account_id = shares.person_id
        where shares.owner_id = qr_codes.owner_id
          and is_shared = 1 and event = 'scan' and is_on = 1) then 1 else 0 end as alerts_of_scans,
    (select ${topOf('issuer')} from accounts as issuer
      where issuer.id = qr_codes.created_by) as issuer_id,
    ${BRAND_COLUMNS}
  from qr_codes ${BRAND_BY_CODE}`

/** Returns the statement of an account's active images; `accountId` is a placeholder. */
export function selectImages(accountId: string): string {
  return `select id, stored_name, width, height from popup_images
    where account_id = ${accountId} and is_active = 1
      and exists (select * from accounts where accounts.id = account_id and accounts.is_active = 1)
    order by uploaded_at desc, id`
}

/** Selects each active message once for each of its texts. */
export const SELECT_MESSAGES = `
  select id, admin_messages.title, admin_messages.content, lang,
    admin_message_texts.title as title_in, admin_message_texts.content as content_in
  from admin_messages left join admin_message_texts on message_id = id
  where is_active = 1 order by created_at desc, id`

/** The details of a code for a person with a replaced tag of it. */
export const NO_DETAILS = {
  ...NO_QR_FIELDS,
  contact_number: null,
  emergency_number: null,
  pin_hash: null,
  lost_since: null,
  lost_note: null,
  lost_reward: null,
}

/**
 * Returns a code as its pages see it by an id that it had before: under that id, and without any of
 * its details, so that none can be shown.
 */
export function asReplaced(code: ScannedCode, replacedId: string): ScannedCode {
  const { qr_id: replaced_by } = code
  return { ...code, ...NO_DETAILS, qr_id: replacedId, replaced_by, popup_images: 0 }
}

/** The longest time that a finder waits while the database is busy or unreachable. */
export const LONGEST_BUSY_MS = 3_000

/** A scan that is not on the disk yet. */
export type WaitingScan = { scan: NewScan; resolve: () => void; reject: (error: unknown) => void }

/** Hears how many scans were committed together. */
export type NoteCommit = (scans: number) => void

/** Settles each scan of a committed batch by whether it was counted. */
export function settleScans(
  batch: WaitingScan[],
  counted: boolean[],
  noteCommit: NoteCommit = () => {},
): void {
  let scans = 0
  batch.forEach(({ scan, resolve, reject }, i) => {
    if (counted[i]) {
      scans++
      resolve()
    } else reject(new Error(`${scan.qr_id} is no longer there`))
  })
  noteCommit(scans)
}
