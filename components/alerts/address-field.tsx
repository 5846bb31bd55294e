import type { ComponentProps } from 'react'
import { TextField } from '#components/forms/field.tsx'

const LONGEST_URL = 2000

/** The address that alerts are sent to. */
export function AddressField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      name="url"
      type="url"
      inputMode="url"
      autoComplete="off"
      maxLength={LONGEST_URL}
      {...props}
    />
  )
}
