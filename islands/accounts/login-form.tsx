import type { LoginFormProps } from '#islands/accounts/_login.ts'
import { PasswordForm } from '#islands/accounts/_login-password.tsx'
import { RecoveryForm } from '#islands/accounts/_login-recovery.tsx'
import { RegisterForm } from '#islands/accounts/_login-register.tsx'

/** The login page in each of its modes. Only who is signed out gets to see it. */
export function LoginForm(props: LoginFormProps) {
  switch (props.mode) {
    case 'register':
      return <RegisterForm {...props} />
    case 'password':
      return <PasswordForm {...props} />
    default:
      return <RecoveryForm {...props} mode={props.mode} />
  }
}
