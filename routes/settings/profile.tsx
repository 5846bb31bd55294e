import { Hono } from 'hono'
import { leaveOwnFamily } from '#actions/families/child-users.ts'
import {
  LeaveFamily,
  type Profile,
  ProfilePage,
  type ProfileProblems,
} from '#components/accounts/profile-page.tsx'
import { findNewEmail } from '#db/accounts/email-changes.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
import { offeredBy } from '#domain/codes/phones.ts'
import type { DomainError } from '#domain/error.ts'
import { settingsHref } from '#domain/settings.ts'
import { askEmailOtp, editOwnProfile, verifyNewEmail } from '#routes/_http/accounts/account.ts'
import { emailOtp, profileChange, sendOtpForm } from '#routes/_http/accounts/forms.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { type Form, perform, readForm } from '#routes/_http/forms.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { parseForm } from '#routes/_http/schema.ts'
import type { Done } from '#routes/settings/_done.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

/** Name, e-mail and mobile number of an account. */
export const profilePages = new Hono<AppEnv>()

profilePages.get('/', (c) => render(c))

profilePages.post('/', (c) =>
  performAt(c, 'name', 'profile-saved', ({ name = '' }) =>
    editOwnProfile(c, parseForm(profileChange, { name })),
  ),
)

profilePages.post('/mobile', (c) =>
  performAt(c, 'mobile', 'mobile-changed', ({ mobile = '', mobile_anyway }) =>
    editOwnProfile(c, parseForm(profileChange, { mobile, mobile_anyway: mobile_anyway === '1' })),
  ),
)

/** The code of test mode is in this answer alone, so it is no redirect. */
profilePages.post('/email', async (c) => {
  const { form } = await readForm(c)
  return perform(c, {
    act: () => askEmailOtp(c, parseForm(sendOtpForm, form).email),
    done: ({ testOtp }) => render(c, { testOtp }),
    refused: (refusal) => render(c, { at: 'email', typed: form, refusal }),
  })
})

profilePages.post('/email/verify', (c) =>
  performAt(c, 'otp', 'email-changed', (form) => verifyNewEmail(c, parseForm(emailOtp, form).otp)),
)

profilePages.post('/leave-family', (c) =>
  performAt(c, 'leave', 'left-family', () => leaveOwnFamily(c.var.deps, requireCaller(c))),
)

type Field = keyof ProfileProblems
type State = {
  at?: Field
  typed?: Form
  refusal?: DomainError
  testOtp?: string | undefined
}

/** Performs a form of one field, which shows why it was refused. */
async function performAt(
  c: AppContext,
  at: Field,
  done: Done,
  act: (form: Form) => Promise<unknown>,
): Promise<Response> {
  const { form: typed } = await readForm(c)
  return perform(c, {
    act: () => act(typed),
    done: () => settingsHref('profile', { done }),
    refused: (refusal) => render(c, { at, typed, refusal }),
  })
}

function render(c: AppContext, { at, typed = {}, refusal, testOtp }: State = {}) {
  const { email_verified_at, parent_id } = requireAccount(c)
  const mayLeave = parent_id !== null && email_verified_at !== null
  const dialog = mayLeave && c.req.query('leave') ? <LeaveFamily /> : undefined
  return renderSettings(c, { page: 'profile', title: 'Profile', dialog }, async () => {
    const problems = at ? { [at]: refusal?.message } : {}
    const { email: newEmail, ...rest } = typed
    const codeFor = await findNewEmail(c.var.deps.db, requireAccount(c).id, c.var.deps.clock())
    return (
      <ProfilePage
        profile={toProfile(c)}
        typed={{ ...rest, newEmail }}
        codeFor={codeFor}
        testOtp={testOtp}
        problems={problems}
        isOffered={offeredBy(refusal?.code) !== undefined}
      />
    )
  })
}

function toProfile(c: AppContext): Profile {
  const { name, email, email_verified_at, mobile, login_id, parent_id } = requireAccount(c)
  const isVerified = email_verified_at !== null
  return {
    name,
    email,
    isVerified,
    mobile: mobile && displayPhone(mobile),
    login_id,
    isChild: parent_id !== null,
  }
}
