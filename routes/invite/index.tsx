import { Hono } from 'hono'
import { invitePath } from '#actions/accounts/invitations.ts'
import { problemOf } from '#components/forms/place-problem.ts'
import { InvitedElsewhere, InvitePage } from '#components/invitations/invite-page.tsx'
import { findInvitation, type Invitation } from '#db/invitations/invitations.ts'
import { admissionProblem } from '#domain/accounts/admission.ts'
import { contactOf } from '#domain/accounts/contact.ts'
import { passOfInvitation } from '#domain/accounts/invitation.ts'
import { formatMoment } from '#domain/conversations/moment.ts'
import type { DomainError } from '#domain/error.ts'
import { acceptAndSignIn, acceptForm } from '#routes/_http/accounts/invitations.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { inviteCookie } from '#routes/_http/cookies.ts'
import { readPathToken, renderDeadLink } from '#routes/_http/errors.tsx'
import { perform, readForm } from '#routes/_http/forms.ts'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { keptQuery, setLocale, wordsOf } from '#routes/_http/language.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { parseForm } from '#routes/_http/schema.ts'
import {
  acceptOffered,
  declineOffered,
  findOffered,
  showForm,
  showOffered,
} from '#routes/invite/_help.tsx'

type Typed = { name?: string | undefined; refusal?: DomainError }

/** Where an invited person makes an account. Looking at the page does not use the link up. */
export const invite = new Hono<AppEnv>()
  // From the login page, which does not show the link.
  .get('/', (c) => {
    keepUnlisted(c)
    const token = inviteCookie.read(c)
    return c.redirect(token ? invitePath(token) : '/login', 303)
  })
  .get('/:token', async (c) => {
    const offered = await findOffered(c)
    keepUnlisted(c)
    if (offered) return showOffered(c, offered)
    return answerInvited(c, (invitation) => renderInvited(c, invitation, {}))
  })
  .post('/:token', async (c) => {
    const { form, values } = await readForm(c)
    await setLocale(c, values.lang)
    const offered = await findOffered(c)
    keepUnlisted(c)
    if (offered && values.lang) return showForm(c, offered, values)
    if (offered) return acceptOffered(c, offered, form)
    return answerInvited(c, async (invitation) => {
      const { name } = values
      if (values.lang || c.var.account) return renderInvited(c, invitation, { name })
      return perform(c, {
        act: () => acceptAndSignIn(c, readPathToken(c), parseForm(acceptForm, form)),
        done: () => '/dashboard',
        refused: (refusal) => renderInvited(c, invitation, { name, refusal }),
      })
    })
  })
  .post('/:token/decline', async (c) => {
    const offered = await findOffered(c)
    keepUnlisted(c)
    if (offered) return declineOffered(c, offered)
    return renderDeadLink(c, wordsOf(c).invite.deadText)
  })

/** For an invitation that the operator's rule would refuse, the link is dead too. */
async function answerInvited(
  c: AppContext,
  answer: (invitation: Invitation) => Response | Promise<Response>,
): Promise<Response> {
  keepUnlisted(c)
  const { db, clock, config } = c.var.deps
  const invitation = await findInvitation(db, readPathToken(c), clock())
  const pass = invitation && passOfInvitation(invitation)
  if (!pass || admissionProblem(config.registration, pass, invitation.email)) {
    return renderDeadLink(c, wordsOf(c).invite.deadText)
  }
  return answer(invitation)
}

function renderInvited(
  c: AppContext,
  { email, expires_at }: Invitation,
  { name, refusal }: Typed,
): Response {
  const words = wordsOf(c)
  const { account } = c.var
  const { clock, config } = c.var.deps
  const token = readPathToken(c)
  const { title, description } = words.invite
  const page = { title, description, sheet: 'public' } as const
  if (account) {
    const shown = { name: account.name, contact: contactOf(account) }
    return renderPage(
      c,
      page,
      <InvitedElsewhere words={words} query={keptQuery(c)} account={shown} />,
    )
  }
  // The login page and the sign-in provider find the invitation by it.
  inviteCookie.set(c, token)
  return renderPage(
    c,
    page,
    <InvitePage
      words={words}
      email={email}
      action={invitePath(token)}
      until={formatMoment(words.lang, config.timezone, expires_at, clock())}
      provider={config.google?.name}
      name={name}
      problem={problemOf(words, refusal)}
    />,
  )
}
