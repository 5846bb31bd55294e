import { createPageReport } from '#db/conversations/page-reports.ts'
import { reportConversation } from '#db/conversations/reports.ts'
import { insertPopupImage } from '#db/papers/popup-images.ts'
import type { Account } from '#db/schema.ts'
import type { Report } from '#domain/conversations/report.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { storedName } from '#tests/support/things.ts'

export const FRAUD: Report = { reason: 'fraud', text: 'It asks to pay first.' }

/** Opens an owner's page with an image, and the staff who decide its reports. */
export async function openReports() {
  const app = await openTestApp()
  const { db, deps } = app
  const owner = await app.signUp({ name: 'Ravi Menon' })
  const moderator = await app.signUp({ name: 'Kavita Joshi', role: 'moderator' })
  const admin = await app.signUp({ name: 'Nandini Rao', role: 'admin' })
  const { qr_id } = await insertCode(db, owner.id, { public_message: 'Pay first.' })
  const image = await insertImage(app, owner)
  const reportPage = async (report = FRAUD) =>
    (await createPageReport(db, qr_id, report, deps.clock())).id
  /** A report of the owner about what a finder wrote. */
  const reportTalk = async (text = 'I wait for you.') => {
    const about = { account_id: owner.id, qr_id }
    const { id } = await insertConversation(db, about, { messages: [{ text }], place: 'Level B2' })
    const report = { reason: 'threat', text: 'He waits for me.' } as const
    await reportConversation(db, owner, id, report, deps.clock())
    const row = await db
      .selectFrom('reports')
      .select('id')
      .where('conversation_id', '=', id)
      .executeTakeFirstOrThrow()
    return row.id
  }
  return { ...app, owner, moderator, admin, qr_id, image, reportPage, reportTalk }
}

/** An active popup image without its file. */
export async function insertImage(
  { db, deps }: Pick<TestApp, 'db' | 'deps'>,
  { id }: Pick<Account, 'id'>,
) {
  const stored_name = storedName('webp')
  const file = { file_name: 'pay.webp', stored_name, file_size: 1, width: 1, height: 1 }
  return insertPopupImage(db, { ownerId: id }, file, deps.clock())
}
