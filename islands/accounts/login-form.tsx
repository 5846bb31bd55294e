import { useEffect } from 'react'
import { LoginChoice } from '#components/accounts/login-choice.tsx'
import { LOGGED_OUT, LoginNotice } from '#components/accounts/login-notice.tsx'
import { forgetSession } from '#islands/_api.ts'
import { showToast } from '#islands/_toast.ts'
import type { LoginFormProps } from '#islands/accounts/_login.ts'
import { PasswordForm } from '#islands/accounts/_login-password.tsx'
import { RecoveryForm } from '#islands/accounts/_login-recovery.tsx'
import { RegisterForm } from '#islands/accounts/_login-register.tsx'
import { hasSignInCode } from '#islands/accounts/_sign-in-code.ts'

/** The login page in each of its modes. Only who is signed out gets to see it. */
export function LoginForm(props: LoginFormProps) {
  const { notice } = props
  useEffect(() => {
    // Somebody who comes from Google is being signed in, perhaps already is.
    if (!hasSignInCode()) forgetSession()
    if (notice !== 'logged_out') return
    showToast(LOGGED_OUT)
    history.replaceState(null, '', '/login')
  }, [notice])
  return (
    <>
      <LoginNotice kind={notice} />
      <Mode {...props} />
    </>
  )
}

function Mode(props: LoginFormProps) {
  switch (props.mode) {
    case 'choice':
      return <LoginChoice google={props.google} />
    case 'register':
      return <RegisterForm {...props} />
    case 'password':
      return <PasswordForm {...props} />
    default:
      return <RecoveryForm {...props} mode={props.mode} />
  }
}
