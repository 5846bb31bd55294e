import { Icon } from '#components/icons/icon.tsx'
import { settingsHref } from '#domain/settings.ts'

/** Tells an owner whom finders can only write to how slowly that is noticed, until a further channel is on. */
export function AlertsLine({ hasMail }: { hasMail: boolean }) {
  return (
    <p className="quiet-line">
      <Icon name="bell" />
      {hasMail ? 'Alerts reach you by e-mail only' : 'No alerts reach you yet'}
      <a href={settingsHref('notifications')}>Turn on alerts</a>
    </p>
  )
}
