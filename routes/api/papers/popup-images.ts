import { z } from '@hono/zod-openapi'
import { uploadPopupImage } from '#actions/papers/uploads.ts'
import { toPopupImageView } from '#actions/papers/view.ts'
import { deletePopupImage, listPopupImages, togglePopupImage } from '#db/papers/popup-images.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { loggedDeps } from '#routes/_http/context.ts'
import { removeFiles } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { ownerCalls } from '#routes/api/_call.ts'
import { fileForm } from '#routes/api/_file-form.ts'
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

const list = call('listPopupImages', 'List your images', {
  get: '/',
  200: answer('Your images, newest first', z.array(popupImage)),
})
const upload = call('uploadPopupImage', 'Upload an image', {
  post: '/upload',
  makes: true,
  body: fileForm('image'),
  201: answer('Stored', popupImage),
  problems: [402],
})
const toggle = call('togglePopupImage', 'Switch an image on or off', {
  put: '/{id}/toggle',
  200: answer('The whole image', popupImage),
  problems: [409],
})
const remove = call('deletePopupImage', 'Delete an image', {
  delete: '/{id}',
  200: 'Deleted permanently',
})

export const popupImages = apiRouter()
  .openapi(list, async (c) => {
    const images = await listPopupImages(c.var.deps.db, requireAccount(c).id)
    return c.json(images.map(toPopupImageView), 200)
  })
  .openapi(upload, async (c) => {
    const account = requireAccount(c)
    const image = await uploadPopupImage(loggedDeps(c), account.id, uploadFrom(c, account))
    return c.json(toPopupImageView(image), 201)
  })
  .openapi(toggle, async (c) => {
    const { id } = c.req.valid('param')
    const image = await togglePopupImage(c.var.deps.db, requireAccount(c).id, id)
    return c.json(toPopupImageView(image), 200)
  })
  .openapi(remove, async (c) => {
    const { id } = c.req.valid('param')
    await removeFiles(c, await deletePopupImage(c.var.deps.db, requireAccount(c).id, id))
    return c.json({ message: 'Popup image deleted successfully!' }, 200)
  })
