import { Hono } from 'hono'
import { Logo } from '#components/frame/logo.tsx'
import { ErrorPage } from '#components/site/error-page.tsx'
import { isLiveResetLink } from '#db/families/reset-links.ts'
import { hashToken } from '#db/secrets.ts'
import type { DomainError } from '#domain/error.ts'
import { DEAD_RESET_LINK } from '#domain/families/password-reset.ts'
import { Island } from '#islands/_island.tsx'
import { resetPasswordForm } from '#routes/_http/accounts/forms.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import { setPasswordByLink } from '#routes/_http/families/reset-links.ts'
import { type Form, readForm } from '#routes/_http/forms.ts'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { refusalOf, sayWhenAgain } from '#routes/_http/refusal.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { parseForm } from '#routes/_http/schema.ts'

/** Where the link of an approval leads. Looking at the page does not use the link up. */
export const resetPassword = new Hono<AppEnv>()
  .get('/', (c) => answerPage(c, c.req.query('token') ?? ''))
  .post(async (c) => {
    const { form } = await readForm(c)
    const token = form.token ?? ''
    const refusal = await refusalOf(resetTyped(c, token, form))
    if (refusal) return answerPage(c, token, refusal)
    return c.redirect('/login?mode=password&reset=true', 303)
  })

async function resetTyped(c: AppContext, token: string, form: Form): Promise<void> {
  // A page without a token must not become a reset by OTP.
  const { password } = parseForm(resetPasswordForm, { ...form, token: token || 'none' })
  await setPasswordByLink(c, { token, password })
}

async function answerPage(c: AppContext, token: string, refusal?: DomainError) {
  const { db, clock } = c.var.deps
  keepUnlisted(c)
  if (!(await isLiveResetLink(db, hashToken(token), clock()))) return renderDeadLink(c)
  sayWhenAgain(c, refusal)
  return renderPage(
    c,
    {
      title: 'Set a New Password',
      description: 'Set a new password for your DriveQR account.',
      sheet: 'public',
      status: refusal && STATUS[refusal.code],
    },
    <main className="narrow-page" id="panel">
      <Logo href="/" />
      <Island name="reset-form" props={{ token, problem: refusal?.message }} />
    </main>,
  )
}

function renderDeadLink(c: AppContext) {
  return renderPage(
    c,
    { title: DEAD_RESET_LINK, description: DEAD_RESET_LINK, sheet: 'public', status: 400 },
    <ErrorPage
      title={DEAD_RESET_LINK}
      message="It was used, or 24 hours have passed. Scan your QR code and choose Forgot Password to ask its owner again."
      links={[{ href: '/login?mode=password', label: 'Login' }]}
    />,
  )
}
