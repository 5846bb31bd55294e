import { Hono } from 'hono'
import { deletePopupImage, togglePopupImage } from '#db/popup-images.ts'
import { tabHref } from '#domain/dashboard.ts'
import type { AppContext, AppEnv } from '#routes/_deps.ts'
import { removeFiles } from '#routes/_files.ts'
import { leadBack } from '#routes/_forms.ts'
import { requireAccount, signedIn } from '#routes/_guards.ts'
import { refusalOf } from '#routes/_refusal.ts'
import { uploadPopupImage } from '#routes/_uploads.ts'
import type { Done } from '#routes/dashboard/_done.ts'
import { renderPopupImages } from '#routes/dashboard/_popup-images.tsx'

/** What the tab does for whoever has no script, by the verbs that the API calls. */
export const popupImageForms = new Hono<AppEnv>().use(signedIn)

popupImageForms.post('/upload', async (c) => {
  const account = requireAccount(c)
  const refusal = await refusalOf(uploadPopupImage(c, account.id))
  return refusal ? renderPopupImages(c, account, refusal) : back(c, 'image-uploaded')
})

popupImageForms.post('/:id/toggle', async (c) => {
  const { id } = requireAccount(c)
  const image = c.req.param('id')
  const { is_active } = await togglePopupImage(c.var.deps.db, id, image)
  return back(c, is_active ? 'image-activated' : 'image-deactivated', `toggle-${image}`)
})

popupImageForms.post('/:id/delete', async (c) => {
  const { id } = requireAccount(c)
  await removeFiles(c, await deletePopupImage(c.var.deps.db, id, c.req.param('id')))
  return back(c, 'image-deleted')
})

function back(c: AppContext, done: Done, at = ''): Response {
  return leadBack(c, tabHref('popup-images'), { done, at })
}
