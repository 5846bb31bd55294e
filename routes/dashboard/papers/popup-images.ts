import { Hono } from 'hono'
import { uploadPopupImage } from '#actions/papers/uploads.ts'
import { deletePopupImage, togglePopupImage } from '#db/papers/popup-images.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { removeFiles } from '#routes/_http/downloads.ts'
import { perform, readSwitch, redirectBack } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { STATUS } from '#routes/_http/problems.ts'
import type { Done } from '#routes/dashboard/_done.ts'
import {
  actingOn,
  imagesHref,
  popupUploadDialog,
  renderPopupImages,
} from '#routes/dashboard/papers/_popup-images.tsx'

/** The forms of the Popup Images tab; they call the same actions as the API. */
export const popupImageForms = new Hono<AppEnv>().use(signedIn)

popupImageForms.post('/upload', (c) => {
  const account = requireAccount(c)
  const acting = actingOn(c, account)
  return perform(c, {
    act: () => uploadPopupImage(loggedDeps(c), acting, uploadFrom(c, account)),
    done: () => redirectDone(c, 'image-uploaded'),
    refused: ({ message }) =>
      renderPopupImages(c, account, { dialog: popupUploadDialog(c, message) }),
  })
})

popupImageForms.post('/:id/toggle', async (c) => {
  const { db, clock } = c.var.deps
  const image = c.req.param('id')
  const change = { to: await readSwitch(c, 'is_active'), now: clock() }
  const acting = actingOn(c, requireAccount(c))
  const { is_active } = await togglePopupImage(db, acting, image, change)
  return redirectDone(c, is_active ? 'image-activated' : 'image-deactivated', `toggle-${image}`)
})

popupImageForms.post('/:id/delete', (c) => {
  const account = requireAccount(c)
  return perform(c, {
    act: async () => {
      const { db, clock } = c.var.deps
      const acting = actingOn(c, account)
      await removeFiles(c, await deletePopupImage(db, acting, c.req.param('id'), clock()))
    },
    done: () => redirectDone(c, 'image-deleted'),
    refused: ({ message, kind }) =>
      renderPopupImages(c, account, { message: `Delete failed (${STATUS[kind]}): ${message}` }),
    also: 'not_found',
  })
})

function redirectDone(c: AppContext, done: Done, at = ''): Response {
  return redirectBack(c, imagesHref(c), { done, at })
}
