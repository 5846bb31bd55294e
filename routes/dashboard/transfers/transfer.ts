import { Hono } from 'hono'
import { cancelTransfer } from '#db/transfers/transfers.ts'
import { placeHref } from '#domain/dashboard.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { redirectBack } from '#routes/_http/forms.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { performQr, readCodePost } from '#routes/dashboard/codes/_qr-post.tsx'
import {
  beginTyped,
  placeRefusal,
  transferDialog,
} from '#routes/dashboard/transfers/_transfer-dialog.tsx'

/** The forms of the owner of a code about its transfer. */
export const transferForms = new Hono<AppEnv>().use(signedIn)

transferForms.post('/:qr_id/transfer', async (c) => {
  const post = await readCodePost(c)
  const { account, place, form, code } = post
  return performQr(c, post, {
    act: () => beginTyped(c, code, form),
    done: () => ({ done: 'transfer-started', at: `qr-${code.qr_id}` }),
    again: (refusal) => transferDialog(c, account, { place, code }, placeRefusal(form, refusal)),
  })
})

transferForms.post('/:qr_id/transfer/cancel', async (c) => {
  const { account, place, code } = await readCodePost(c)
  const { db, clock } = c.var.deps
  await cancelTransfer(db, account, code.qr_id, clock())
  return redirectBack(c, placeHref(place), { done: 'transfer-cancelled', at: `qr-${code.qr_id}` })
})
