import { Hono } from 'hono'
import { keepAccount } from '#actions/accounts/deletion.ts'
import { takeBack } from '#actions/accounts/email-change.ts'
import { KeepAccountPage, WayBackPage } from '#components/accounts/way-back-page.tsx'
import { findWayBack } from '#db/accounts/email-changes.ts'
import { findDeletion } from '#db/deletions/deletions.ts'
import { hashToken } from '#db/secrets.ts'
import { applyParentsBrand } from '#routes/_http/brands/page-brand.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { readPathToken, renderDeadLink } from '#routes/_http/errors.tsx'
import { perform } from '#routes/_http/forms.ts'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { renderPage } from '#routes/_http/render.tsx'

const EMAIL_TITLE = 'Take your email back'
const ACCOUNT_TITLE = 'Keep your account'
const DEAD_TEXT =
  'It works once: for 72 hours after an email was changed, for 7 days after an account was deleted.'

/**
 * Where a change of an e-mail, or the deletion of an account, is taken back by its mailed link. To open the page
 * changes nothing.
 */
export const wayBack = new Hono<AppEnv>()
  .get('/:token', async (c) => {
    keepUnlisted(c)
    const token = readPathToken(c)
    const found = await findTaken(c, token)
    if (!found) return renderDeadLink(c, DEAD_TEXT)
    await applyParentsBrand(c, found.account)
    const { title } = found
    const page = { title, description: title, sheet: 'public' } as const
    return renderPage(c, page, found.content)
  })
  .post('/:token', async (c) => {
    const { deps } = c.var
    keepUnlisted(c)
    const token = readPathToken(c)
    const isDeletion = await findDeletion(deps.db, hashToken(token), deps.clock())
    return perform<unknown>(c, {
      act: () => (isDeletion ? keepAccount(deps, token) : takeBack(deps, token)),
      done: () => (isDeletion ? '/login?kept=1' : '/login?taken_back=1'),
      refused: (refusal) => {
        if (refusal.kind === 'invalid') return renderDeadLink(c, DEAD_TEXT)
        throw refusal
      },
    })
  })

/** Finds the account and the change that a link takes back, and its page. */
async function findTaken(c: AppContext, token: string) {
  const { db, clock } = c.var.deps
  const hash = hashToken(token)
  const action = c.req.path
  const ending = await findDeletion(db, hash, clock())
  if (ending) {
    const content = <KeepAccountPage title={ACCOUNT_TITLE} name={ending.name} action={action} />
    return { account: ending, title: ACCOUNT_TITLE, content }
  }
  const found = await findWayBack(db, hash, clock())
  if (!found) return undefined
  const { account, email } = found
  const content = <WayBackPage title={EMAIL_TITLE} email={email} action={action} />
  return { account, title: EMAIL_TITLE, content }
}
