import { Hono } from 'hono'
import { problemOf } from '#components/forms/place-problem.ts'
import { NarrowHead } from '#components/frame/narrow-head.tsx'
import { ErrorPage } from '#components/site/error-page.tsx'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import { findResetLink } from '#db/families/reset-decisions.ts'
import { hashToken } from '#db/secrets.ts'
import { PASSWORD_REFUSALS } from '#domain/accounts/registration.ts'
import type { DomainError } from '#domain/error.ts'
import { Island } from '#islands/_island.tsx'
import { formatRefusal, refusalTexts } from '#locales/refusal.ts'
import { resetPasswordForm } from '#routes/_http/accounts/forms.ts'
import { setPasswordByLink } from '#routes/_http/accounts/recovery.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { type Form, perform, readForm } from '#routes/_http/forms.ts'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { keptQuery, setLocale, wordsOf } from '#routes/_http/language.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { parseForm } from '#routes/_http/schema.ts'

/** Where the link of an approval leads. Looking at the page does not use the link up. */
export const resetPassword = new Hono<AppEnv>()
  .get('/', async (c) => {
    await setLocale(c)
    return answerPage(c, c.req.query('token') ?? '')
  })
  .post(async (c) => {
    const { form } = await readForm(c)
    const token = form.token ?? ''
    await setLocale(c)
    return perform(c, {
      act: () => resetTyped(c, token, form),
      done: () => '/login?mode=password&reset=true',
      refused: (refusal) => answerPage(c, token, refusal),
    })
  })

async function resetTyped(c: AppContext, token: string, form: Form): Promise<void> {
  // A page without a token must not become a reset by OTP.
  const { password } = parseForm(resetPasswordForm, { ...form, token: token || 'none' })
  await setPasswordByLink(c, { token, password })
}

async function answerPage(c: AppContext, token: string, refusal?: DomainError) {
  const { db, clock } = c.var.deps
  const now = clock()
  keepUnlisted(c)
  const link = await findResetLink(db, hashToken(token), now)
  const branding = link && (await resolveAccountBrand(db, link.account_id, now))
  if (branding?.brand?.isAlone) c.set('brand', branding.brand)
  if (!link?.isLive) return renderDeadLink(c)
  const words = wordsOf(c)
  const { reset, password } = words
  return renderPage(
    c,
    { title: reset.title, description: reset.description, sheet: 'public' },
    <main className="narrow-page" id="panel">
      <NarrowHead words={words} query={`${new URLSearchParams({ token })}&`} />
      <Island
        name="reset-form"
        props={{
          token,
          problem: problemOf(words, refusal),
          words: { reset, password },
          texts: refusalTexts(words, PASSWORD_REFUSALS),
        }}
      />
    </main>,
  )
}

function renderDeadLink(c: AppContext) {
  const words = wordsOf(c)
  const title = formatRefusal(words, 'invalid.dead_link')
  return renderPage(
    c,
    { title, description: title, sheet: 'public', status: 400 },
    <ErrorPage
      words={words}
      query={keptQuery(c)}
      title={title}
      message={words.reset.deadText}
      links={[{ href: '/login?mode=password', label: words.page.login }]}
    />,
  )
}
