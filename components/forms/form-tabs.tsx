import type { ReactNode } from 'react'

type FormTab = { id: string; label: string; icon?: ReactNode; content: ReactNode }

/**
 * Tabs within a dialog, which need no script: a row of radios that scrolls, and a section for each.
 * The fields of a closed tab stay in the form.
 */
export function FormTabs({ name, open, tabs }: { name: string; open: string; tabs: FormTab[] }) {
  return (
    <div className="form-tabs">
      <div className="tabs tabs-even">
        {tabs.map(({ id, label, icon }) => (
          <label key={id}>
            <input type="radio" name={name} value={id} defaultChecked={id === open} />
            {icon}
            {label}
          </label>
        ))}
      </div>
      {tabs.map(({ id, label, content }) => (
        <section key={id} aria-label={label}>
          {content}
        </section>
      ))}
    </div>
  )
}
