import { Hono } from 'hono'
import {
  type Profile,
  ProfilePage,
  type ProfileProblems,
} from '#components/accounts/profile-page.tsx'
import { findNewEmail } from '#db/accounts/email-changes.ts'
import { displayMobile } from '#domain/accounts/contact.ts'
import type { DomainError } from '#domain/error.ts'
import { settingsHref } from '#domain/settings.ts'
import { askEmailOtp, editOwnProfile, verifyNewEmail } from '#routes/_http/accounts/account.ts'
import { emailOtp, profileChange, sendOtpForm } from '#routes/_http/accounts/forms.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import { type Form, readForm } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { refusalOf, sayWhenAgain } from '#routes/_http/refusal.ts'
import { parseForm } from '#routes/_http/schema.ts'
import type { Done } from '#routes/settings/_done.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

/** Name, e-mail and mobile number of an account. */
export const profilePages = new Hono<AppEnv>()

profilePages.get('/', (c) => render(c))

profilePages.post('/', async (c) => {
  const { form } = await readForm(c)
  const { name = '' } = form
  return act(c, 'name', form, 'profile-saved', () =>
    editOwnProfile(c, parseForm(profileChange, { name })),
  )
})

profilePages.post('/mobile', async (c) => {
  const { form } = await readForm(c)
  const { mobile = '' } = form
  return act(c, 'mobile', form, 'mobile-changed', () =>
    editOwnProfile(c, parseForm(profileChange, { mobile })),
  )
})

/** The code of test mode is in this answer alone, so it is no redirect. */
profilePages.post('/email', async (c) => {
  const { form } = await readForm(c)
  const ask = async () => askEmailOtp(c, parseForm(sendOtpForm, form).email)
  const asking = ask()
  const refusal = await refusalOf(asking)
  if (refusal) return render(c, { at: 'email', typed: form, refusal })
  return render(c, { testOtp: (await asking).testOtp })
})

profilePages.post('/email/verify', async (c) => {
  const { form } = await readForm(c)
  return act(c, 'otp', form, 'email-changed', () =>
    verifyNewEmail(c, parseForm(emailOtp, form).otp),
  )
})

type Field = keyof ProfileProblems
type State = {
  at?: Field
  typed?: Form
  refusal?: DomainError
  testOtp?: string | undefined
}

async function act(
  c: AppContext,
  at: Field,
  typed: Form,
  done: Done,
  change: () => Promise<unknown>,
): Promise<Response> {
  const changing = async () => change()
  const refusal = await refusalOf(changing())
  if (refusal) return render(c, { at, typed, refusal })
  return c.redirect(settingsHref('profile', { done }), 303)
}

function render(c: AppContext, { at, typed = {}, refusal, testOtp }: State = {}) {
  sayWhenAgain(c, refusal)
  const frame = { page: 'profile', title: 'Profile' } as const
  return renderSettings(c, { ...frame, status: refusal && STATUS[refusal.code] }, async () => {
    const problems = at ? { [at]: refusal?.message } : {}
    const { email: newEmail, ...rest } = typed
    const asked = await findNewEmail(c.var.deps.db, requireAccount(c).id, c.var.deps.clock())
    return (
      <ProfilePage
        profile={toProfile(c)}
        typed={{ ...rest, newEmail }}
        codeFor={asked}
        testOtp={testOtp}
        problems={problems}
      />
    )
  })
}

function toProfile(c: AppContext): Profile {
  const { name, email, email_verified_at, mobile } = requireAccount(c)
  const isVerified = email_verified_at !== null
  return { name, email, isVerified, mobile: mobile && displayMobile(mobile) }
}
