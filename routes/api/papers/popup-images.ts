import { z } from '@hono/zod-openapi'
import { uploadPopupImage } from '#actions/papers/uploads.ts'
import { toPopupImageView } from '#actions/papers/view.ts'
import { deletePopupImage, listPopupImages, togglePopupImage } from '#db/papers/popup-images.ts'
import { actFor } from '#domain/people/acting.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { type AppContext, loggedDeps } from '#routes/_http/context.ts'
import { removeFiles } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { ownerCalls } from '#routes/api/_call.ts'
import { fileForm } from '#routes/api/_file-form.ts'
import { ownerId } from '#routes/api/_owner-id.ts'
import { answer } from '#routes/api/_payloads.ts'

const popupImage = z
  .object({
    id: z.string(),
    file_name: z.string(),
    file_path: z.string(),
    file_size: z.int(),
    width: z.int(),
    height: z.int(),
    is_active: z.boolean(),
    uploaded_at: z.iso.datetime(),
    url: z.string(),
  })
  .openapi('PopupImage')

const call = ownerCalls('Popup images')

const query = z.object({ owner_id: ownerId })

const list = call('listPopupImages', 'List your images', {
  get: '/',
  query,
  200: answer('Your images, newest first', z.array(popupImage)),
  problems: [404],
})
const upload = call('uploadPopupImage', 'Upload an image', {
  post: '/upload',
  makes: true,
  query,
  body: fileForm('image'),
  201: answer('Stored', popupImage),
  problems: [402, 404],
})
const toggle = call('togglePopupImage', 'Switch an image on or off', {
  put: '/{id}/toggle',
  query,
  200: answer('The whole image', popupImage),
  problems: [409],
})
const remove = call('deletePopupImage', 'Delete an image', {
  delete: '/{id}',
  query,
  200: 'Deleted permanently',
})

function actingIn(c: AppContext, { owner_id }: { owner_id?: string | undefined }) {
  return actFor(requireAccount(c), owner_id, 'images')
}

export const popupImages = apiRouter()
  .openapi(list, async (c) => {
    const { ownerId } = actingIn(c, c.req.valid('query'))
    const images = await listPopupImages(c.var.deps.db, ownerId)
    return c.json(images.map(toPopupImageView), 200)
  })
  .openapi(upload, async (c) => {
    const account = requireAccount(c)
    const acting = actingIn(c, c.req.valid('query'))
    const image = await uploadPopupImage(loggedDeps(c), acting, uploadFrom(c, account))
    return c.json(toPopupImageView(image), 201)
  })
  .openapi(toggle, async (c) => {
    const { id } = c.req.valid('param')
    const { db, clock } = c.var.deps
    const acting = actingIn(c, c.req.valid('query'))
    const image = await togglePopupImage(db, acting, id, { now: clock() })
    return c.json(toPopupImageView(image), 200)
  })
  .openapi(remove, async (c) => {
    const { id } = c.req.valid('param')
    const { db, clock } = c.var.deps
    const acting = actingIn(c, c.req.valid('query'))
    await removeFiles(c, await deletePopupImage(db, acting, id, clock()))
    return c.json({ message: 'Popup image deleted successfully!' }, 200)
  })
