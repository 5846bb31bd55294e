import { listApiKeys } from '#db/accounts/api-keys.ts'
import { findWays } from '#db/accounts/factor-state.ts'
import { listSessions } from '#db/accounts/session-list.ts'
import { listChannels } from '#db/alerts/channels.ts'
import { getAlertSettings } from '#db/alerts/settings.ts'
import { getBrand } from '#db/brands/brands.ts'
import { findCalendar } from '#db/papers/calendars.ts'
import { accountNow } from '#db/plans/plan-now.ts'
import type { Account } from '#db/schema.ts'
import { countUnreadTickets } from '#db/tickets/tickets.ts'
import { NO_API_ACCESS } from '#domain/accounts/api-key.ts'
import { contactOf } from '#domain/accounts/contact.ts'
import { CHANNEL_LABELS } from '#domain/alerts/alert.ts'
import { brandingRefusal } from '#domain/brands/brand.ts'
import { counted } from '#domain/number.ts'
import { hasApiAccess, hasDedicatedSupport, PLANS } from '#domain/plans/plan.ts'
import type { SettingsPage } from '#domain/settings.ts'
import { formatDate } from '#domain/time.ts'
import { englishText } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { listPlaces } from '#routes/settings/_channel-rows.tsx'

/** Describes the settings of each page in a few words. */
export async function readStates(
  c: AppContext,
  account: Account,
): Promise<Record<SettingsPage, string>> {
  return {
    profile: [account.name, contactOf(account)].filter(Boolean).join(', '),
    security: await securityText(c, account),
    notifications: await alertsText(c, account),
    branding: await brandText(c, account),
    people: 'Who helps you, and whom you help',
    calendar: await calendarText(c, account),
    plan: planText(c, account),
    support: await supportText(c, account),
    'api-keys': await keysText(c, account),
    data: 'Export it, or delete your account',
  }
}

async function calendarText(c: AppContext, { id }: Account): Promise<string> {
  const calendar = await findCalendar(c.var.deps.db, c.var.deps.secretKey, id)
  return calendar ? 'It has an address' : 'Ends of papers in your calendar'
}

const FACTORS_ON: Record<string, string> = {
  code: 'Authenticator app on, signed',
  passkey: 'Passkey on, signed',
  'code,passkey': 'Authenticator app and passkey on, signed',
}

async function securityText(c: AppContext, { id }: Account): Promise<string> {
  const { db, clock } = c.var.deps
  const { length } = await listSessions(db, id, clock())
  const signed = FACTORS_ON[(await findWays(db, id)).join()] ?? 'Signed'
  return length === 1 ? `${signed} in here alone` : `${signed} in on ${length} devices`
}

function planText(c: AppContext, account: Account): string {
  const { clock, config } = c.var.deps
  const { subscription_plan, subscription_ends_at: end } = accountNow(account, clock())
  const { name } = PLANS[subscription_plan]
  return end ? `${name} until ${formatDate(end, config.timezone)}` : name
}

async function alertsText(c: AppContext, account: Account): Promise<string> {
  const { db, secretKey } = c.var.deps
  const { columns } = listPlaces(c, account, await listChannels(db, secretKey, account.id))
  const on = columns.filter(({ not }) => !not).map(({ kind }) => CHANNEL_LABELS[kind])
  const { quietHours } = await getAlertSettings(db, account.id)
  const quiet = quietHours ? `, quiet from ${quietHours.from}` : ''
  return (new Intl.ListFormat('en-GB').format(on) || 'Nothing is connected') + quiet
}

async function supportText(c: AppContext, { id, subscription_plan }: Account): Promise<string> {
  const unread = await countUnreadTickets(c.var.deps.db, id)
  if (unread)
    return unread === 1 ? '1 ticket with a new answer' : `${unread} tickets with new answers`
  if (!hasDedicatedSupport(subscription_plan)) return 'How to reach us'
  return unread === undefined ? 'No tickets' : 'Nothing new'
}

async function brandText(c: AppContext, account: Account): Promise<string> {
  const refusal = brandingRefusal(account)
  if (refusal) return englishText(refusal)
  const { brand_name, colour } = await getBrand(c.var.deps.db, account.id)
  return [brand_name, colour].filter(Boolean).join(', ') || 'Name, colour and logo'
}

async function keysText(c: AppContext, { id, subscription_plan }: Account): Promise<string> {
  if (!hasApiAccess(subscription_plan)) return NO_API_ACCESS
  const { length } = await listApiKeys(c.var.deps.db, id)
  return length === 0 ? 'No keys' : counted(length, 'key')
}
