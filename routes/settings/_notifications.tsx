import type { ReactElement } from 'react'
import { offeredEvents } from '#components/alerts/alert-words.ts'
import { Notifications } from '#components/alerts/notifications.tsx'
import type { QuietHoursView } from '#components/alerts/quiet-hours.tsx'
import { listChannels } from '#db/alerts/channels.ts'
import { hasPeople } from '#db/alerts/escalation-settings.ts'
import { getAlertSettings } from '#db/alerts/settings.ts'
import { type Choice, SHARED_EVENTS } from '#domain/alerts/alert.ts'
import { readChoices } from '#domain/alerts/choice-form.ts'
import { isClockTime, type QuietHours } from '#domain/alerts/quiet-hours.ts'
import type { DomainError } from '#domain/error.ts'
import { sharesFor } from '#domain/people/share.ts'
import type { AppContext } from '#routes/_http/context.ts'
import type { Form } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { requestedChannelDialog } from '#routes/settings/_channel-dialogs.tsx'
import { listPlaces } from '#routes/settings/_channel-rows.tsx'
import { renderSettings } from '#routes/settings/_page.tsx'

type State = {
  dialog?: ReactElement
  refusal?: DomainError
  /** the fields of the refused form of the settings */
  typed?: Form
  /** the id of the row of a refused form */
  at?: string
}

export async function renderNotifications(c: AppContext, state: State = {}): Promise<Response> {
  const { dialog = await requestedChannelDialog(c), refusal, typed, at } = state
  const frame = {
    page: 'notifications',
    title: 'Notifications',
    refusal: typed || state.dialog ? undefined : refusal?.message,
    dialog,
    at,
  } as const
  return renderSettings(c, frame, () => renderPanel(c, typed && { typed, refusal }))
}

/** Reads the choices of the form, for own codes and for shared ones. */
export function readAllChoices(form: Form): Choice[] {
  return [...readChoices(form, offeredEvents()), ...readChoices(form, SHARED_EVENTS, true)]
}

async function renderPanel(c: AppContext, refused?: { typed: Form; refusal?: DomainError }) {
  const { db, secretKey } = c.var.deps
  const account = requireAccount(c)
  const channels = await listChannels(db, secretKey, account.id)
  const { choices, sharedChoices, quietHours } = await getAlertSettings(db, account.id)
  for (const { event, kind, isOn, isShared } of refused ? readAllChoices(refused.typed) : []) {
    const shown = isShared ? sharedChoices : choices
    shown[event][kind] = isOn
  }
  return (
    <Notifications
      {...listPlaces(c, account, channels)}
      choices={choices}
      sharedChoices={sharesFor(account, 'look').length > 0 ? sharedChoices : undefined}
      hasPeople={await hasPeople(db, account.id)}
      quiet={quietView(c, quietHours, refused)}
    />
  )
}

/** The hours that are offered to an account without quiet hours. */
const NIGHT: QuietHours = { from: '22:00', to: '07:00' }

function quietView(
  c: AppContext,
  saved: QuietHours | null,
  refused?: { typed: Form; refusal?: DomainError },
): QuietHoursView {
  const { timezone } = c.var.deps.config
  if (!refused) return { ...(saved ?? NIGHT), isOn: saved !== null, timezone }
  const { from = '', to = '', quiet } = refused.typed
  const at = isClockTime(from) ? 'to' : 'from'
  return { from, to, isOn: quiet === 'on', timezone, problems: { [at]: refused.refusal?.message } }
}
