import { Hono } from 'hono'
import { renewActivationCode } from '#db/codes/activation.ts'
import { setLostMode } from '#db/codes/lost-mode.ts'
import { findReplacement } from '#db/codes/replaced-ids.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { placeHref } from '#domain/dashboard.ts'
import { lostForm } from '#routes/_http/codes/forms.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { redirectBack } from '#routes/_http/forms.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { limitSuccesses } from '#routes/_http/rate-limits.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { activatedDialog } from '#routes/dashboard/codes/_activation.tsx'
import {
  activationDialog,
  lostDialog,
  replaceDialog,
} from '#routes/dashboard/codes/_code-dialogs.tsx'
import { performQr, readCodePost, readPost } from '#routes/dashboard/codes/_qr-post.tsx'

/** The forms about the tag of a code: lost, replaced, or to be activated. */
export const tagForms = new Hono<AppEnv>().use(signedIn)

tagForms.post('/:qr_id/lost', async (c) => {
  const post = await readCodePost(c)
  const { account, form, code } = post
  const { db, clock } = c.var.deps
  const lost = form.lost === '1'
  return performQr(c, post, {
    act: () =>
      setLostMode(db, account, code.qr_id, parseForm(lostForm, { ...form, lost }), clock()),
    done: () => ({ done: lost ? 'lost' : 'found-again', at: `qr-${code.qr_id}` }),
    again: ({ message }) => lostDialog(post, code, { typed: form, message }),
  })
})

tagForms.post('/:qr_id/replace', async (c) => {
  const { account, place } = await readPost(c)
  const { db, clock } = c.var.deps
  // An earlier request, whose answer was lost, may have replaced it: the new id must not be replaced too.
  const replaced = await findReplacement(db, account, requireQrId(c.req.param('qr_id')))
  if (replaced) return redirectBack(c, placeHref(place), { done: 'replaced', at: `qr-${replaced}` })
  const post = await readCodePost(c)
  return performQr(c, post, {
    act: () =>
      limitSuccesses(c, 'replace', () => replaceQrCode(db, account, post.code.qr_id, clock())),
    done: ({ qr_id }) => ({ done: 'replaced', at: `qr-${qr_id}` }),
    again: ({ message }) => replaceDialog(post, post.code, message),
  })
})

tagForms.post('/:qr_id/activation', async (c) => {
  const post = await readCodePost(c)
  const { account, place, code } = post
  const { db, secretKey, clock } = c.var.deps
  return performQr(c, post, {
    act: () => renewActivationCode(db, account, code.qr_id, { secretKey, now: clock() }),
    done: (made) => activatedDialog([made]) ?? { done: 'updated' },
    again: ({ message }) => activationDialog(place, code, message),
  })
})
