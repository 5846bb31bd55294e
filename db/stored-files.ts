import { sql } from 'kysely'
import { fromFlag } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { sharedWith, type Viewer } from '#db/codes/seen-by.ts'
import { closedUntil } from '#db/families/reset-questions.ts'
import { isOpenDocument } from '#db/papers/document-access.ts'
import { type Document, toDocument } from '#db/papers/documents.ts'
import { ownersFor } from '#domain/people/acting.ts'
import { handlesPapersOf } from '#domain/people/share.ts'

type StoredDocument = Pick<Document, 'id' | 'qr_id' | 'document_type' | 'document_side'>

/** The name of a finder's photo when it is saved. */
export const PHOTO_FILE = 'photo.webp'

/** The owner of a stored file, its name, and whether everybody may open it. */
export type FileRecord = {
  account_id: string
  file_name: string
  is_open: boolean
  /** whether admins, who decide upgrades and answer tickets, may open it too */
  for_admins?: true
  /** a popup image: moderators may have a hidden one too, if it `isReported` */
  for_moderators?: true
  /** of a conversation or a ticket, which API keys may not read */
  is_of_conversation?: true
  /** of a finder's photo: the people of its owner may have it too */
  conversation_id?: string
  /** the document of this file; thumbnails and other files have none */
  document: StoredDocument | undefined
  /** the code of a document or its thumbnail */
  qr_id?: string
}

/** Returns the record of a file's row; undefined when there is no row or the document is locked. */
export async function findFileRecord(db: DbOrTrx, name: string): Promise<FileRecord | undefined> {
  for (const find of FINDERS) {
    const record = await find(db, name)
    if (record) return record
  }
  return undefined
}

const FINDERS = [
  findDocumentFile,
  findPopupImageFile,
  findScreenshot,
  findPhoto,
  findAttachment,
  findLogo,
]

async function findDocumentFile(db: DbOrTrx, name: string): Promise<FileRecord | undefined> {
  const row = await db
    .selectFrom('documents')
    .selectAll()
    .select((eb) => isOpenDocument(eb).as('is_open'))
    .where((eb) => eb.or([eb('stored_name', '=', name), eb('thumbnail_name', '=', name)]))
    .where('is_locked', '=', 0)
    .executeTakeFirst()
  if (!row) return undefined
  const { is_open, ...stored } = row
  const { account_id, file_name } = stored
  const document = stored.stored_name === name ? toDocument(stored) : undefined
  return { account_id, file_name, is_open: Boolean(is_open), document, qr_id: stored.qr_id }
}

/** Returns whether somebody handles a stored document or popup image for the owner who shares it. */
export async function isHandled(
  db: DbOrTrx,
  viewer: Viewer,
  { account_id, qr_id, for_moderators }: FileRecord,
): Promise<boolean> {
  if (for_moderators) return ownersFor(viewer, 'images').some(({ id }) => id === account_id)
  if (!qr_id || !handlesPapersOf(viewer, account_id)) return false
  const row = await db
    .selectFrom('qr_codes')
    .select('id')
    .where('qr_id', '=', qr_id)
    .where('owner_id', '=', account_id)
    .where(sharedWith(viewer, 'papers'))
    .executeTakeFirst()
  return row !== undefined
}

async function findPopupImageFile(db: DbOrTrx, name: string): Promise<FileRecord | undefined> {
  const row = await db
    .selectFrom('popup_images')
    .innerJoin('accounts', 'accounts.id', 'popup_images.account_id')
    .select(['account_id', 'file_name', 'popup_images.is_active'])
    .select('accounts.is_active as owner_is_active')
    .where('stored_name', '=', name)
    .executeTakeFirst()
  if (!row) return undefined
  const { account_id, file_name, is_active, owner_is_active } = row
  const is_open = fromFlag(is_active) && fromFlag(owner_is_active)
  return { account_id, file_name, is_open, for_moderators: true, document: undefined }
}

/**
 * Codes whose pages show a file: that of a document, or for a popup image one of each account that issued
 * codes of its owner.
 */
