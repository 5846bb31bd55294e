import { SelectField, TextField } from '#components/forms/field.tsx'
import { PERMISSION_TYPES, type PermissionType } from '#domain/accounts/permission.ts'
import { onOffer } from '#domain/plans/offer.ts'

export type PermissionFieldsProps = {
  type: PermissionType
  expires: string
  /** types that the signed-in admin may not set */
  barred: readonly PermissionType[]
  timezone: string
  /** why a form that was sent was not taken */
  refused?: { field: 'permission_type' | 'expires_at'; message: string } | undefined
}

/** A user's permission, and its end. */
export function PermissionFields(props: PermissionFieldsProps) {
  const { type, expires, barred, timezone, refused } = props
  const errorOf = (field: string) => (refused?.field === field ? refused.message : undefined)
  return (
    <>
      <SelectField
        label="Permission type"
        name="permission_type"
        defaultValue={type}
        error={errorOf('permission_type')}
      >
        {onOffer(PERMISSION_TYPES).map((each) => (
          <option key={each} value={each} disabled={barred.includes(each)}>
            {each === 'client' ? 'client (Default)' : each}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Expires"
        optional
        hint={`Time in ${timezone}. Then they are what they were before.`}
        type="datetime-local"
        name="expires_at"
        defaultValue={expires}
        error={errorOf('expires_at')}
      />
    </>
  )
}
