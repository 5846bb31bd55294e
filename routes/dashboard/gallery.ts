import { Hono } from 'hono'
import { assertGallery } from '#actions/papers/sharing.ts'
import { getOpenOwnDocument } from '#db/papers/documents.ts'
import { revokeShareLink } from '#db/papers/share-links.ts'
import { tabHref } from '#domain/dashboard.ts'
import { DomainError } from '#domain/error.ts'
import { SHARE_METHODS } from '#domain/papers/share.ts'
import type { AppEnv } from '#routes/_http/deps.ts'
import { leadBack, readForm } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { shareForCaller } from '#routes/_http/papers/sharing.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import { renderGallery } from '#routes/dashboard/_gallery.tsx'
import { shareDialog } from '#routes/dashboard/_gallery-dialogs.tsx'

/** What the gallery does for whoever has no script, by the verbs that the API calls. */
export const galleryForms = new Hono<AppEnv>().use(signedIn)

/** A link is in this answer alone, so it is no redirect. */
galleryForms.post('/:id/share', async (c) => {
  const account = requireAccount(c)
  const document = await getOpenOwnDocument(c.var.deps.db, account.id, c.req.param('id'))
  assertGallery(account)
  const { form } = await readForm(c)
  const share_method = SHARE_METHODS.find((method) => method === form.share_method)
  if (!share_method) {
    throw new DomainError('invalid', 'Please choose whatsapp, email or download')
  }
  const recipient = share_method === 'email' ? (form.recipient ?? '') : null
  const sharing = shareForCaller(c, account, document.id, { share_method, recipient })
  const refusal = await refusalOf(sharing)
  if (refusal) {
    const { message, code } = refusal
    return renderGallery(c, account, {
      dialog: shareDialog(document, { message, recipient: form.recipient }),
      code,
    })
  }
  const shared = await sharing
  if (share_method === 'email') return leadBack(c, tabHref('gallery'), { done: 'mailed' })
  const link = 'whatsapp_url' in shared ? shared.whatsapp_url : shared.download_url
  return renderGallery(c, account, { dialog: shareDialog(document, { link }) })
})

galleryForms.post('/shares/:id/end', async (c) => {
  await revokeShareLink(c.var.deps.db, requireAccount(c).id, c.req.param('id'))
  return leadBack(c, tabHref('gallery'), { done: 'link-ended', at: 'shared-links' })
})
