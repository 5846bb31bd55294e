import { Hono } from 'hono'
import { decideReset, toResetRequestView } from '#actions/families/reset-links.ts'
import { ResetLinkDialog } from '#components/families/reset-link.tsx'
import { findWorn } from '#db/brands/worn.ts'
import { inName } from '#domain/brands/brand.ts'
import { tabHref } from '#domain/dashboard.ts'
import { DECISION_ACTIONS } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { resetLinkMessage } from '#domain/families/password-reset.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { leadBack } from '#routes/_http/forms.ts'
import { requireAccount, requireCaller, signedIn } from '#routes/_http/guards.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import { renderResetRequests } from '#routes/dashboard/families/_reset-requests.tsx'

/** Decisions on resets. An approval's link is in no address, so it is no redirect. */
export const resetRequestForms = new Hono<AppEnv>().use(signedIn).post('/:id', async (c) => {
  const account = requireAccount(c)
  const form = new URLSearchParams(await c.req.text())
  const action = DECISION_ACTIONS.find((each) => each === form.get('action'))
  if (!action) throw new DomainError('invalid', 'action must be approve or reject')
  const decision = decideReset(c.var.deps, account, {
    requestId: c.req.param('id'),
    action,
    formKey: form.get('form_key'),
    credential: requireCaller(c).credential,
  })
  const at = `request-${c.req.param('id')}`
  const refusal = await refusalOf(decision)
  if (refusal) return renderResetRequests(c, account, { at, refusal })
  const { request, link } = await decision
  if (!link) {
    const done = action === 'approve' ? 'mailed' : 'reject'
    return leadBack(c, tabHref('password-requests'), { done, at })
  }
  const { child_name, child_contact } = toResetRequestView(request)
  const { brand } = await findWorn(c.var.deps.db, account.id, c.var.deps.clock())
  const message = inName(resetLinkMessage(link.url), brand?.isAlone ? brand.name : null)
  const dialog = <ResetLinkDialog link={{ child_name, child_contact, message, ...link }} />
  return renderResetRequests(c, account, { at, dialog })
})
