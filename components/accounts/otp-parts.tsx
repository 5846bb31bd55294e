import type { ReactNode } from 'react'
import { TextField } from '#components/forms/field.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import {
  countdownText,
  minutesSeconds,
  OTP_LENGTH,
  OTP_VALID_SECONDS,
  showOtp,
} from '#domain/accounts/registration.ts'

/** An OTP that is on its way, and for how long it holds. */
export type SentOtp = { secondsLeft: number; expiresAt?: string; testOtp?: string | undefined }

/** The address that the OTP was sent to. */
export function SentTo({ name, contact }: { name: 'email' | 'contact'; contact: string }) {
  return (
    <div>
      <input type="hidden" name={name} defaultValue={contact} />
      <Badge tone="go" long>
        <Icon name="mail" />
        <span data-sent-to>{contact}</span>
      </Badge>
    </div>
  )
}

type OtpPartsProps = {
  sent: SentOtp
  error: string | undefined
  value: string | undefined
  /** the button that sends the OTP that was typed */
  children: ReactNode
}

/**
 * The OTP's field, how long it holds and how to get another one. Script disables the button until
 * then; without it the server refuses.
 */
export function OtpParts({ sent, error, value, children }: OtpPartsProps) {
  const { secondsLeft, expiresAt, testOtp } = sent
  return (
    <>
      {expiresAt && <input type="hidden" name="expires_at" value={expiresAt} />}
      {testOtp && <input type="hidden" name="test_otp" value={testOtp} />}
      <TextField
        label="6-digit OTP"
        name="otp"
        className="input-code"
        defaultValue={value}
        error={error}
        placeholder={'•'.repeat(OTP_LENGTH)}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      <Countdown seconds={secondsLeft} />
      {children}
      <button
        className="btn btn-block"
        type="submit"
        name="resend"
        value="1"
        data-busy="Sending OTP..."
      >
        Resend OTP
      </button>
    </>
  )
}

/** Hidden until there is an OTP, or where it went out by mail. */
export function TestOtp({ otp }: { otp: string | undefined }) {
  return (
    <section className="otp-box" aria-label="Test mode" hidden={!otp}>
      <p className="small">Test mode: the email service is not configured.</p>
      <b translate="no">{showOtp(otp ?? '')}</b>
      <button className="btn btn-sm needs-script" type="button" data-action="fill-otp">
        Click to Auto-Fill OTP
      </button>
    </section>
  )
}

function Countdown({ seconds }: { seconds: number }) {
  return (
    <div className="countdown">
      <span>OTP expires in</span>
      <time>{minutesSeconds(seconds)}</time>
      <progress max={OTP_VALID_SECONDS} value={seconds} aria-label="Time left" />
      <span className="vh" role="status">
        {countdownText(seconds)}
      </span>
    </div>
  )
}
