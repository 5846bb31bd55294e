import { useEffect, useRef, useState } from 'react'
import type { HolderValues } from '#components/codes/holder-fields.tsx'
import { SelectField, TextField } from '#components/forms/field.tsx'
import type { ContactType } from '#domain/families/child-registration.ts'
import { LENGTHS } from '#domain/text.ts'
import type { Catalogue } from '#locales/catalogue.ts'

const CONTACT = {
  mobile: { inputMode: 'tel', autoComplete: 'tel' },
  email: { inputMode: 'email', autoComplete: 'email' },
} as const

/** Names the contact by the choice; without script it has both names. */
export function ContactFields({
  values,
  error,
  words,
  onType,
}: {
  values: HolderValues
  error: string | undefined
  words: Catalogue['child']
  /** when another type is chosen */
  onType: () => void
}) {
  const [type, setType] = useState<ContactType>()
  const select = useRef<HTMLSelectElement>(null)
  // A choice may have been made before the script was loaded.
  useEffect(() => setType(readContactType(select.current?.value)), [])
  return (
    <>
      <SelectField
        ref={select}
        label={words.contactType}
        name="contact_type"
        defaultValue={readContactType(values.contact_type)}
        onChange={({ currentTarget }) => {
          setType(readContactType(currentTarget.value))
          onType()
        }}
      >
        <option value="mobile">{words.mobile}</option>
        <option value="email">{words.email}</option>
      </SelectField>
      <TextField
        {...(type && CONTACT[type])}
        label={type ? words[type] : words.mobileOrEmail}
        hint={words.contactHint}
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
