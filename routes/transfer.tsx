import { Hono } from 'hono'
import type { ReactElement } from 'react'
import { transferPath } from '#actions/transfers/transfers.ts'
import type { HolderValues } from '#components/codes/holder-fields.tsx'
import { problemOf } from '#components/forms/place-problem.ts'
import { TransferLogin, TransferPage } from '#components/transfers/transfer-page.tsx'
import { countQrCodes } from '#db/accounts/accounts.ts'
import { findTakenCode } from '#db/codes/claims.ts'
import {
  findOfferedCode,
  findOfferedTransfer,
  type OfferedTransfer,
} from '#db/transfers/transfers.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
import { cleanTicks } from '#domain/codes/qr.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { formatMoment } from '#domain/conversations/moment.ts'
import { FIRST_PLACE, placeHref } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import { UNLIMITED } from '#domain/plans/plan.ts'
import { countsFor } from '#domain/transfers/transfer.ts'
import { registrationRefusal } from '#routes/_http/accounts/admission.ts'
import { applyBrandOfCode } from '#routes/_http/brands/page-brand.ts'
import { newQrCode } from '#routes/_http/codes/forms.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { clearLinkCookie, setLinkCookie } from '#routes/_http/cookies.ts'
import { readPathToken, renderDeadLink } from '#routes/_http/errors.tsx'
import { perform, readForm } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { setLocale, wordsOf } from '#routes/_http/language.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { parseForm } from '#routes/_http/schema.ts'
import {
  acceptForCaller,
  declineForCaller,
  viewOffered,
} from '#routes/_http/transfers/transfers.ts'

type Typed = { values: HolderValues; refusal?: DomainError }

/** Where the recipient of a code decides about it. Looking at the page decides nothing. */
export const transfer = new Hono<AppEnv>()
  .get('/:token', async (c) => {
    if (!c.var.account) return renderLogin(c)
    return answerOffered(c, (offered) => renderOffered(c, offered, { values: ownDetails(c) }))
  })
  .post('/:token', async (c) => {
    if (!c.var.account) return redirectToLogin(c)
    const { form, values } = await readForm(c)
    await setLocale(c, values.lang)
    return answerOffered(c, async (offered) => {
      if (values.lang) return renderOffered(c, offered, { values })
      return perform(c, {
        act: () => acceptForCaller(c, parseForm(newQrCode, { ...form, ...cleanTicks(form) })),
        done: () => redirectToAccepted(c, offered.code.qr_id),
        refused: (refusal) => renderOffered(c, offered, { values, refusal }),
      })
    })
  })
  .post('/:token/decline', async (c) => {
    if (!c.var.account) return redirectToLogin(c)
    return answerOffered(c, async () => {
      await declineForCaller(c)
      clearLinkCookie(c, 'transfer')
      return c.redirect(placeHref(FIRST_PLACE, { done: 'transfer-declined' }), 303)
    })
  })

/** For everybody but the recipient the link is dead. Who has accepted may not have seen the answer. */
async function answerOffered(
  c: AppContext,
  answer: (offered: OfferedTransfer) => Promise<Response>,
): Promise<Response> {
  keepUnlisted(c)
  const { account, deps } = c.var
  const token = readPathToken(c)
  const offered = await findOfferedTransfer(deps.db, token, account, deps.clock())
  if (!offered) {
    const accepted = await findTakenCode(deps.db, token, account?.id)
    return accepted
      ? redirectToAccepted(c, accepted)
      : renderDeadLink(c, wordsOf(c).transfer.deadText)
  }
  // Until it is accepted, the code is its owner's.
  await applyBrandOfCode(c, offered.code.qr_id)
  return answer(offered)
}

function redirectToAccepted(c: AppContext, qrId: string): Response {
  clearLinkCookie(c, 'transfer')
  return c.redirect(placeHref(FIRST_PLACE, { done: 'transferred', at: `qr-${qrId}` }), 303)
}

/** The details of the account, to begin with. */
function ownDetails(c: AppContext): HolderValues {
  const { name, email, mobile } = requireAccount(c)
  return { owner_name: name, contact_phone: displayPhone(mobile ?? ''), email: email ?? '' }
}

/** Renders the way to the login. After it the dashboard redirects back here. */
async function renderLogin(c: AppContext): Promise<Response> {
  keepUnlisted(c)
  const { db, clock } = c.var.deps
  const token = readPathToken(c)
  const qrId = await findOfferedCode(db, token, clock())
  if (!qrId) return renderDeadLink(c, wordsOf(c).transfer.deadText)
  await applyBrandOfCode(c, qrId)
  setLinkCookie(c, 'transfer', token)
  const words = wordsOf(c)
  const shown = <TransferLogin words={words} canRegister={!(await registrationRefusal(c))} />
  return renderTransfer(c, shown)
}

function redirectToLogin(c: AppContext): Response {
  setLinkCookie(c, 'transfer', readPathToken(c))
  return c.redirect('/login', 303)
}

async function renderOffered(
  c: AppContext,
  offered: OfferedTransfer,
  { values, refusal }: Typed,
): Promise<Response> {
  const { db, clock, config } = c.var.deps
  const words = wordsOf(c)
  const account = requireAccount(c)
  const { qr_limit } = account
  const { qr_id, expires_at, ...view } = await viewOffered(c, offered)
  const shown = {
    ...view,
    qr_id_text: formatQrId(qr_id),
    until: formatMoment(words.lang, config.timezone, expires_at, clock()),
    is_counted: countsFor(offered.code, account),
    qr_count: await countQrCodes(db, account.id),
    qr_limit: qr_limit === UNLIMITED ? null : qr_limit,
  }
  const action = transferPath(readPathToken(c))
  const problem = problemOf(words, refusal)
  const props = { words, transfer: shown, action, values, problem }
  return renderTransfer(c, <TransferPage {...props} />)
}

function renderTransfer(c: AppContext, content: ReactElement): Response {
  const { title, description } = wordsOf(c).transfer
  return renderPage(c, { title, description, sheet: 'public' }, content)
}
