import { SelectField } from '#components/forms/field.tsx'

/** The owners in the choice, and the chosen one. */
export type ForWhomProps = {
  owners?: { id: string; name: string }[] | undefined
  owner_id?: string | undefined
}

/** Chooses the account that gets new codes; hidden where there is only one. */
export function ForWhom({ owners = [], owner_id }: ForWhomProps) {
  if (owners.length === 0) return null
  return (
    <SelectField label="For" name="owner_id" defaultValue={owner_id}>
      <option value="">me</option>
      {owners.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
