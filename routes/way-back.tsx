import { Hono } from 'hono'
import { takeBack } from '#actions/accounts/email-change.ts'
import { WayBackPage } from '#components/accounts/way-back-page.tsx'
import { ErrorPage } from '#components/site/error-page.tsx'
import { findWayBack } from '#db/accounts/email-changes.ts'
import { hashToken } from '#db/secrets.ts'
import { en } from '#domain/languages/en.ts'
import { isToken } from '#routes/_http/cookies.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { assertMayTry, countTry } from '#routes/_http/rate-limits.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import { renderPage } from '#routes/_http/render.tsx'

const TITLE = 'Take your email back'

/** Where an earlier address takes back that an account changed to another. To open the page changes nothing. */
export const wayBack = new Hono<AppEnv>()
  .get('/:token', async (c) => {
    const { db, clock } = c.var.deps
    const token = readToken(c)
    const email = await findWayBack(db, hashToken(token), clock())
    if (!email) return renderDeadLink(c)
    const page = { title: TITLE, description: TITLE, sheet: 'public' } as const
    return renderPage(c, page, <WayBackPage title={TITLE} email={email} action={c.req.path} />)
  })
  .post('/:token', async (c) => {
    const taking = takeBack(c.var.deps, readToken(c))
    const refusal = await refusalOf(taking)
    if (!refusal) return c.redirect('/login?taken_back=1', 303)
    if (refusal.code === 'invalid') return renderDeadLink(c)
    throw refusal
  })

function readToken(c: AppContext): string {
  keepUnlisted(c)
  assertMayTry(c, 'link')
  const token = c.req.param('token') ?? ''
  return isToken(token) ? token : ''
}

function renderDeadLink(c: AppContext): Response {
  countTry(c, 'link')
  const title = 'This link is no longer valid'
  const page = { title, description: title, sheet: 'public', status: STATUS.not_found } as const
  return renderPage(
    c,
    page,
    <ErrorPage
      words={en}
      title={title}
      message="It works once, for 72 hours after your email was changed."
      links={[{ href: '/login', label: en.page.login }]}
    />,
  )
}
