import { expect, test } from 'vitest'
import { insertDocument } from '#db/papers/document-uploads.ts'
import {
  countPoliceViews,
  listAuthorityViews,
  recordDocumentView,
} from '#db/papers/document-views.ts'
import { deleteDocument } from '#db/papers/documents.ts'
import { NOW, openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

const RC = {
  document_type: 'rc_book',
  document_side: 'back',
  is_public: true,
  expires_on: null,
  file_name: 'rc.pdf',
  stored_name: 'a.pdf',
  thumbnail_name: null,
  file_size: 1,
  content_type: 'application/pdf',
  pdf_problem: null,
} as const

async function openWithViews() {
  const { db, connection, signUp } = await openTestApp()
  const owner = await signUp()
  const { qr_id } = await insertCode(db, owner.id)
  const document = await insertDocument(db, owner, qr_id, RC, new Date(NOW))
  await recordDocumentView(db, { qr_id }, new Date(NOW))
  await recordDocumentView(db, { qr_id, document }, new Date(NOW))
  const list = async () => (await listAuthorityViews(db, [qr_id], 10)).get(qr_id)?.recent
  return { db, connection, owner, qr_id, document, list }
}

const LOOKS = expect.arrayContaining([
  { viewed_at: NOW, document: null },
  { viewed_at: NOW, document: { type: 'rc_book', side: 'back' } },
])

test('a view of a document stays in the record when the document is deleted', async () => {
  const { db, owner, qr_id, document, list } = await openWithViews()
  expect(await list()).toEqual(LOOKS)
  await deleteDocument(db, owner, document.id, new Date(NOW))
  expect(await list()).toEqual(LOOKS)
  expect(await countPoliceViews(db, qr_id)).toEqual({ total: 1, last_viewed_at: NOW })
})
