import { useEffect, useRef, useState } from 'react'
import type { HolderValues } from '#components/codes/holder-fields.tsx'
import { SelectField, TextField } from '#components/forms/field.tsx'
import type { ContactType } from '#domain/families/child-registration.ts'
import { LENGTHS } from '#domain/text.ts'

const CONTACT = {
  mobile: { label: 'Mobile Number', inputMode: 'tel', autoComplete: 'tel' },
  email: { label: 'Email', inputMode: 'email', autoComplete: 'email' },
} as const

/** What the contact is called follows the choice; without script it is called by both names. */
export function ContactFields({
  values,
  error,
}: {
  values: HolderValues
  error: string | undefined
}) {
  const [type, setType] = useState<ContactType>()
  const select = useRef<HTMLSelectElement>(null)
  // A choice may have been made before the script was loaded.
  useEffect(() => setType(readContactType(select.current?.value)), [])
  const contact = type ? CONTACT[type] : { label: 'Mobile Number or Email' }
  return (
    <>
      <SelectField
        ref={select}
        label="Contact type"
        name="contact_type"
        defaultValue={readContactType(values.contact_type)}
        onChange={({ currentTarget }) => setType(readContactType(currentTarget.value))}
      >
        <option value="mobile">Mobile number</option>
        <option value="email">Email</option>
      </SelectField>
      <TextField
        {...contact}
        hint="You log in with it, and finders reach you by it."
        name="contact"
        defaultValue={values.contact}
        error={error}
        maxLength={LENGTHS.other}
        autoCapitalize="none"
      />
    </>
  )
}

export function readContactType(typed: string | undefined): ContactType {
  return typed === 'email' ? 'email' : 'mobile'
}
