import { PasswordField, type Peek } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'

export function BackToOptions() {
  return (
    <a className="btn btn-quiet btn-block" href="/login">
      <Icon name="back" />
      Back to Login Options
    </a>
  )
}

export function PasswordFields({
  labels: [password, confirmation],
  hint = 'At least 6 characters',
  errors,
  peek,
}: {
  labels: [string, string]
  hint?: string
  errors: { password?: string; confirm_password?: string }
  peek?: Peek | undefined
}) {
  return (
    <>
      <PasswordField
        label={password}
        hint={hint}
        name="password"
        peek={peek}
        error={errors.password}
        autoComplete="new-password"
      />
      <PasswordField
        label={confirmation}
        name="confirm_password"
        peek={peek}
        error={errors.confirm_password}
        autoComplete="new-password"
      />
    </>
  )
}

export function MainButton({
  busyLabel,
  disabled,
  children,
}: {
  busyLabel: string
  disabled?: boolean
  children: string
}) {
  return (
    <button
      className="btn btn-main btn-block"
      type="submit"
      disabled={disabled}
      data-busy={busyLabel}
    >
      {children}
    </button>
  )
}
