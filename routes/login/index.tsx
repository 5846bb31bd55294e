import { Hono } from 'hono'
import { takesRegistrations } from '#actions/accounts/first-account.ts'
import { type FirstAccount, LoginChoice } from '#components/accounts/login-choice.tsx'
import {
  LOGIN_MODES,
  LoginForm,
  type LoginFormProps,
  type LoginMode,
  loginTitle,
  SecondFactorTemplate,
} from '#components/accounts/login-form.tsx'
import {
  LOGGED_OUT,
  LOGIN_NOTICES,
  LoginNotice,
  type LoginNoticeKind,
  REFUSED_NOTICES,
} from '#components/accounts/login-notice.tsx'
import { Logo } from '#components/frame/logo.tsx'
import { hasAccounts } from '#db/admin/inspection.ts'
import { isInvited, registrationRefusal } from '#routes/_http/accounts/admission.ts'
import { keepBrowser } from '#routes/_http/accounts/one-time-codes.ts'
import { mayGrantToSelf, showsOneTimeCodes } from '#routes/_http/client-address.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { readNewContact } from '#routes/_http/cookies.ts'
import { perform } from '#routes/_http/forms.ts'
import { renderPage } from '#routes/_http/render.tsx'
import { actOnLoginForm, type Fields, sentBefore } from '#routes/login/_acts.ts'

/** The notices to somebody who has just registered, whose contact is known. */
const AFTER_REGISTRATION: LoginNoticeKind[] = ['registered', 'guardian']

export const login = new Hono<AppEnv>()
  .get('/', async (c) => {
    if (c.var.account) return c.redirect('/dashboard', 303)
    if (readMode(c) === 'second') return c.redirect('/login', 303)
    const isRefused = readMode(c) === 'register' && (await registrationRefusal(c)) !== undefined
    if (isRefused) return c.redirect('/login', 303)
    const notice = LOGIN_NOTICES.find((kind) => c.req.query(kind) !== undefined)
    keepBrowser(c)
    const contact = notice && AFTER_REGISTRATION.includes(notice) ? readNewContact(c) : undefined
    return renderLogin(c, { mode: readMode(c), notice, values: contact ? { contact } : {} })
  })
  .post(async (c) => {
    const mode = readMode(c)
    if (mode === 'choice') return c.redirect('/login', 303)
    const fields = await readFields(c)
    const { password: _, confirm_password: __, ...values } = fields
    return perform(c, {
      act: () => actOnLoginForm(c, mode, fields),
      done: (outcome) => {
        if ('location' in outcome) return outcome.location
        if ('sent' in outcome) return renderLogin(c, { mode, values, sent: outcome.sent })
        const { ticket, ways } = outcome
        return renderLogin(c, { mode: 'second', values: { ticket, ways: ways.join(' ') } })
      },
      refused: (refusal) => {
        const sent = sentBefore(c, fields, refusal)
        return renderLogin(c, { mode, values, problem: refusal, sent })
      },
      also: 'not_found',
    })
  })

type LoginPage = Omit<LoginFormProps, 'mode' | 'testMode'> & {
  mode: LoginMode
  notice?: LoginNoticeKind | undefined
}

async function renderLogin(c: AppContext, { mode, notice, ...form }: LoginPage) {
  const provider = c.var.deps.config.google?.name
  const page = {
    title: loginTitle(mode, form.sent !== undefined),
    description: 'Log in to your DriveQR codes, or create an account with your email address.',
    sheet: 'public',
    unlisted: c.req.url.includes('?'),
    ...(notice && REFUSED_NOTICES.includes(notice) && { status: 403 as const }),
  } as const
  return renderPage(
    c,
    page,
    <main
      className="narrow-page"
      data-script="login"
      data-said={notice === 'logged_out' ? LOGGED_OUT : undefined}
    >
      <Logo href="/" />
      <LoginNotice kind={notice} provider={provider} contact={form.values.contact} />
      {mode === 'choice' ? (
        <>
          <LoginChoice
            first={await findFirstAccount(c)}
            provider={provider}
            codesArrive={showsOneTimeCodes(c) || c.var.deps.config.mail.smtpUrl !== undefined}
            invited={await isInvited(c)}
            refused={await registrationRefusal(c)}
          />
          {provider && <SecondFactorTemplate />}
        </>
      ) : (
        <LoginForm mode={mode} testMode={showsOneTimeCodes(c)} {...form} />
      )}
    </main>,
  )
}

/** Returns how the first account is made. In test mode only this machine sees one-time codes. */
async function findFirstAccount(c: AppContext): Promise<FirstAccount | undefined> {
  const { db, config } = c.var.deps
  if (await hasAccounts(db)) return undefined
  if (await isInvited(c)) return 'page'
  if (!takesRegistrations({ ...config, testMode: showsOneTimeCodes(c) })) return 'command'
  return mayGrantToSelf(c) ? 'admin' : 'page'
}

function readMode(c: AppContext): LoginMode {
  const start = c.req.query('registered') === undefined ? 'choice' : 'password'
  return LOGIN_MODES.find((mode) => mode === c.req.query('mode')) ?? start
}

async function readFields(c: AppContext): Promise<Fields> {
  const body = Object.entries(await c.req.parseBody())
  return Object.fromEntries(body.filter((field): field is [string, string] => isText(field[1])))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
