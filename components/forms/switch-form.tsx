import type { ComponentProps } from 'react'

type SwitchFormProps = {
  id: string
  on: boolean
  label: string
  /** the subject of the switch, for screen readers */
  about: string
  /** the name of the field with the new state */
  field: string
}

/** A switch that saves at once; without script a Save button does. Its children are seen in place of the label. */
export function SwitchForm(props: SwitchFormProps & ComponentProps<'form'>) {
  const { id, on, label, about, field, children, ...form } = props
  return (
    <form className="row" method="post" data-enhance {...form}>
      <input type="hidden" name={field} value="false" />
      <label className={children ? 'toggle sees' : 'toggle'}>
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has a state of its own
          role="switch"
          id={id}
          name={field}
          value="true"
          defaultChecked={on}
          data-action="submit-on-change"
        />
        <span>
          {children ? <span className="vh">{label}</span> : label}
          <span className="vh">{`: ${about} `}</span>
          {children}
        </span>
      </label>
      <button className="btn btn-sm without-script" type="submit">
        Save<span className="vh">{` ${label}: ${about}`}</span>
      </button>
    </form>
  )
}
