import { Badge } from '#components/ui/badge.tsx'
import { TextField } from '#components/ui/field.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import {
  minutesSeconds,
  OTP_LENGTH,
  OTP_VALID_SECONDS,
  stripOtp,
} from '#domain/accounts/registration.ts'

export function BackToOptions() {
  return (
    <a className="btn btn-quiet btn-block" href="/login">
      <Icon name="back" />
      Back to Login Options
    </a>
  )
}

/** Where the OTP went. */
export function SentTo({ contact }: { contact: string }) {
  return (
    <div>
      <Badge tone="go" long>
        <Icon name="mail" />
        {contact}
      </Badge>
    </div>
  )
}

export function TestOtp({ otp, onFill }: { otp: string; onFill: () => void }) {
  return (
    <section className="otp-box" aria-label="Test mode">
      <p className="small">Test mode: the email service is not configured.</p>
      <b translate="no">{`${otp.slice(0, 3)} ${otp.slice(3)}`}</b>
      <button className="btn btn-sm" type="button" onClick={onFill}>
        Click to Auto-Fill OTP
      </button>
    </section>
  )
}

export function OtpField({ error, value }: { error?: string; value?: string }) {
  return (
    <TextField
      label="6-digit OTP"
      name="otp"
      className="input-code"
      defaultValue={value}
      error={error}
      onChange={({ currentTarget }) => {
        currentTarget.value = stripOtp(currentTarget.value)
      }}
      placeholder={'•'.repeat(OTP_LENGTH)}
      inputMode="numeric"
      autoComplete="one-time-code"
    />
  )
}

export function PasswordFields({
  labels: [password, confirmation],
  errors,
}: {
  labels: [string, string]
  errors: { password?: string; confirm_password?: string }
}) {
  return (
    <>
      <TextField
        label={password}
        hint="At least 6 characters"
        name="password"
        type="password"
        error={errors.password}
        autoComplete="new-password"
      />
      <TextField
        label={confirmation}
        name="confirm_password"
        type="password"
        error={errors.confirm_password}
        autoComplete="new-password"
      />
    </>
  )
}

/** Spoken once a minute before the end and at it, not every second. */
export function Countdown({ seconds }: { seconds: number }) {
  return (
    <div className="countdown">
      <span>OTP expires in</span>
      <time>{minutesSeconds(seconds)}</time>
      <progress max={OTP_VALID_SECONDS} value={seconds} aria-label="Time left" />
      <span className="vh" role="status">
        {seconds === 0 ? 'The OTP has expired' : seconds <= 60 ? 'The OTP expires in a minute' : ''}
      </span>
    </div>
  )
}

export function ResendButton({ busy, disabled }: { busy: boolean; disabled: boolean }) {
  return (
    <button
      className="btn btn-block"
      type="submit"
      name="resend"
      value="1"
      disabled={disabled}
      aria-busy={busy || undefined}
    >
      {busy ? 'Sending OTP...' : 'Resend OTP'}
    </button>
  )
}

export function MainButton({
  busy = false,
  busyLabel,
  disabled = busy,
  children,
}: {
  /** where an island sends the form itself */
  busy?: boolean
  busyLabel: string
  disabled?: boolean
  children: string
}) {
  return (
    <button
      className="btn btn-main btn-block"
      type="submit"
      disabled={disabled}
      aria-busy={busy || undefined}
      data-busy={busyLabel}
    >
      {busy ? busyLabel : children}
    </button>
  )
}

/** A refusal that is about no field in particular. */
export function Refusal({ children }: { children: string | undefined }) {
  return children ? <Note tone="stop">{children}</Note> : null
}
