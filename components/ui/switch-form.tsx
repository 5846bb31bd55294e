import type { ComponentProps } from 'react'

type SwitchFormProps = {
  id: string
  on: boolean
  label: string
  /** what it switches, for whoever does not see where it stands */
  about: string
  /** the field that says what it is to be */
  field: string
}

/** A switch that saves at once, where it stands; without script a button does. */
export function SwitchForm(props: SwitchFormProps & ComponentProps<'form'>) {
  const { id, on, label, about, field, ...form } = props
  return (
    <form className="row" method="post" data-enhance {...form}>
      <input type="hidden" name={field} value="false" />
      <label className="toggle">
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
          {label}
          <span className="vh">{`: ${about}`}</span>
        </span>
      </label>
      <button className="btn btn-sm without-script" type="submit">
        Save<span className="vh">{` ${label}: ${about}`}</span>
      </button>
    </form>
  )
}
