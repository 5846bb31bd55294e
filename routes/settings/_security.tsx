import type { ReactElement } from 'react'
import { AskNewCodes, AskRemoveApp, type FactorsView } from '#components/accounts/authenticator.tsx'
import { AskRemovePasskey, type PasskeyRow, RenamePasskey } from '#components/accounts/passkeys.tsx'
import { SecurityPage, type SessionRow } from '#components/accounts/security-page.tsx'
import { type About, placeBy } from '#components/forms/place-problem.ts'
import { findWays, getFactors } from '#db/accounts/factor-state.ts'
import { type ListedSession, listSessions } from '#db/accounts/session-list.ts'
import { getPasskey, listPasskeys } from '#db/passkeys/passkeys.ts'
import type { FactorWay } from '#domain/accounts/second-factor.ts'
import { formatDayAgo } from '#domain/ago.ts'
import type { DomainError } from '#domain/error.ts'
import { formatDate } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount, requireSession } from '#routes/_http/guards.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

type PasswordField = 'current_password' | 'code' | 'password'
const ABOUT: About<PasswordField> = {
  'conflict.password_changed': 'password',
  'forbidden.reset_unconfirmed': 'password',
  'invalid.admin_password': 'password',
  'invalid.common_password': 'password',
  'invalid.password_long': 'password',
  'invalid.password_missing': 'password',
  'invalid.password_or_code': 'password',
  'invalid.password_short': 'password',
  'invalid.passwords_differ': 'password',
  'invalid.present_password': 'current_password',
  'unauthenticated.password': 'current_password',
  'unauthenticated.second_factor': 'code',
  password: 'password',
}

type State = { refusal?: DomainError | undefined; dialog?: ReactElement }

/** Renders Security, with the dialog that its address asks for. */
export async function renderSecurity(
  c: AppContext,
  { refusal, dialog }: State = {},
): Promise<Response> {
  const { at, elsewhere } = placeBy(ABOUT, refusal)
  const over = dialog ?? (await requestedDialog(c))
  const frame = {
    page: 'security',
    title: 'Security',
    dialog: over,
    refusal: dialog ? undefined : elsewhere,
  } as const
  return renderSettings(c, frame, async () => {
    const { db, clock } = c.var.deps
    const { id, password_hash, role, login_id } = requireAccount(c)
    const sessions = await listSessions(db, id, clock())
    return (
      <SecurityPage
        password={{ isSet: password_hash !== null, role, login_id, problems: at }}
        ways={await findWays(db, id)}
        factors={await toFactors(c, id)}
        passkeys={await listRows(c, id)}
        sessions={sessions.map((each) => toRow(c, each))}
      />
    )
  })
}

/** Throws not_found for a passkey that is not the account's. */
async function requestedDialog(c: AppContext): Promise<ReactElement | undefined> {
  const { rename, remove, renew } = c.req.query()
  const { id } = requireAccount(c)
  const { db } = c.var.deps
  if (renew || remove === 'app') return factorDialog(await findWays(db, id), { renew })
  if (remove) return <AskRemovePasskey {...(await getPasskey(db, id, remove))} />
  return rename ? <RenamePasskey {...(await getPasskey(db, id, rename))} /> : undefined
}

/** Asks nothing about a second factor that is not on. */
function factorDialog(ways: FactorWay[], { renew }: { renew: string | undefined }) {
  if (renew) return ways.length > 0 ? <AskNewCodes /> : undefined
  return ways.includes('code') ? <AskRemoveApp hasPasskeys={ways.includes('passkey')} /> : undefined
}

async function listRows(c: AppContext, accountId: string): Promise<PasskeyRow[]> {
  const { db, clock, config } = c.var.deps
  const passkeys = await listPasskeys(db, accountId)
  return passkeys.map(({ id, name, created_at, last_used_at }) => {
    const last = last_used_at && formatDayAgo(last_used_at, clock(), config.timezone)
    const used = last ? `last used ${within(last)}` : 'never used'
    return { id, name, used: `Added ${formatDate(created_at, config.timezone)}, ${used}` }
  })
}

/** Writes a day as within a sentence. */
function within(day: string): string {
  return day.replace(/^[TY]/, (letter) => letter.toLowerCase())
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
  const used = `First used ${first}, last used ${within(last)}`
  return { id, device, browser, isCurrent, used }
}
