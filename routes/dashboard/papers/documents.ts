import { Hono } from 'hono'
import { uploadDocumentTo } from '#actions/papers/uploads.ts'
import { changeDocument, deleteDocument, setAllVisibility } from '#db/papers/documents.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { readPlace, tabHref } from '#domain/dashboard.ts'
import { DomainError } from '#domain/error.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { removeFiles } from '#routes/_http/downloads.ts'
import { perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import type { Done } from '#routes/dashboard/_done.ts'
import { documentEndDialog } from '#routes/dashboard/papers/_document-dialogs.tsx'
import { renderDocuments } from '#routes/dashboard/papers/_documents.tsx'
import { warningDialog } from '#routes/dashboard/papers/_publish-dialogs.tsx'
import { answerShare } from '#routes/dashboard/papers/_share-form.ts'
import {
  documentReplaceDialog,
  documentUploadDialog,
} from '#routes/dashboard/papers/_upload-dialogs.tsx'

/** The forms of the Documents tab; they call the same actions as the API. */
export const documentForms = new Hono<AppEnv>().use(signedIn)

const UPLOADED = {
  none: 'document-uploaded',
  password: 'document-with-password',
  no_page: 'document-without-page',
} as const

documentForms.post('/upload', (c) => {
  const account = requireAccount(c)
  let typed: Record<string, string> = {}
  const { replaces } = c.req.query()
  const placeOf = (sent: Record<string, string>) => {
    typed = sent
    if (!sent.qr_id) throw new DomainError('invalid.code_missing')
    return { qrId: requireQrId(sent.qr_id), replaces }
  }
  return perform(c, {
    act: () => uploadDocumentTo(loggedDeps(c), account, placeOf, uploadFrom(c, account)),
    done: ({ pdf_problem }) => redirectDone(c, UPLOADED[pdf_problem ?? 'none']),
    refused: async ({ message }) => {
      const state = { typed, form_key: typed.form_key, message }
      const dialog = replaces
        ? await documentReplaceDialog(c, account, replaces, state)
        : await documentUploadDialog(c, account, state)
      return renderDocuments(c, account, { dialog })
    },
  })
})

documentForms.post('/:id/visibility', async (c) => {
  const account = requireAccount(c)
  const id = c.req.param('id')
  const { is_public, among } = await readVisibility(c)
  // The question's own form names the document.
  const isAsked = among?.includes(id)
  const dialog = is_public && !isAsked ? await warningDialog(c, account, id) : undefined
  if (dialog) return renderDocuments(c, account, { dialog })
  await changeDocument(c.var.deps.db, account, id, { is_public }, c.var.deps.clock())
  return redirectDone(c, is_public ? 'document-shown' : 'document-hidden', `public-${id}`)
})

documentForms.post('/:id/end', async (c) => {
  const account = requireAccount(c)
  const id = c.req.param('id')
  const { form } = await readForm(c)
  const expires_on = form.no_end ? null : (form.expires_on ?? null)
  return perform(c, {
    act: () => changeDocument(c.var.deps.db, account, id, { expires_on }, c.var.deps.clock()),
    done: () => redirectDone(c, 'document-end', `document-${id}`),
    refused: async ({ message }) => {
      const state = { typed: form, problem: message }
      return renderDocuments(c, account, { dialog: await documentEndDialog(c, account, id, state) })
    },
  })
})

documentForms.post('/:id/share', (c) =>
  answerShare(c, 'documents', (_, account, dialog) => renderDocuments(c, account, { dialog })),
)

documentForms.post('/codes/:qr_id/visibility', async (c) => {
  const account = requireAccount(c)
  const qr_id = requireQrId(c.req.param('qr_id'))
  const { db, clock } = c.var.deps
  const { is_public, among, undo } = await readVisibility(c)
  const wanted = { isPublic: is_public, among }
  const { changed } = await setAllVisibility(db, account, qr_id, wanted, clock())
  // The choices of before are in this answer alone, so it is no redirect.
  if (changed.length > 0 && !undo) {
    return renderDocuments(c, account, { changed: { qr_id, is_public, ids: changed } })
  }
  const done = is_public ? 'documents-shown' : 'documents-hidden'
  return redirectDone(c, undo ? 'documents-undone' : done, `all-${qr_id}`)
})

documentForms.post('/:id/delete', async (c) => {
  const { db, clock } = c.var.deps
  const id = c.req.param('id')
  await removeFiles(c, await deleteDocument(db, requireAccount(c), id, clock()))
  return redirectDone(c, 'document-deleted')
})

async function readVisibility(c: AppContext) {
  const { is_public, among, undo } = (await readForm(c)).form
  return { is_public: is_public === 'true', among: among?.split(' '), undo }
}

function redirectDone(c: AppContext, done: Done, at = ''): Response {
  return redirectBack(c, tabHref('documents', readPlace(c.req.query())), { done, at })
}
