import { Icon } from '#components/icons/icon.tsx'
import { onOffer } from '#domain/plans/offer.ts'
import { SETTINGS_PAGES, type SettingsPage, settingsHref } from '#domain/settings.ts'

/** The pages of Settings, each with its present setting. */
export function SettingsIndex({ states }: { states: Record<SettingsPage, string> }) {
  return (
    <nav className="cards cards-20" aria-label="Pages of Settings">
      {onOffer(SETTINGS_PAGES).map(({ id, label, icon }) => (
        <a key={id} className="card card-link" href={settingsHref(id)}>
          <span className="avatar">
            <Icon name={icon} />
          </span>
          <span className="stack gap-0">
            <b className="text-lg">{label}</b>
            <span className="small soft any-break">{states[id]}</span>
          </span>
          <Icon name="chev" />
        </a>
      ))}
    </nav>
  )
}
