import { Hono } from 'hono'
import { SettingsIndex } from '#components/settings/settings-index.tsx'
import type { AppEnv } from '#routes/_http/context.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { renderSettings } from '#routes/settings/_page.tsx'
import { readStates } from '#routes/settings/_states.ts'
import { apiKeyPages } from '#routes/settings/api-keys.tsx'
import { brandingPages } from '#routes/settings/branding.tsx'
import { brandingPreview } from '#routes/settings/branding-preview.tsx'
import { calendarPages } from '#routes/settings/calendar.tsx'
import { dataPages } from '#routes/settings/data.tsx'
import { domainPages } from '#routes/settings/domain.tsx'
import { escalationPages } from '#routes/settings/if-nobody-answers.tsx'
import { notificationPages } from '#routes/settings/notifications.tsx'
import { peoplePages } from '#routes/settings/people/people.tsx'
import { profilePages } from '#routes/settings/profile.tsx'
import { securityPages } from '#routes/settings/security.tsx'
import { appPages } from '#routes/settings/security-app.tsx'
import { passkeyPages } from '#routes/settings/security-passkeys.tsx'
import { supportPages } from '#routes/settings/support.ts'
import { webhookPages } from '#routes/settings/webhooks.tsx'

/** The settings of an account; each page has its own URL. */
export const settings = new Hono<AppEnv>()

// Before the guard, because an account that must set up a second factor reaches only these.
settings.route('/security', appPages)
settings.route('/security/passkeys', passkeyPages)
settings.use(signedIn)

settings.get('/', async (c) => {
  const states = await readStates(c, requireAccount(c))
  return renderSettings(c, { title: 'Settings' }, () => <SettingsIndex states={states} />)
})
settings.route('/profile', profilePages)
settings.route('/people', peoplePages)
settings.route('/security', securityPages)
settings.route('/api-keys', apiKeyPages)
settings.route('/branding', brandingPages)
settings.route('/branding/preview', brandingPreview)
settings.route('/branding/domain', domainPages)
settings.route('/calendar', calendarPages)
settings.route('/notifications', notificationPages)
settings.route('/notifications/if-nobody-answers', escalationPages)
settings.route('/notifications/webhooks', webhookPages)
settings.route('/support', supportPages)
settings.route('/data', dataPages)
