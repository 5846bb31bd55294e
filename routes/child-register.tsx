import { Hono } from 'hono'
import type { ReactElement } from 'react'
import { AskedForReset, ChildForgot, FORGOT_FORM } from '#components/families/child-forgot.tsx'
import { Registered } from '#components/families/registered.tsx'
import { problemOf } from '#components/forms/place-problem.ts'
import { NarrowHead } from '#components/frame/narrow-head.tsx'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { shownBrand } from '#domain/brands/brand.ts'
import { cleanTicks } from '#domain/codes/qr.ts'
import { DomainError } from '#domain/error.ts'
import { CHILD_REFUSALS, childCodeState } from '#domain/families/child-registration.ts'
import { Island } from '#islands/_island.tsx'
import { CHILD_FORM } from '#islands/families/child-form.tsx'
import { formatRefusal, refusalTexts } from '#locales/refusal.ts'
import { pageBrandOf } from '#routes/_http/brands/page-brand.ts'
import { registerChildByForm, requestChildReset } from '#routes/_http/codes/claims.ts'
import { childForm, forgotForm } from '#routes/_http/codes/forms.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { keepNewContact } from '#routes/_http/cookies.ts'
import { type Form, perform, readForm } from '#routes/_http/forms.ts'
import { keepUnlisted } from '#routes/_http/headers.ts'
import { keptQuery, setLocale, wordsOf } from '#routes/_http/language.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { openNamedCode } from '#routes/_http/scans/scans.ts'
import { parseForm } from '#routes/_http/schema.ts'

type Typed = { values: Form; refusal?: DomainError }

/** Where a child code gets its user, who also asks here for a new password. */
export const childRegister = new Hono<AppEnv>()
  .get('/', async (c) => {
    const { holder } = await setLocale(c)
    return answerPage(c, { values: { public_message: holder.defaultMessage } })
  })
  .post(async (c) => {
    const qr_id = c.req.query('qr') ?? ''
    const { form, values } = await readForm(c)
    await setLocale(c, values.lang)
    if (values.lang) return answerPage(c, { values })
    const forgot = c.req.query('forgot') !== undefined
    return perform(c, {
      act: () => (forgot ? askForReset : register)(c, { ...form, qr_id }),
      done: (href) => href,
      refused: (refusal) => answerPage(c, { values, refusal }),
    })
  })

/** Registers the child user and returns the next address. */
async function register(c: AppContext, { adult, ...form }: Form): Promise<string> {
  const age = { adult: adult === 'yes' || (adult === 'no' ? false : undefined) }
  const typed = parseForm(childForm, { ...form, ...cleanTicks(form), ...age })
  if (typed.adult === undefined) throw new DomainError('invalid.age_missing')
  const { waits, login_id } = await registerChildByForm(c, typed)
  if (login_id || !waits) keepNewContact(c, login_id ?? typed.contact)
  return waits ? '/login?guardian=true' : '/login?registered=true'
}

async function askForReset(c: AppContext, form: Form): Promise<string> {
  await requestChildReset(c, parseForm(forgotForm, form))
  return `/child-register?${new URLSearchParams({ qr: form.qr_id ?? '', sent: '1' })}`
}

async function answerPage(c: AppContext, typed: Typed) {
  const qr = c.req.query('qr')
  if (!qr) return c.redirect('/')
  const code = await openNamedCode(c)
  const state = childCodeState(code)
  keepUnlisted(c)
  // Its page leads on: to the claim, to the owner, or nowhere.
  if (!code || state === 'not_found' || state === 'normal') {
    return c.redirect(`/scan/${encodeURIComponent(qr)}`)
  }
  const { qr_id } = code
  const words = wordsOf(c)
  const { values, refusal } = typed
  if (state === 'open') {
    const form = <RegisterForm c={c} code={code} {...typed} />
    const title = words.child.title
    return renderSheet(c, { title, qr_id, values, refusal, form: CHILD_FORM }, form)
  }
  const title = formatRefusal(words, 'conflict.registered')
  return renderSheet(c, { title, qr_id, values, refusal }, <Registered words={words} />)
}

function RegisterForm({ c, code, values, refusal }: Typed & { c: AppContext; code: ScannedCode }) {
  const { qr_id, contact_mode } = code
  const words = wordsOf(c)
  const { page, holder, child, password } = words
  const isHere = c.req.query('forgot') === undefined
  const props = {
    qr_id,
    values: { contact_mode, ...values },
    problem: problemOf(words, isHere ? refusal : undefined),
    words: { page, holder, child, password },
    texts: refusalTexts(words, CHILD_REFUSALS),
    brand: c.var.brand && shownBrand(c.var.brand),
  }
  return <Island name="child-form" props={props} />
}

function renderSheet(
  c: AppContext,
  page: Typed & { title: string; qr_id: string; form?: string },
  main: ReactElement,
) {
  const { title, qr_id, values, refusal } = page
  const words = wordsOf(c)
  const { child } = words
  const open = c.req.query('forgot') !== undefined
  const form = open ? FORGOT_FORM : page.form
  return renderPage(
    c,
    { title, description: child.description, sheet: 'public' },
    <main className="narrow-page keeps-brand">
      <NarrowHead words={words} {...(form ? { form } : { query: keptQuery(c) })} />
      <div className="sheet stack">
        <div id="panel">{c.req.query('sent') && <AskedForReset words={words} />}</div>
        {main}
        <div className="row row-apart">
          <a className="btn btn-quiet" href={pageBrandOf(c).hasHome ? '/' : `/scan/${qr_id}`}>
            {words.page.cancel}
          </a>
          <a
            className="btn btn-quiet"
            href={`/child-register?qr=${qr_id}&forgot=1`}
            data-dialog="forgot"
            data-failed={child.askFailed}
          >
            {child.forgot}
          </a>
        </div>
        <div id="dialog">
          {open && (
            <ChildForgot
              qr_id={qr_id}
              contact={values.contact}
              problem={refusal && formatRefusal(words, refusal.refusal)}
              words={words}
            />
          )}
        </div>
      </div>
    </main>,
  )
}
