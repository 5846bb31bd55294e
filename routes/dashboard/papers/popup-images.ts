import { Hono } from 'hono'
import { uploadPopupImage } from '#actions/papers/uploads.ts'
import { deletePopupImage, togglePopupImage } from '#db/papers/popup-images.ts'
import { tabHref } from '#domain/dashboard.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { removeFiles } from '#routes/_http/downloads.ts'
import { perform, readSwitch, redirectBack } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { STATUS } from '#routes/_http/problems.ts'
import type { Done } from '#routes/dashboard/_done.ts'
import { popupUploadDialog, renderPopupImages } from '#routes/dashboard/papers/_popup-images.tsx'

/** The forms of the Popup Images tab; they call the same actions as the API. */
export const popupImageForms = new Hono<AppEnv>().use(signedIn)

popupImageForms.post('/upload', (c) => {
  const account = requireAccount(c)
  return perform(c, {
    act: () => uploadPopupImage(loggedDeps(c), account.id, uploadFrom(c, account)),
    done: () => redirectDone(c, 'image-uploaded'),
    refused: ({ message }) => renderPopupImages(c, account, { dialog: popupUploadDialog(message) }),
  })
})

popupImageForms.post('/:id/toggle', async (c) => {
  const { id } = requireAccount(c)
  const image = c.req.param('id')
  const to = await readSwitch(c, 'is_active')
  const { is_active } = await togglePopupImage(c.var.deps.db, id, image, to)
  return redirectDone(c, is_active ? 'image-activated' : 'image-deactivated', `toggle-${image}`)
})

popupImageForms.post('/:id/delete', (c) => {
  const account = requireAccount(c)
  return perform(c, {
    act: async () =>
      removeFiles(c, await deletePopupImage(c.var.deps.db, account.id, c.req.param('id'))),
    done: () => redirectDone(c, 'image-deleted'),
    refused: ({ message, kind }) =>
      renderPopupImages(c, account, { message: `Delete failed (${STATUS[kind]}): ${message}` }),
    also: 'not_found',
  })
})

function redirectDone(c: AppContext, done: Done, at = ''): Response {
  return redirectBack(c, tabHref('popup-images'), { done, at })
}
