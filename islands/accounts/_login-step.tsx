import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { TestOtp } from '#components/accounts/login-parts.tsx'
import type { Submitting } from '#islands/_submit.ts'
import type { LoginMode, SentOtp } from '#islands/accounts/_login.ts'

/** A form that posts to its page where there is no script. */
export function StepForm({
  mode,
  submitting: { form, onSubmit },
  children,
}: {
  mode: LoginMode
  submitting: Submitting
  children: ReactNode
}) {
  return (
    <form
      ref={form}
      className="sheet stack"
      method="post"
      action={`/login?mode=${mode}`}
      noValidate
      onSubmit={onSubmit}
    >
      {children}
    </form>
  )
}

/** The title of a second step, which is read when the step appears. */
export function StepTitle({ children }: { children: string }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <h1 ref={title} tabIndex={-1}>
      {children}
    </h1>
  )
}

/** What the form knows of the OTP on its way; the end goes along where there is no script. */
export function SentOtpState({
  sent,
  form,
}: {
  sent: SentOtp
  form: RefObject<HTMLFormElement | null>
}) {
  const { expiresAt, testOtp } = sent
  function fill() {
    const field = form.current?.elements.namedItem('otp')
    if (field instanceof HTMLInputElement) field.value = testOtp ?? ''
  }
  return (
    <>
      {expiresAt && <input type="hidden" name="expires_at" value={expiresAt} />}
      {testOtp && <TestOtp otp={testOtp} onFill={fill} />}
    </>
  )
}
