import type { ComponentProps } from 'react'
import { TextField } from '#components/forms/field.tsx'

type PhoneFieldProps = ComponentProps<typeof TextField> & {
  /** the words of the tick that takes a number as it is typed; without them there is none */
  anyway: string | undefined
  isAnyway?: boolean | undefined
}

/** A number of a code. A number that is in no country's plan is refused once, with a tick to use it anyway. */
export function PhoneField({ anyway, isAnyway, ...field }: PhoneFieldProps) {
  return (
    <div className="stack gap-2">
      <TextField {...field} type="tel" />
      {anyway && (
        <label className="toggle">
          <input
            type="checkbox"
            name={`${field.name}_anyway`}
            value="1"
            defaultChecked={isAnyway}
          />
          {anyway}
        </label>
      )}
    </div>
  )
}