export async function listCodesOfFile(
  db: DbOrTrx,
  { qr_id, account_id }: FileRecord,
): Promise<string[]> {
  if (qr_id) return [qr_id]
  const rows = await db
    .selectFrom('qr_codes')
    .select(({ fn }) => fn.min('qr_id').as('qr_id'))
    .where('owner_id', '=', account_id)
    .where('claimed_at', 'is', null)
    .groupBy('created_by')
    .execute()
  return rows.map((row) => row.qr_id)
}

/** Returns whether a finder reported a page that showed this image. It reads all reports. */
export async function isReported(db: DbOrTrx, name: string): Promise<boolean> {
  const report = await db
    .selectFrom('reports')
    .select('id')
    .where('kind', '=', 'page')
    .where('snapshot', 'like', `%"${name}"%`)
    .limit(1)
    .executeTakeFirst()
  return report !== undefined
}

/** Only the payer, and admins who decide the upgrade, may open a payment screenshot. */
async function findScreenshot(db: DbOrTrx, name: string): Promise<FileRecord | undefined> {
  const row = await db
    .selectFrom('upgrade_requests')
    .select('account_id')
    .where('screenshot_name', '=', name)
    .executeTakeFirst()
  return (
    row && {
      ...row,
      file_name: 'payment.webp',
      is_open: false,
      for_admins: true,
      document: undefined,
    }
  )
}

/** A finder's photo, for the code's user; the finder gets it by the token of the conversation. */
async function findPhoto(db: DbOrTrx, name: string): Promise<FileRecord | undefined> {
  const row = await db
    .selectFrom('conversations')
    .select(['id', 'account_id', 'created_at'])
    .where((eb) => eb.or([eb('photo_name', '=', name), eb('photo_thumbnail_name', '=', name)]))
    .executeTakeFirst()
  if (!row) return undefined
  const { id: conversation_id, account_id, created_at } = row
  const closed = await closedUntil(db, account_id)
  if (closed !== undefined && created_at <= closed) return undefined
  const shared = { is_open: false, is_of_conversation: true } as const
  return { account_id, conversation_id, ...shared, file_name: PHOTO_FILE, document: undefined }
}

/** Finds the attachment of a ticket's message, for its customer and admins. */
async function findAttachment(db: DbOrTrx, name: string): Promise<FileRecord | undefined> {
  const row = await db
    .selectFrom('conversation_attachments')
    .innerJoin('conversation_messages', 'conversation_messages.id', 'message_id')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .select(['file_name', 'account_id', 'conversations.created_at'])
    .where((eb) => eb.or([eb('stored_name', '=', name), eb('thumbnail_name', '=', name)]))
    .executeTakeFirst()
  if (!row) return undefined
  const { account_id, file_name, created_at } = row
  const closed = await closedUntil(db, account_id)
  const isClosed = closed !== undefined && created_at <= closed
  const shared = { is_open: false, is_of_conversation: true, for_admins: true } as const
  // Admins still read files that a reset closed to their account.
  return { account_id: isClosed ? '' : account_id, ...shared, file_name, document: undefined }
}

/** A logo as its account uploaded it; pages, labels and mails have it in them. */
async function findLogo(db: DbOrTrx, name: string): Promise<FileRecord | undefined> {
  const row = await db
    .selectFrom('brands')
    .select('account_id')
    .where('logo_file', '=', name)
    .executeTakeFirst()
  return row && { ...row, file_name: 'logo.png', is_open: false, document: undefined }
}

const NAME_COLUMNS = [
  ['documents', 'stored_name'],
  ['documents', 'thumbnail_name'],
  ['popup_images', 'stored_name'],
  ['upgrade_requests', 'screenshot_name'],
  ['conversation_attachments', 'stored_name'],
  ['conversation_attachments', 'thumbnail_name'],
  ['brands', 'logo_file'],
  ['conversations', 'photo_name'],
  ['conversations', 'photo_thumbnail_name'],
] as const

/** Returns all names of stored files in rows. Other files in the folder do not belong to anything. */
export async function listStoredNames(db: DbOrTrx): Promise<string[]> {
  const names = NAME_COLUMNS.map(([table, column]) => {
    const name = sql.ref<string>(column)
    return sql`
      select ${name} as name from ${sql.table(table)} where ${name} is not null`
  })
  const { rows } = await sql<{ name: string }>`${sql.join(names, sql` union all `)}`.execute(db)
  return rows.map(({ name }) => name)
}
