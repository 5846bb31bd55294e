import { Hono } from 'hono'
import { decideReset, toResetRequestView } from '#actions/families/reset-links.ts'
import { ResetLinkDialog } from '#components/families/reset-link.tsx'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import { inName } from '#domain/brands/brand.ts'
import { tabHref } from '#domain/dashboard.ts'
import { DECISION_ACTIONS } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { resetLinkMessage } from '#domain/families/password-reset.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAccount, requireCaller, signedIn } from '#routes/_http/guards.ts'
import { renderResetRequests } from '#routes/dashboard/families/_reset-requests.tsx'

/** Decisions on resets. The link of an approval must be in no address, so it is no redirect. */
export const resetRequestForms = new Hono<AppEnv>().use(signedIn).post('/:id', async (c) => {
  const account = requireAccount(c)
  const { form } = await readForm(c)
  const action = DECISION_ACTIONS.find((each) => each === form.action)
  if (!action) throw new DomainError('invalid.reset_action')
  const requestId = c.req.param('id')
  const at = `request-${requestId}`
  return perform(c, {
    act: () => {
      const { credential } = requireCaller(c)
      const decision = { requestId, action, formKey: form.form_key ?? null, credential }
      return decideReset(c.var.deps, account, decision)
    },
    done: async ({ request, link }) => {
      if (link)
        return renderResetRequests(c, account, { at, dialog: await linkDialog(c, request, link) })
      const done = action === 'approve' ? 'mailed' : 'reject'
      return redirectBack(c, tabHref('password-requests'), { done, at })
    },
    refused: (refusal) => renderResetRequests(c, account, { at, refusal }),
  })
})

type Decided = Awaited<ReturnType<typeof decideReset>>

async function linkDialog(
  c: AppContext,
  request: Decided['request'],
  link: NonNullable<Decided['link']>,
) {
  const { db, clock } = c.var.deps
  const { child_name, child_contact } = toResetRequestView(request)
  const { brand } = await resolveAccountBrand(db, requireAccount(c).id, clock())
  const message = inName(resetLinkMessage(link.url), brand?.isAlone ? brand.name : null)
  return <ResetLinkDialog link={{ child_name, child_contact, message, ...link }} />
}
