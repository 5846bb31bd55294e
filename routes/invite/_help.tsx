import type { ReactElement } from 'react'
import { invitePath } from '#actions/accounts/invitations.ts'
import { acceptHelp, declineHelp } from '#actions/people/people.ts'
import { problemOf } from '#components/forms/place-problem.ts'
import { HelpDeclined, HelpPage, type Reader } from '#components/invitations/help-page.tsx'
import { InvitePage } from '#components/invitations/invite-page.tsx'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import { findShareInvitation, type OpenInvitation } from '#db/people/invitations.ts'
import { admissionProblem } from '#domain/accounts/admission.ts'
import { contactOf } from '#domain/accounts/contact.ts'
import { firstWord } from '#domain/codes/visibility.ts'
import { formatMoment } from '#domain/conversations/moment.ts'
import { FIRST_PLACE, placeHref } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import { format } from '#locales/message.ts'
import { completeSignIn } from '#routes/_http/accounts/sign-in.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { clearLinkCookie, setLinkCookie } from '#routes/_http/cookies.ts'
import { readPathToken } from '#routes/_http/errors.tsx'
import { perform } from '#routes/_http/forms.ts'
import { requireCaller } from '#routes/_http/guards.ts'
import { keptQuery, wordsOf } from '#routes/_http/language.ts'
import { joinByLink } from '#routes/_http/people/people.ts'
import { renderPage } from '#routes/_http/render.tsx'

type Form = Record<string, unknown>
type Typed = { name?: string | undefined; refusal?: DomainError }

/** Returns the invitation to help whose link is in the path, with the brand of its owner on the page. */
export async function findOffered(c: AppContext): Promise<OpenInvitation | undefined> {
  const { db, clock } = c.var.deps
  const invitation = await findShareInvitation(db, readPathToken(c), clock())
  if (!invitation) return undefined
  const { brand } = await resolveAccountBrand(db, invitation.owner_id, clock())
  if (brand) c.set('brand', brand)
  return invitation
}

/** Shows the invitation, or the form of a new account. Nothing changes. */
export function showOffered(
  c: AppContext,
  invitation: OpenInvitation,
  refusal?: DomainError,
): Response {
  const reader = readerOf(c, invitation)
  if (reader === 'new' && c.req.query('join')) return showForm(c, invitation, {})
  // A login leads back here.
  if (reader !== 'invited') setLinkCookie(c, 'invite', readPathToken(c))
  const words = wordsOf(c)
  return render(
    c,
    <HelpPage
      {...{ words, invitation, reader }}
      until={untilOf(c, invitation)}
      action={invitePath(readPathToken(c))}
      query={keptQuery(c)}
      problem={problemOf(words, refusal)}
    />,
    invitation,
  )
}

function readerOf(c: AppContext, { email, owner_id }: OpenInvitation): Reader {
  const { account } = c.var
  if (account?.email === email && account.id !== owner_id) return 'invited'
  if (account) return { other: contactOf(account) }
  return admissionProblem(c.var.deps.config.registration, 'share', email) ? 'login' : 'new'
}

function untilOf(c: AppContext, { expires_at }: OpenInvitation): string {
  const { clock, config } = c.var.deps
  return formatMoment(wordsOf(c).lang, config.timezone, expires_at, clock())
}

/** Accepts for the account that is signed in, or makes one. */
export function acceptOffered(
  c: AppContext,
  invitation: OpenInvitation,
  form: Form,
): Promise<Response> {
  const name = String(form.name ?? '')
  return perform(c, {
    act: async () => {
      if (c.var.account) return acceptHelp(c.var.deps, requireCaller(c), readPathToken(c))
      await completeSignIn(c, await joinByLink(c, form))
    },
    done: () => {
      clearLinkCookie(c, 'invite')
      return placeHref(FIRST_PLACE, { done: 'helping' })
    },
    refused: (refusal) =>
      c.var.account
        ? showOffered(c, invitation, refusal)
        : showForm(c, invitation, { name, refusal }),
  })
}

export async function declineOffered(c: AppContext, invitation: OpenInvitation): Promise<Response> {
  await declineHelp(c.var.deps, readPathToken(c))
  clearLinkCookie(c, 'invite')
  return render(c, <HelpDeclined words={wordsOf(c)} name={invitation.owner_name} />, invitation)
}

/** Shows the form of a new account for the invited address. */
export function showForm(
  c: AppContext,
  invitation: OpenInvitation,
  { name, refusal }: Typed,
): Response {
  const words = wordsOf(c)
  const owner = firstWord(invitation.owner_name) ?? ''
  const says = {
    title: format(words.help.title, { name: owner }),
    submit: format(words.help.accept, { name: owner }),
  }
  return render(
    c,
    <InvitePage
      {...{ words, says, name }}
      email={invitation.email}
      action={invitePath(readPathToken(c))}
      until={untilOf(c, invitation)}
      provider={undefined}
      problem={problemOf(words, refusal)}
    />,
    invitation,
  )
}

function render(c: AppContext, content: ReactElement, { owner_name }: OpenInvitation): Response {
  const { title, description } = wordsOf(c).help
  const page = { title: format(title, { name: owner_name }), description, sheet: 'public' } as const
  return renderPage(c, page, content)
}
