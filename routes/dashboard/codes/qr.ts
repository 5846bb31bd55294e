import { Hono } from 'hono'
import { makingOf } from '#actions/codes/making.ts'
import { deleteQrCode, updateQrCode } from '#db/codes/qr-changes.ts'
import { createQrCode } from '#db/codes/qr-creation.ts'
import { cleanQrFields } from '#domain/codes/qr.ts'
import { formOf, qrFormChanges, readQrForm } from '#domain/codes/qr-form.ts'
import { madeHref, placeHref } from '#domain/dashboard.ts'
import { actFor } from '#domain/people/acting.ts'
import { undoClaimForIssuer } from '#routes/_http/codes/claims.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { removeFiles } from '#routes/_http/downloads.ts'
import { redirectBack } from '#routes/_http/forms.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { deleteDialog, undoClaimDialog } from '#routes/dashboard/codes/_code-dialogs.tsx'
import { createDialog, editDialog, toEditedCode } from '#routes/dashboard/codes/_form-dialogs.tsx'
import { answerQrImage } from '#routes/dashboard/codes/_qr-image.ts'
import {
  keyOf,
  performFields,
  performQr,
  readCodePost,
  readPost,
} from '#routes/dashboard/codes/_qr-post.tsx'

/** The forms that create, edit and delete a code; they call the same verbs as the API. */
export const qrForms = new Hono<AppEnv>().use(signedIn)

qrForms.post('/', async (c) => {
  const post = await readPost(c)
  const { db, secretKey } = c.var.deps
  const form_key = keyOf(post)
  const form = form_key ? { formKey: form_key, secretKey } : undefined
  const owner_id = String(post.form.owner_id ?? '')
  const { ownerId, help } = actFor(post.account, owner_id, 'create')
  const by = { secretKey, ...makingOf(c.var.deps), form, help }
  const fields = cleanQrFields(readQrForm(post.form))
  return performFields(c, post, {
    act: () => createQrCode(db, ownerId, fields, by),
    done: ({ qr_id }) => madeHref(qr_id),
    failed: 'Failed to create QR code',
    again: (state) => createDialog({ c, ...post }, { ...state, form_key, owner_id }),
  })
})

qrForms.post('/:qr_id', async (c) => {
  const post = await readCodePost(c)
  const { account, form, code } = post
  const { db, secretKey, clock } = c.var.deps
  const fields = qrFormChanges(formOf(toEditedCode(code)), form)
  const change = { fields, updated_at: String(form.updated_at) }
  return performFields(c, post, {
    act: () => updateQrCode(db, account, code.qr_id, change, { secretKey, now: clock() }),
    done: () => ({ done: 'updated', at: `qr-${code.qr_id}` }),
    failed: 'Failed to update QR code',
    again: (state) => editDialog({ c, ...post }, code, state),
  })
})

qrForms.post('/:qr_id/active', async (c) => {
  const { account, place, form, code } = await readCodePost(c)
  const { db, secretKey, clock } = c.var.deps
  const change = { fields: {}, is_active: form.is_active === '1' }
  await updateQrCode(db, account, code.qr_id, change, { secretKey, now: clock() })
  return redirectBack(c, placeHref(place), { done: 'updated', at: `qr-${code.qr_id}` })
})

qrForms.post('/:qr_id/delete', async (c) => {
  const post = await readCodePost(c)
  const { account, place, code } = post
  const { db, clock } = c.var.deps
  return performQr(c, post, {
    act: async () => removeFiles(c, await deleteQrCode(db, account, code.qr_id, clock())),
    done: () => ({ done: 'deleted' }),
    again: ({ message }) => deleteDialog(place, code, message),
  })
})

qrForms.post('/:qr_id/undo-claim', async (c) => {
  const post = await readCodePost(c)
  const { account, place, code } = post
  return performQr(c, post, {
    act: () => undoClaimForIssuer(c, account, code.qr_id),
    done: () => ({ done: 'claim-undone' }),
    again: ({ message }) => undoClaimDialog({ c, place }, code, message),
  })
})

qrForms.get('/:qr_id/image', answerQrImage)
