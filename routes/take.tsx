import { Hono } from 'hono'
import { TakePage } from '#components/codes/take-page.tsx'
import { ErrorPage } from '#components/site/error-page.tsx'
import { findClaimToTake, takeClaim } from '#db/codes/claims.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { sayRefusal } from '#domain/languages/say.ts'
import { takePath } from '#routes/_http/codes/take-offer.ts'
import { clearLinkCookie, isToken, setLinkCookie } from '#routes/_http/cookies.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { keptQuery, speak, wordsOf } from '#routes/_http/language.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { wayOn } from '#routes/_http/way-on.ts'

/** Where a claimer takes the code into an account. Looking at the page does not use the link up. */
export const take = new Hono<AppEnv>()
  .get('/:token', async (c) => {
    const words = await speak(c)
    const token = readToken(c)
    const qrId = await findClaimToTake(c.var.deps.db, token)
    if (!qrId) return renderDeadLink(c)
    const { account } = c.var
    // Whoever logs in now comes to the dashboard, which leads back here.
    if (!account) setLinkCookie(c, 'take', token)
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
        account={account && { name: account.name, contact: account.email ?? account.mobile }}
      />,
    )
  })
  .post('/:token', async (c) => {
    const { db, clock } = c.var.deps
    await speak(c)
    const token = readToken(c)
    const { account } = c.var
    if (!account) {
      setLinkCookie(c, 'take', token)
      return c.redirect('/login', 303)
    }
    const taken = await takeClaim(db, token, account.id, clock())
    if (!taken) return renderDeadLink(c)
    clearLinkCookie(c, 'take')
    return c.redirect('/dashboard?done=taken', 303)
  })

function readToken(c: AppContext): string {
  keepUnlisted(c)
  const token = c.req.param('token') ?? ''
  return isToken(token) ? token : ''
}

function renderDeadLink(c: AppContext) {
  limit(c, 'link')
  const words = wordsOf(c)
  const title = sayRefusal(words, 'This link is no longer valid')
  return renderPage(
    c,
    { title, description: title, sheet: 'public', status: 404 },
    <ErrorPage
      words={words}
      query={keptQuery(c)}
      title={title}
      message={words.take.deadText}
      links={[wayOn(c)]}
    />,
  )
}
