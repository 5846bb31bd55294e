import { Hono } from 'hono'
import { uploadDocumentTo } from '#actions/papers/uploads.ts'
import { changeDocument, deleteDocument, setAllVisibility } from '#db/papers/documents.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { readPlace, tabHref } from '#domain/dashboard.ts'
import { DomainError } from '#domain/error.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { leadBack, readForm, readSwitch } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { removeFiles } from '#routes/_http/papers/stored-files.ts'
import { sentBy } from '#routes/_http/papers/uploads.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import type { Done } from '#routes/dashboard/_done.ts'
import {
  documentEndDialog,
  documentUploadDialog,
} from '#routes/dashboard/papers/_document-dialogs.tsx'
import { renderDocuments } from '#routes/dashboard/papers/_documents.tsx'

/** The forms of the Documents tab; they call the same actions as the API. */
export const documentForms = new Hono<AppEnv>().use(signedIn)

documentForms.post('/upload', async (c) => {
  const account = requireAccount(c)
  let typed: Record<string, string> = {}
  const codeOf = (sent: Record<string, string>) => {
    typed = sent
    if (!sent.qr_id) throw new DomainError('invalid', 'Please select a QR code')
    return requireQrId(sent.qr_id)
  }
  const uploading = uploadDocumentTo(loggedDeps(c), account, codeOf, sentBy(c, account))
  const refusal = await refusalOf(uploading)
  if (!refusal) return back(c, 'document-uploaded')
  const { message, code } = refusal
  const dialog = await documentUploadDialog(c, account, readPlace(c.req.query()), {
    typed,
    form_key: typed.form_key,
    message,
  })
  return renderDocuments(c, account, { dialog, code })
})

documentForms.post('/:id/visibility', async (c) => {
  const is_public = await readPublic(c)
  const id = c.req.param('id')
  await changeDocument(c.var.deps.db, requireAccount(c).id, id, { is_public })
  return back(c, is_public ? 'document-shown' : 'document-hidden', `public-${id}`)
})

documentForms.post('/:id/end', async (c) => {
  const account = requireAccount(c)
  const id = c.req.param('id')
  const { form } = await readForm(c)
  const expires_on = form.no_end ? null : (form.expires_on ?? null)
  const refusal = await refusalOf(changeDocument(c.var.deps.db, account.id, id, { expires_on }))
  if (!refusal) return back(c, 'document-end', `document-${id}`)
  const { message, code } = refusal
  const dialog = await documentEndDialog(c, account, id, { typed: form, problem: message })
  return renderDocuments(c, account, { dialog, code })
})

documentForms.post('/codes/:qr_id/visibility', async (c) => {
  const isPublic = await readPublic(c)
  const qrId = requireQrId(c.req.param('qr_id'))
  await setAllVisibility(c.var.deps.db, requireAccount(c), qrId, isPublic)
  return back(c, isPublic ? 'documents-shown' : 'documents-hidden', `all-${qrId}`)
})

documentForms.post('/:id/delete', async (c) => {
  await removeFiles(c, await deleteDocument(c.var.deps.db, requireAccount(c).id, c.req.param('id')))
  return back(c, 'document-deleted')
})

async function readPublic(c: AppContext): Promise<boolean> {
  return (await readSwitch(c, 'is_public')) ?? false
}

function back(c: AppContext, done: Done, at = ''): Response {
  return leadBack(c, tabHref('documents', readPlace(c.req.query())), { done, at })
}
