import { toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { selectAwaitsGuardian, selectUserIsActive } from '#db/codes/code-user.ts'
import { NO_DETAILS } from '#db/scans/scan-path.ts'
import type { Flag, QrCode } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { isHeldByClaimer } from '#domain/codes/claim.ts'
import { shownNumber } from '#domain/codes/phones.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import type { Report } from '#domain/conversations/report.ts'
import { toPublicScan } from '#domain/scans/public-scan.ts'
import { scanState } from '#domain/scans/scan.ts'

type Shown = Omit<ReturnType<typeof toPublicScan>, 'qr_id' | 'is_active'>

/** A page as finders saw it when it was reported, without anything that they could not see. */
export type PageSnapshot = {
  /** `is_replaced`: it was the page of a tag that was replaced */
  fields: Shown & { is_replaced?: true }
  images: { id: string; stored_name: string }[]
  messages: { id: string; title: string; content: string }[]
  /** a claimer without an account wrote it, and the account that issued the code does not answer for it */
  is_claimers?: true
}

/**
 * Reports the page of a code with its present content, by any of its ids. Throws not_found for a
 * code without a page. Keeps an existing report with the same id: its form was sent again.
 */
export async function createPageReport(
  db: Db,
  qrId: string,
  { reason, text }: Report,
  now: Date,
  id = randomId(),
): Promise<{ id: string }> {
  return inTransaction(db, async (trx) => {
    const code = await findContactPage(trx, qrId)
    if (!code) throw qrNotFound()
    await trx
      .insertInto('reports')
      .values({
        id,
        kind: 'page',
        reason,
        text,
        qr_id: code.qr_id,
        account_id: code.child_account_id ?? code.owner_id,
        conversation_id: null,
        snapshot: JSON.stringify({
          ...(code.qr_id === qrId ? await snapshotOf(trx, code) : snapshotOfReplaced(code)),
          ...(isHeldByClaimer(code) && { is_claimers: true }),
        } satisfies PageSnapshot),
        status: 'open',
        action: null,
        created_at: toInstant(now),
        decided_by: null,
        decided_at: null,
      })
      .onConflict((earlier) => earlier.column('id').doNothing())
      .execute()
    return { id }
  })
}

type Page = QrCode & { user_is_active: Flag | null; awaits_guardian: number }

async function findContactPage(trx: Trx, qrId: string): Promise<Page | undefined> {
  const code = await trx
    .selectFrom('qr_codes')
    .selectAll()
    .select([selectUserIsActive, selectAwaitsGuardian])
    .where(({ eb, or, selectFrom }) => {
      const replaced = selectFrom('replaced_ids')
        .select('code_id')
        .where('replaced_ids.qr_id', '=', qrId)
      return or([eb('qr_id', '=', qrId), eb('id', 'in', replaced)])
    })
    .executeTakeFirst()
  const state = scanState(code, { accountId: undefined, preview: false })
  return state === 'contact' ? code : undefined
}

function shownOf(code: Page): Shown {
  const { qr_id: _, is_active: __, ...fields } = toPublicScan(code)
  const { contact_phone, emergency_contact_phone } = fields
  return {
    ...fields,
    contact_phone: contact_phone && shownNumber(contact_phone, code.contact_number),
    emergency_contact_phone:
      emergency_contact_phone && shownNumber(emergency_contact_phone, code.emergency_number),
  }
}

/** Returns a snapshot without details: the old tag shows none, so moderators see none. */
function snapshotOfReplaced(code: Page): PageSnapshot {
  const fields = { ...shownOf({ ...code, ...NO_DETAILS }), is_replaced: true } as const
  return { fields, images: [], messages: [] }
}

async function snapshotOf(trx: Trx, code: Page): Promise<PageSnapshot> {
  // Selects images like the page does, whose statements belong to the scan path.
  const images = isHeldByClaimer(code)
    ? []
    : await trx
        .selectFrom('popup_images')
        .innerJoin('accounts', 'accounts.id', 'popup_images.account_id')
        .select(['popup_images.id', 'stored_name'])
        .where('account_id', '=', code.owner_id)
        .where('popup_images.is_active', '=', 1)
        .where('accounts.is_active', '=', 1)
        .orderBy('uploaded_at', 'desc')
        .orderBy('popup_images.id')
        .execute()
  const messages = await trx
    .selectFrom('admin_messages')
    .select(['id', 'title', 'content'])
    .where('is_active', '=', 1)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return { fields: shownOf(code), images, messages }
}
