import { Hono } from 'hono'
import type { FactorsView } from '#components/accounts/authenticator.tsx'
import { SecurityPage, type SessionRow } from '#components/accounts/security-page.tsx'
import { type About, placeBy } from '#components/forms/place-problem.ts'
import { getFactors } from '#db/accounts/second-factors.ts'
import {
  endOtherSessions,
  endSession,
  type ListedSession,
  listSessions,
} from '#db/accounts/session-list.ts'
import { isCommonPassword } from '#domain/accounts/common-passwords.ts'
import { formatDayAgo } from '#domain/ago.ts'
import type { DomainError } from '#domain/error.ts'
import { settingsHref } from '#domain/settings.ts'
import { formatDate } from '#domain/time.ts'
import { setOwnPassword } from '#routes/_http/accounts/account.ts'
import { ownPassword } from '#routes/_http/accounts/forms.ts'
import type { AppContext, AppEnv } from '#routes/_http/deps.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import { readForm } from '#routes/_http/forms.ts'
import { requireAccount, requireSession } from '#routes/_http/guards.ts'
import { refusalOf, sayWhenAgain } from '#routes/_http/refusal.ts'
import { parseForm } from '#routes/_http/schema.ts'
import type { Done } from '#routes/settings/_done.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

/** How an account is signed in to, and where it is. */
export const securityPages = new Hono<AppEnv>()

securityPages.get('/', (c) => render(c))

securityPages.post('/password', async (c) => {
  const { form } = await readForm(c)
  const change = async () => setOwnPassword(c, parseForm(ownPassword, form))
  const refusal = await refusalOf(change())
  if (refusal) return render(c, refusal)
  return leadBack(c, isCommonPassword(form.password ?? '') ? 'password-common' : 'password-changed')
})

securityPages.post('/sessions/end', async (c) => {
  const { id } = requireSession(c)
  await endOtherSessions(c.var.deps.db, requireAccount(c).id, id)
  return leadBack(c, 'others-signed-out')
})

securityPages.post('/sessions/:id/end', async (c) => {
  await endSession(c.var.deps.db, requireAccount(c).id, c.req.param('id'))
  return leadBack(c, 'signed-out')
})

function leadBack(c: AppContext, done: Done): Response {
  return c.redirect(settingsHref('security', { done }), 303)
}

type PasswordField = 'current_password' | 'password'
const ABOUT: About<PasswordField> = [
  [/present password|^That password/, 'current_password'],
  [/password/i, 'password'],
]

function render(c: AppContext, refusal?: DomainError) {
  sayWhenAgain(c, refusal)
  const { at, elsewhere } = placeBy(ABOUT, refusal?.message)
  const frame = { page: 'security', title: 'Security' } as const
  const refused = { status: refusal && STATUS[refusal.code], refusal: elsewhere }
  return renderSettings(c, { ...frame, ...refused }, async () => {
    const { db, clock } = c.var.deps
    const account = requireAccount(c)
    const sessions = await listSessions(db, account.id, clock())
    return (
      <SecurityPage
        password={{ isSet: account.password_hash !== null, role: account.role, problems: at }}
        factors={await toFactors(c, account.id)}
        sessions={sessions.map((each) => toRow(c, each))}
      />
    )
  })
}

async function toFactors(c: AppContext, accountId: string): Promise<FactorsView> {
  const { db, clock, config } = c.var.deps
  const { appSince, recoveryCodes, trusted } = await getFactors(db, accountId, clock())
  const dayOf = (at: string | null) => (at ? formatDate(at, config.timezone) : undefined)
  const { count, until } = trusted
  return { since: dayOf(appSince), recoveryCodes, trusted: { count, until: dayOf(until) } }
}

function toRow(c: AppContext, { id, device, browser, ...times }: ListedSession): SessionRow {
  const { clock, config } = c.var.deps
  const isCurrent = id === requireSession(c).id
  const first = formatDate(times.created_at, config.timezone)
  const last = isCurrent ? 'now' : formatDayAgo(times.last_used_at, clock(), config.timezone)
  const used = `First used ${first}, last used ${last.replace(/^[TY]/, (day) => day.toLowerCase())}`
  return { id, device, browser, isCurrent, used }
}
