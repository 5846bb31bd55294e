import { Hono } from 'hono'
import { revokeShareLink } from '#db/papers/share-links.ts'
import { tabHref } from '#domain/dashboard.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { redirectBack } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { renderGallery } from '#routes/dashboard/papers/_gallery.tsx'
import { answerShare } from '#routes/dashboard/papers/_share-form.ts'

/** The forms of the gallery; they call the same actions as the API. */
export const galleryForms = new Hono<AppEnv>().use(signedIn)

galleryForms.post('/:id/share', (c) => answerShare(c, 'gallery', renderGallery))

galleryForms.post('/shares/:id/end', async (c) => {
  const { db, clock } = c.var.deps
  await revokeShareLink(db, requireAccount(c), c.req.param('id'), clock())
  return redirectBack(c, tabHref('gallery'), { done: 'link-ended', at: 'shared-links' })
})
