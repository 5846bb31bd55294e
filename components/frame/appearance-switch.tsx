import { createContext, useContext } from 'react'
import { Icon } from '#components/icons/icon.tsx'
import { APPEARANCES, type Appearance } from '#domain/appearance.ts'

/** The appearance that the account chose. Every signed-in page has the switch, so it is a context. */
export const AppearanceContext = createContext<Appearance>('auto')

const LABELS: Record<Appearance, string> = { auto: 'Auto', light: 'Light', dark: 'Dark' }

/** Takes effect at once, without script, and is remembered on this device. */
export function AppearanceSwitch() {
  const current = useContext(AppearanceContext)
  return (
    <form method="post" action="/appearance">
      <fieldset className="appearance">
        <legend>
          <Icon name="moon" />
          Dark mode
        </legend>
        <div className="segments">
          {APPEARANCES.map((appearance) => (
            <button
              key={appearance}
              type="submit"
              name="appearance"
              value={appearance}
              aria-pressed={appearance === current}
            >
              {LABELS[appearance]}
            </button>
          ))}
        </div>
      </fieldset>
    </form>
  )
}
