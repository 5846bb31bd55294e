import { useEffect } from 'react'
import { LoginChoice } from '#components/login-choice.tsx'
import { LOGGED_OUT, LoginNotice } from '#components/login-notice.tsx'
import { forgetSession } from '#islands/_api.ts'
import type { LoginFormProps } from '#islands/_login.ts'
import { PasswordForm } from '#islands/_login-password.tsx'
import { RecoveryForm } from '#islands/_login-recovery.tsx'
import { RegisterForm } from '#islands/_login-register.tsx'
import { hasSignInCode } from '#islands/_sign-in-code.ts'
import { showToast } from '#islands/_toast.ts'

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
