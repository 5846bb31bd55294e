import type { ReactNode } from 'react'
import { Icon, type IconName } from '#components/icons/icon.tsx'

type FormTab = { id: string; label: string; icon?: IconName; content: ReactNode }
type FormTabsProps = {
  name: string
  open: string
  tabs: FormTab[]
  /** five short labels in one line of a phone, with their icons above them */
  isRow?: boolean
  /** puts the labels under the first section, as tiles below these words, until another one is open */
  more?: ReactNode
}

/**
 * Tabs within a dialog, which need no script: a radio and a section for each. The fields of a closed tab
 * stay in the form.
 */
export function FormTabs({ name, open, tabs, isRow, more }: FormTabsProps) {
  const classes = ['tabset', isRow && 'tabset-row', more && 'tabset-first']
  return (
    <div className={classes.filter(Boolean).join(' ')}>
      {tabs.flatMap(({ id, label, icon, content }, n) => [
        n === 1 && more && (
          <p key="more" className="more-line">
            {more}
          </p>
        ),
        <label key={id} className={n === 0 ? 'first' : undefined}>
          <input type="radio" name={name} value={id} defaultChecked={id === open} />
          {icon && <Icon name={icon} />}
          {label}
        </label>,
        <section key={`${id} part`} aria-label={label}>
          {content}
        </section>,
      ])}
    </div>
  )
}
