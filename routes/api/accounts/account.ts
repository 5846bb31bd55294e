import { z } from '@hono/zod-openapi'
import { confirmationOptions } from '#actions/accounts/passkeys.ts'
import { toUserView } from '#actions/accounts/view.ts'
import { leaveOwnFamily } from '#actions/families/child-users.ts'
import { editOwnProfile, setOwnPassword } from '#routes/_http/accounts/account.ts'
import { confirmYou } from '#routes/_http/accounts/confirm.tsx'
import { shownForm } from '#routes/_http/accounts/factor-forms.ts'
import { ownPassword, profileChange } from '#routes/_http/accounts/forms.ts'
import { requireCaller, requireHolder, requireSession } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { accountCall, holderCall } from '#routes/api/accounts/_account-call.ts'
import { user } from '#routes/api/accounts/_account-schema.ts'
import { accountDeletion } from '#routes/api/accounts/account-deletion.ts'
import { accountEmail } from '#routes/api/accounts/account-email.ts'
import { accountExport } from '#routes/api/accounts/account-export.ts'
import { accountPasskeys, webauthnOptions } from '#routes/api/accounts/account-passkeys.ts'
import { accountSessions } from '#routes/api/accounts/account-sessions.ts'
import { accountTotp } from '#routes/api/accounts/account-totp.ts'

const edit = accountCall('updateAccount', 'Change your name or mobile number', {
  patch: '/',
  body: jsonBody(profileChange, { name: 'Asha Patil', mobile: '98765 43210' }),
  200: answer('Changed', z.object({ user })),
  problems: [409],
})

const password = accountCall('changePassword', 'Change your password', {
  post: '/password',
  body: jsonBody(ownPassword, {
    current_password: 'correct horse',
    password: 'a better correct horse',
  }),
  200: 'Changed; every other session has ended',
  problems: [409],
})

const leave = accountCall('leaveFamily', 'Leave the family of a child code', {
  post: '/leave-family',
  200: 'The account stands alone, and its child code is unregistered again',
})

const confirm = holderCall(
  'confirmYou',
  'Show again who you are, for ten minutes of this session',
  { post: '/confirm', body: jsonBody(shownForm, { password: 'correct horse' }), 200: 'Confirmed' },
)

const confirmOptions = holderCall(
  'getConfirmOptions',
  'Ask what a passkey shows again who you are with',
  {
    post: '/confirm/options',
    200: answer('For `startAuthentication`, for five minutes', webauthnOptions),
    problems: [404],
  },
)

export const account = apiRouter()
  .openapi(edit, async (c) => {
    const { db, clock } = c.var.deps
    const changed = await editOwnProfile(c, c.req.valid('json'))
    return c.json({ user: await toUserView(db, changed, clock()) }, 200)
  })
  .openapi(password, async (c) => {
    await setOwnPassword(c, c.req.valid('json'))
    return c.json({ message: 'Password changed' }, 200)
  })
  .openapi(leave, async (c) => {
    await leaveOwnFamily(c.var.deps, requireCaller(c))
    return c.json({ message: 'You have left the family' }, 200)
  })
  .openapi(confirm, async (c) => {
    await confirmYou(c, requireSession(c), c.req.valid('json'))
    return c.json({ message: 'Confirmed' }, 200)
  })
  .openapi(confirmOptions, async (c) => {
    return c.json({ ...(await confirmationOptions(c.var.deps, requireHolder(c).id)) }, 200)
  })

account.route('/email', accountEmail)
account.route('/sessions', accountSessions)
account.route('/export', accountExport)
account.route('/deletion', accountDeletion)
account.route('/passkeys', accountPasskeys)
account.route('/', accountTotp)
