import { Hono } from 'hono'
import { uploadPopupImage } from '#actions/papers/uploads.ts'
import { deletePopupImage, togglePopupImage } from '#db/papers/popup-images.ts'
import { tabHref } from '#domain/dashboard.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import { leadBack, readSwitch } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { removeFiles } from '#routes/_http/papers/stored-files.ts'
import { sentBy } from '#routes/_http/papers/uploads.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import type { Done } from '#routes/dashboard/_done.ts'
import { popupUploadDialog, renderPopupImages } from '#routes/dashboard/papers/_popup-images.tsx'

/** The forms of the Popup Images tab; they call the same actions as the API. */
export const popupImageForms = new Hono<AppEnv>().use(signedIn)

popupImageForms.post('/upload', async (c) => {
  const account = requireAccount(c)
  const refusal = await refusalOf(uploadPopupImage(loggedDeps(c), account.id, sentBy(c, account)))
  if (!refusal) return back(c, 'image-uploaded')
  const dialog = popupUploadDialog(refusal.message)
  return renderPopupImages(c, account, { dialog, code: refusal.code })
})

popupImageForms.post('/:id/toggle', async (c) => {
  const { id } = requireAccount(c)
  const image = c.req.param('id')
  const to = await readSwitch(c, 'is_active')
  const { is_active } = await togglePopupImage(c.var.deps.db, id, image, to)
  return back(c, is_active ? 'image-activated' : 'image-deactivated', `toggle-${image}`)
})

popupImageForms.post('/:id/delete', async (c) => {
  const account = requireAccount(c)
  const remove = async () =>
    removeFiles(c, await deletePopupImage(c.var.deps.db, account.id, c.req.param('id')))
  const refusal = await refusalOf(remove(), { also: 'not_found' })
  if (!refusal) return back(c, 'image-deleted')
  const message = `Delete failed (${STATUS[refusal.code]}): ${refusal.message}`
  return renderPopupImages(c, account, { message, code: refusal.code })
})

function back(c: AppContext, done: Done, at = ''): Response {
  return leadBack(c, tabHref('popup-images'), { done, at })
}
