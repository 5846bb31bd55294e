import { Hono } from 'hono'
import { TakePage } from '#components/codes/take-page.tsx'
import { findClaimToTake, findTakenCode, takeClaim } from '#db/codes/claims.ts'
import { passProblem } from '#domain/accounts/admission.ts'
import { contactOf } from '#domain/accounts/contact.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { takePath } from '#routes/_http/codes/take-offer.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { clearLinkCookie, setLinkCookie, takeCookie } from '#routes/_http/cookies.ts'
import { readPathToken, renderDeadLink } from '#routes/_http/errors.tsx'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { setLocale, wordsOf } from '#routes/_http/language.ts'
import { renderPage } from '#routes/_http/render.tsx'

/** Where a claimer takes the code into an account. Looking at the page does not use the link up. */
export const take = new Hono<AppEnv>()
  .get('/:token', async (c) => {
    keepUnlisted(c)
    const words = await setLocale(c)
    const token = readPathToken(c)
    const { db, config } = c.var.deps
    const qrId = await findClaimToTake(db, token)
    if (!qrId) return answerUsedUp(c)
    const { account } = c.var
    // After a login the dashboard redirects back here.
    if (!account) keepLink(c, token)
    return renderPage(
      c,
      {
        title: words.take.title,
        description: words.take.description,
        sheet: 'public',
      },
      <TakePage
        words={words}
        qr_id={qrId}
        qr_id_text={formatQrId(qrId)}
        action={takePath(token)}
        account={account && { name: account.name, contact: contactOf(account) }}
        canRegister={!passProblem(config.registration, 'claim')}
      />,
    )
  })
  .post('/:token', async (c) => {
    const { db, clock } = c.var.deps
    keepUnlisted(c)
    await setLocale(c)
    const token = readPathToken(c)
    const { account } = c.var
    if (!account) {
      keepLink(c, token)
      return c.redirect('/login', 303)
    }
    const taken = await takeClaim(db, token, account.id, clock())
    if (!taken) return answerUsedUp(c)
    return leadToTaken(c)
  })

function keepLink(c: AppContext, token: string): void {
  setLinkCookie(c, 'take', token)
  // Beyond the dashboard the link is needed only where it admits a new account.
  if (c.var.deps.config.registration.mode === 'invite') takeCookie.set(c, token)
}

/** Redirects the account that took the code, which may have missed the answer. For others the link is dead. */
async function answerUsedUp(c: AppContext): Promise<Response> {
  const taken = await findTakenCode(c.var.deps.db, readPathToken(c), c.var.account?.id)
  return taken ? leadToTaken(c) : renderDeadLink(c, wordsOf(c).take.deadText)
}

function leadToTaken(c: AppContext): Response {
  clearLinkCookie(c, 'take')
  takeCookie.clear(c)
  return c.redirect('/dashboard?done=taken', 303)
}
