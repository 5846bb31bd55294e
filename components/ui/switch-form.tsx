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

/** A switch that saves at once, where it stands. */
export function SwitchForm(props: SwitchFormProps & ComponentProps<'form'>) {
  const { id, on, label, about, field, ...form } = props
  return (
    <form method="post" data-enhance {...form}>
      <input type="hidden" name={field} value={String(!on)} />
      <button className="switch" id={id} type="submit" role="switch" aria-checked={on}>
        <span>
          {label}
          <span className="vh">{`: ${about}`}</span>
        </span>
      </button>
    </form>
  )
}
